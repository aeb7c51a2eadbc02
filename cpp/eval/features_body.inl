// The features of some positions (features.hpp), for one instruction set. Included by kernels_body.inl.

// Sets of points, one for each side of four positions. Most batches are small, and twice as many took twice as long.
constexpr int kTogether = 4;
constexpr int kLanesTogether = kFeatureSides * kTogether;
typedef std::uint32_t Sets __attribute__((vector_size(4 * kLanesTogether)));
constexpr std::uint32_t kBoard = 0xFFFFFF;
constexpr int kRollDigits = 6;   // binary digits of a number of rolls
constexpr int kLevelDigits = 3;  // and of a level

// The slots with at least so many checkers, mine in the lowest 25 bits, theirs in the next.
inline std::uint64_t at_least(const std::uint8_t* counts, int least) {
#if defined(__AVX512BW__)
  constexpr __mmask64 kOnBoard = (std::uint64_t{1} << kSlotsOnBoard) - 1;
  return _mm512_cmpgt_epi8_mask(_mm512_maskz_loadu_epi8(kOnBoard, counts),
                                _mm512_set1_epi8(static_cast<char>(least - 1)));
#elif defined(__SSE2__)
  std::uint64_t found = 0;
  const __m128i below = _mm_set1_epi8(static_cast<char>(least - 1));
  const auto look = [&](int at) {
    const __m128i has = _mm_loadu_si128(reinterpret_cast<const __m128i*>(counts + at));
    found |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpgt_epi8(has, below))))
             << at;
  };
  constexpr int kStep = 16;
  for (int at = 0; at + kStep <= kSlotsOnBoard; at += kStep) look(at);
  look(kSlotsOnBoard - kStep);  // the last step overlaps the one before it
  return found;
#else
  std::uint64_t found = 0;
  for (int at = 0; at < kSlotsOnBoard; ++at) found |= static_cast<std::uint64_t>(counts[at] >= least) << at;
  return found;
#endif
}

// Points seen from the other side of the board.
inline Sets turned(Sets points) {
  points = (points >> 1 & 0x555555u) | (points & 0x555555u) << 1;
  points = (points >> 2 & 0x333333u) | (points & 0x333333u) << 2;
  points = (points >> 4 & 0x0F0F0Fu) | (points & 0x0F0F0Fu) << 4;
  return points >> 16 | (points & 0xFF00u) | (points & 0xFFu) << 16;
}

inline Sets where(Sets condition) { return (Sets)(condition != Sets{}); }

// Adds one in binary, digit by digit, wherever a bit is set.
template <int kDigits>
inline void count_in(Sets* digits, Sets points) {
  for (int digit = 0; digit < kDigits; ++digit) {
    const Sets carry = digits[digit] & points;
    digits[digit] ^= points;
    points = carry;
  }
}

// Where a number in binary is at least so much.
inline Sets is_at_least(const Sets* digits, int least) {
  Sets found = ~Sets{};
  for (int digit = 0; digit < kRollDigits; ++digit)
    found = least >> digit & 1 ? found & digits[digit] : found | digits[digit];
  return found;
}

// What a side's rolls reach.
struct Reach {
  Sets level[kLevelDigits];  // how many of 36 rolls bring a checker to each point, as a level in binary
  Sets some;                 // points with a level above zero
  Sets hits, double_hits;    // rolls that hit one of the blots, two of them
};

// `men` are a side's checkers on the board and `bar` how many it has on the bar; `open` the points it may land on, and
// `blots` those on which it hits. Whoever has checkers on the bar enters them first; that the rest of a roll may be
// forced is not looked at.
inline Reach reach(Sets men, Sets bar, Sets open, Sets blots) {
  const Sets zero = {};
  const Sets none = (Sets)(bar == zero);
  const Sets one = (Sets)(bar == zero + 1u);
  const Sets first =
      (none & men) | (~none & (zero + (1u << kFeaturePoints)));  // who moves first: the bar is one slot further
  const Sets goes_on = none | one;  // the first checker, or another one, may use the other die too
  Sets step[7], entered[7], others[7];
  for (int die = 1; die <= 6; ++die) {
    step[die] = first >> die & open;
    entered[die] = one & where(step[die]);
    others[die] = men >> die;
  }
  Sets singles[4] = {}, pairs[3] = {};  // rolls of two different dice, each twice; doubles
  Reach found = {};
  const auto note = [&](Sets landed, std::uint32_t weight) {
    const Sets hit = landed & blots;
    found.hits += where(hit) & (zero + weight);
    found.double_hits += where(hit & (hit - 1u)) & (zero + weight);
  };
  for (int high = 2; high <= 6; ++high)
    for (int low = 1; low < high; ++low) {
      Sets landed = step[high] | step[low] | (goes_on & (step[high] >> low | step[low] >> high));
      landed |= (entered[high] & others[low]) | (entered[low] & others[high]);
      count_in<4>(singles, landed);
      note(landed, 2);
    }
  for (int die = 1; die <= 6; ++die) {
    Sets landed = step[die];
    Sets movers = landed | (~none & where(landed) & men);
    for (std::uint32_t more = 1; more <= 3; ++more) {
      // Three steps are left after the first, one fewer for each further checker on the bar.
      movers = movers >> die & open & (Sets)(bar + more < zero + 5u);
      landed |= movers;
    }
    count_in<3>(pairs, landed);
    note(landed, 1);
  }
  // pairs + 2 * singles
  Sets rolls[kRollDigits];
  rolls[0] = pairs[0];
  Sets carry = {};
  for (int digit = 1; digit < kRollDigits; ++digit) {
    const Sets a = digit < 3 ? pairs[digit] : zero;
    const Sets b = digit < 5 ? singles[digit - 1] : zero;
    rolls[digit] = a ^ b ^ carry;
    carry = (a & b) | (carry & (a | b));
  }
  constexpr int kStarts[kShotLevels] = {0, 1, 4, 7, 11, 14, 18, 23};
  Sets from[kShotLevels];
  for (int level = 1; level < kShotLevels; ++level) from[level] = is_at_least(rolls, kStarts[level]);
  found.some = from[1];
  found.level[0] = (from[1] & ~from[2]) | (from[3] & ~from[4]) | (from[5] & ~from[6]) | from[7];
  found.level[1] = (from[2] & ~from[4]) | from[6];
  found.level[2] = from[4];
  return found;
}

// How many of 36 rolls take a checker all the way, for each set of points that are blocked among the twelve before it;
// a double counts as two steps.
struct EscapeTable {
  std::uint8_t level[4096];
  constexpr EscapeTable() : level() {
    for (int blocked = 0; blocked < 4096; ++blocked) {
      int rolls = 0;
      for (int a = 1; a <= 6; ++a)
        for (int b = 1; b <= 6; ++b)
          rolls += !(blocked >> (a + b - 1) & 1) && !((blocked >> (a - 1) & 1) && (blocked >> (b - 1) & 1));
      constexpr int kStarts[kEscapeLevels] = {0, 1, 5, 10, 15, 20, 26, 32};
      while (level[blocked] + 1 < kEscapeLevels && rolls >= kStarts[level[blocked] + 1]) ++level[blocked];
    }
  }
};
constexpr EscapeTable kEscapes;

// Of up to kTogether positions.
inline void features_together(const std::uint8_t* positions, int count, std::uint16_t* units, int* unit_counts) {
  // Of each side, and what stands against it.
  alignas(64) std::uint32_t men[kFeatureSides][kTogether] = {}, made[kFeatureSides][kTogether] = {},
                            bars[kFeatureSides][kTogether] = {}, their_men[kFeatureSides][kTogether] = {},
                            their_made[kFeatureSides][kTogether] = {};
  for (int i = 0; i < count; ++i) {
    const std::uint8_t* counts = positions + i * kSlotsOnBoard;
    const std::uint64_t some = at_least(counts, 1);
    const std::uint64_t two = at_least(counts, 2);
    for (int side = 0; side < kFeatureSides; ++side) {
      men[side][i] = their_men[1 - side][i] = static_cast<std::uint32_t>(some >> side * kSlotsOfSide) & kBoard;
      made[side][i] = their_made[1 - side][i] = static_cast<std::uint32_t>(two >> side * kSlotsOfSide) & kBoard;
      bars[side][i] = counts[side * kSlotsOfSide + kFeaturePoints];
    }
    unit_counts[i] = 0;
  }
  const auto sets = [](const auto& from) { return *reinterpret_cast<const Sets*>(from); };
  const Sets closed = turned(sets(their_made));
  const Sets blots = turned(sets(their_men)) & ~closed;
  const Reach reached = reach(sets(men), sets(bars), ~closed & kBoard, blots);
  struct {
    alignas(64) std::uint32_t level[kLevelDigits][kFeatureSides][kTogether], shots[kFeatureSides][kTogether],
        cover[kFeatureSides][kTogether], hits[kFeatureSides][kTogether], double_hits[kFeatureSides][kTogether];
  } of;
  const auto keep = [](auto& to, Sets from) { *reinterpret_cast<Sets*>(to) = from; };
  for (int digit = 0; digit < kLevelDigits; ++digit) keep(of.level[digit], reached.level[digit]);
  keep(of.shots, blots & reached.some);
  keep(of.cover, sets(men) & ~sets(made) & reached.some);
  keep(of.hits, reached.hits);
  keep(of.double_hits, reached.double_hits);
  for (int side = 0; side < kFeatureSides; ++side) {
    for (int i = 0; i < count; ++i) {
      std::uint16_t* out = units + i * kMostFeatures + unit_counts[i];
      const auto put = [&](int unit) { *out++ = static_cast<std::uint16_t>(unit); };
      const auto put_levels = [&](std::uint32_t points, int start) {
        for (; points; points &= points - 1) {
          const int point = __builtin_ctz(points);
          int level = 0;
          for (int digit = 0; digit < kLevelDigits; ++digit) level |= (of.level[digit][side][i] >> point & 1) << digit;
          put(start + (side * kFeaturePoints + point) * kShotLevels + level);
        }
      };
      if (of.hits[side][i]) put(kHitUnits + side * kRollNumbers + static_cast<int>(of.hits[side][i]));
      if (of.double_hits[side][i])
        put(kDoubleHitUnits + side * kDoubleHitLevels + static_cast<int>(of.double_hits[side][i] + 3) / 4);
      put_levels(of.shots[side][i], kShotUnits);
      put_levels(of.cover[side][i], kCoverUnits);
      const std::uint8_t* counts = positions + i * kSlotsOnBoard + side * kSlotsOfSide;
      std::uint32_t runners =
          men[side][i] >> kRunnerFirst | (bars[side][i] ? 1u << (kFeaturePoints - kRunnerFirst) : 0u);
      for (; runners; runners &= runners - 1) {
        const int runner = __builtin_ctz(runners);
        const int slot = kRunnerFirst + runner;
        const int level = kEscapes.level[their_made[side][i] >> (kFeaturePoints - slot) & 0xFFF];
        const int some = counts[slot] < kRunnerCounts ? counts[slot] : kRunnerCounts;
        // Written in any case, and overwritten if it is free: that is hard to foresee.
        const int kind = (side * kRunnerSlots + runner) * kRunnerCounts + some - 1;
        *out = static_cast<std::uint16_t>(kRunnerUnits + kind * kEscapeLevels + level);
        out += level != kFreeRunner;
      }
      unit_counts[i] = static_cast<int>(out - (units + i * kMostFeatures));
    }
  }
}

void features(const std::uint8_t* positions, int count, std::uint16_t* units, int* unit_counts) {
  for (int start = 0; start < count; start += kTogether) {
    const int some = count - start < kTogether ? count - start : kTogether;
    features_together(positions + start * kSlotsOnBoard, some, units + start * kMostFeatures, unit_counts + start);
  }
}
