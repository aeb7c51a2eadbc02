#include "heuristics/tabula_replies.hpp"

#include <bit>

#include "board/plays.hpp"

namespace kibitz {
namespace {

// Four numbers in one word: a step changes all parts by one addition. A part may be borrowed from while a play is under
// way; at its end every part is again a number of at most 15 * 363, which fits 16 bits.
constexpr int kHittable = 16;
constexpr int kAllBlots = 32;
constexpr int kHits = 48;

using Packed = std::uint64_t;

constexpr Packed part(int value, int shift) { return static_cast<Packed>(static_cast<std::int64_t>(value)) << shift; }

// A reply's blots are all in danger once it has hit, because the checker on the bar is behind everything. Otherwise
// only those that the opponent has not passed count. Without contact there are neither, so a race needs no rule of its
// own.
inline void tally(Packed total, ReplySums& sums) {
  const std::int64_t hits = static_cast<std::int64_t>(total >> kHits);
  sums.pips += total & 0xffff;
  sums.blots += (hits ? total >> kAllBlots : total >> kHittable) & 0xffff;
  sums.hits += hits;
  ++sums.count;
}

}  // namespace

ReplyScorer::ReplyScorer(const Position& position, const TabulaWeights& weights)
    : position_(position), weights_(weights) {
  const int nearest_hittable = kPoints - rearmost(position.theirs);
  for (int slot = 0; slot < kSlots; ++slot) {
    const int count = position.mine[slot];
    const int pips = kPseudopips[slot];
    if (count) occupied_ |= Mask{1} << slot;
    if (slot >= kHome) outside_ += count;
    start_ += part(count * pips, 0);
    // A checker on the bar is no blot.
    Packed blot = 0;
    if (slot < kPoints) {
      const int space = weights.opponent_spaces ? mirrored(slot) : slot;
      blot = part(kPseudopips[space], kAllBlots);
      if (slot >= nearest_hittable) blot += part(kPseudopips[space], kHittable);
      const int facing = position.theirs[mirrored(slot)];
      if (facing < 2) open_ |= Mask{1} << slot;
      if (facing == 1) blots_ |= Mask{1} << slot;
      // In the order in which steps are played here, a checker arrives on an empty point only once: there it hits.
      arriving_[slot] = {part(pips, 0) + blot + (facing == 1 ? part(kPseudopips[space], kHits) : 0),
                         part(pips, 0) - blot, part(pips, 0)};
      if (count == 1) start_ += blot;
    }
    leaving_[slot] = {0, part(-pips, 0) - blot, part(-pips, 0) + blot, part(-pips, 0)};
  }
}

ReplySums ReplyScorer::replies(Dice dice) {
  ReplySums sums;
  // Bearing off is out of reach while more checkers are outside than can come home before the last die.
  if (dice.is_double() ? outside_ < 4 : outside_ < 2) {
    one_by_one(dice, sums);
  } else if (dice.is_double()) {
    doubles(dice.high, sums);
  } else {
    mixed(dice, sums);
  }
  if (sums.count == 0) tally(start_, sums);
  return sums;
}

// The same two kinds of plays as in the generator: two independent steps, or one checker with both dice.
void ReplyScorer::mixed(Dice dice, ReplySums& sums) const {
  const Mask bar = Mask{1} << kBar;
  const Row& mine = position_.mine;
  const int waiting = mine[kBar];
  const Mask high = movable(dice.high, occupied_);
  const Mask low = movable(dice.low, occupied_);

  if (waiting >= 2) {
    Packed total = start_;
    int left = waiting;
    for (const int die : {int{dice.high}, int{dice.low}}) {
      if (!(movable(die, occupied_) & bar)) continue;
      total += leaving(kBar, left--) + arriving(kBar - die, mine[kBar - die]);
    }
    if (left != waiting) tally(total, sums);
    return;
  }

  std::array<Packed, kSlots> low_steps;
  for (Mask sources = low; sources; sources &= sources - 1) {
    const int source = std::countr_zero(sources);
    low_steps[source] = step(source, source - dice.low);
  }
  for (Mask firsts = high; firsts; firsts &= firsts - 1) {
    const int first = std::countr_zero(firsts);
    const int target = first - dice.high;
    const Packed between = start_ + step(first, target);
    Mask seconds = low;
    if (waiting) seconds &= first == kBar ? ~bar : bar;
    // One checker going on from where the other came to stand, or filling its place, is told as a run below.
    seconds &= ~(Mask{1} << target);
    if (first + dice.low < kSlots) seconds &= ~(Mask{1} << (first + dice.low));
    // Two steps that touch the same point change its blot together, so they are not simply added.
    const Mask same_source = seconds & Mask{1} << first;
    const Mask same_target = target + dice.low < kSlots ? seconds & Mask{1} << (target + dice.low) : 0;
    if (same_source && mine[first] >= 2)
      tally(between + leaving(first, mine[first] - 1) + arriving(first - dice.low, mine[first - dice.low]), sums);
    if (same_target) {
      const int second = target + dice.low;
      tally(between + leaving(second, mine[second]) + arriving(target, mine[target] + 1), sums);
    }
    for (seconds &= ~(same_source | same_target); seconds; seconds &= seconds - 1)
      tally(between + low_steps[std::countr_zero(seconds)], sums);
  }

  Mask runners = high | low;
  if (waiting) runners &= bar;
  for (; runners; runners &= runners - 1) {
    const int source = std::countr_zero(runners);
    const int target = source - dice.high - dice.low;
    if (target < 0 || !(open_ >> target & 1)) continue;
    const auto run = [&](int between) {
      const Packed total = start_ + leaving(source, mine[source]) + arriving(between, mine[between]);
      tally(total + leaving(between, mine[between] + 1) + arriving(target, mine[target]), sums);
    };
    const bool by_high = high >> source & 1;
    const bool by_low = low >> source & 1;
    const bool high_hits = by_high && (blots_ >> (source - dice.high) & 1);
    const bool low_hits = by_low && (blots_ >> (source - dice.low) & 1);
    if (by_high) run(source - dice.high);
    if (by_low && (!by_high || high_hits || low_hits)) run(source - dice.low);
  }
  if (sums.count) return;

  for (const int die : {int{dice.high}, int{dice.low}}) {
    Mask sources = die == dice.high ? high : low;
    if (waiting) sources &= bar;
    for (; sources; sources &= sources - 1) {
      const int source = std::countr_zero(sources);
      tally(start_ + step(source, source - die), sums);
    }
    if (sums.count) return;
  }
}

void ReplyScorer::doubles(int die, ReplySums& sums) {
  counts_ = position_.mine;
  die_ = die;
  by_depth_ = {};
  descend(start_, occupied_, kSlots - 1, 0);
  // Only the longest plays are legal.
  for (int depth = 4; depth > 0 && sums.count == 0; --depth) sums = by_depth_[depth];
}

// Steps in descending order of their source visit each result exactly once.
void ReplyScorer::descend(Packed total, Mask occupied, int start, int depth) {
  Mask sources = movable(die_, occupied);
  sources &= counts_[kBar] ? Mask{1} << kBar : (Mask{2} << start) - 1;
  if (sources == 0) {
    tally(total, by_depth_[depth]);
    return;
  }
  for (; sources; sources &= sources - 1) {
    const int source = std::countr_zero(sources);
    const int target = source - die_;
    const Packed next = total + leaving(source, counts_[source]) + arriving(target, counts_[target]);
    if (depth == 3) {
      tally(next, by_depth_[4]);
      continue;
    }
    --counts_[source];
    ++counts_[target];
    const Mask vacated = static_cast<Mask>(counts_[source] == 0) << source;
    descend(next, (occupied & ~vacated) | Mask{1} << target, source, depth + 1);
    ++counts_[source];
    --counts_[target];
  }
}

// Where checkers may be borne off, the generator's results are scored as they are.
void ReplyScorer::one_by_one(Dice dice, ReplySums& sums) {
  legal_results(position_, dice, results_);
  for (const Position& result : results_) {
    const TabulaParts parts = tabula_parts(position_, result, weights_);
    sums.pips += static_cast<std::int64_t>(parts.pips);
    sums.blots += static_cast<std::int64_t>(parts.blots);
    sums.hits += static_cast<std::int64_t>(parts.hits);
    ++sums.count;
  }
}

}  // namespace kibitz
