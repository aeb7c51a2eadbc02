#include "eval/turns_distribution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "eval/network.hpp"
#include "support/clones.hpp"
#include "tables/exact.hpp"
#include "tables/gammon_race.hpp"

namespace kibitz {
namespace {

#pragma GCC diagnostic ignored "-Wpsabi"  // how vectors are returned does not matter where everything is inlined

typedef std::int32_t Ints __attribute__((vector_size(64), aligned(4)));
KIBITZ_INLINE const Ints& ints(const std::int32_t* place) { return *reinterpret_cast<const Ints*>(place); }

// Sixteen numbers with neighbouring groups of `kStep` exchanged.
template <int kStep, typename Numbers>
KIBITZ_INLINE Numbers exchanged(Numbers all) {
  if constexpr (kStep == 8)
    return __builtin_shufflevector(all, all, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
  if constexpr (kStep == 4)
    return __builtin_shufflevector(all, all, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
  if constexpr (kStep == 2)
    return __builtin_shufflevector(all, all, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
  return __builtin_shufflevector(all, all, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
}

// The sum of sixteen numbers, by halves.
KIBITZ_INLINE float total(Floats all) {
  all += exchanged<8>(all);
  all += exchanged<4>(all);
  all += exchanged<2>(all);
  all += exchanged<1>(all);
  return all[0];
}

template <int kStep>
KIBITZ_INLINE Ints higher(Ints all) {
  const Ints other = exchanged<kStep>(all);
  return all > other ? all : other;
}

constexpr int kBits = 22;  // behind the point of a logit
static_assert(kActivationOne * kWeightOne == 1 << kBits);
constexpr Ints kPlaces = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// 2 to the power of a logit below zero, or zero if that is very small. The fraction's power is a polynomial that is
// right at both ends, to one part in three million between.
KIBITZ_INLINE void power(const Ints& logits, Floats& out) {
  constexpr int kSmallest = -30, kBias = 127, kMantissa = 23;
  const Ints whole = logits >> kBits;
  const Floats part = __builtin_convertvector(logits & ((1 << kBits) - 1), Floats) * (1.0f / (1 << kBits));
  Floats sum = part * 1.87932e-3f + 8.99098e-3f;
  sum = sum * part + 5.581868e-2f;
  sum = sum * part + 2.4015927e-1f;
  sum = sum * part + 6.9315174e-1f;
  sum = sum * part + 1.0f;
  const Ints exponent = (whole + kBias) << kMantissa;
  const Floats scaled = sum * (Floats)exponent;  // the same bits
  out = whole < kSmallest ? Floats{} : scaled;
}

// Of the logits of `count` turns and a guess, zero before place `least`.
KIBITZ_INLINE void powers(const std::int32_t* logits, int count, int least, float mean, float steepness, float* out) {
  constexpr std::int32_t kLimit = 1 << 28;
  static_assert(kGuessedBits << kBits < 2 * kLimit);
  const Ints limit = Ints{} + kLimit;
  const Floats far = Floats{} + static_cast<float>(kGuessedBits << kBits);
  Ints sums[kAllTurns / kFloats];
  Ints highest = -4 * limit;
  for (int i = 0; i < count; i += kFloats) {
    const Floats distance = __builtin_convertvector(kPlaces + (i + 1), Floats) - mean;
    Floats below = distance * distance * (steepness * (1 << kBits));
    below = below > far ? far : below;
    Ints sum = ints(logits + i);
    sum = sum < -limit ? -limit : sum;
    sum = sum > limit ? limit : sum;
    sum -= __builtin_convertvector(below, Ints);
    sums[i / kFloats] = kPlaces + i < least ? -4 * limit : sum;
    highest = sums[i / kFloats] > highest ? sums[i / kFloats] : highest;
  }
  highest = higher<1>(higher<2>(higher<4>(higher<8>(highest))));
  // What is left out lies far enough below the highest to become zero.
  for (int i = 0; i < count; i += kFloats) power(sums[i / kFloats] - highest, floats(out + i));
}

// Without the first checker if `least_first` is below zero.
KIBITZ_INLINE void all_powers_body(const std::int32_t* logits, int least_all, int least_first, const TurnsGuess& guess,
                                   TurnsDistribution& distribution) {
  powers(logits, kAllTurns, least_all, guess.mean, guess.steepness, distribution.all);
  if (least_first >= 0)
    powers(logits + kAllTurns, kFirstTurns, least_first, guess.first_mean, guess.first_steepness, distribution.first);
}
const auto all_powers = cloned<all_powers_body>();

struct Products {
  float win, win_gammon, lose_gammon;
};

KIBITZ_INLINE Products products_body(const TurnsDistribution& distribution, const float* finished,
                                     const float* waiting) {
  static_assert(kAllTurns == 2 * kFloats && kFirstTurns == kFloats);
  const Floats early = floats(distribution.all), late = floats(distribution.all + kFloats),
               first = floats(distribution.first);
  const float all = total(early + late);
  return {total(early * floats(finished) + late * floats(finished + kFloats)) / all,
          total(first * floats(finished)) / total(first),
          total(early * floats(waiting) + late * floats(waiting + kFloats)) / all};
}
const auto products = cloned<products_body>();

KIBITZ_INLINE float mean_place_body(const float* chances, int count) {
  Floats sum = {}, weighted = {};
  for (int i = 0; i < count; i += kFloats) {
    sum += floats(chances + i);
    weighted += floats(chances + i) * __builtin_convertvector(kPlaces + i + 1, Floats);
  }
  return total(weighted) / total(sum);
}
const auto mean_place = cloned<mean_place_body>();

// The place of the first turn in which so many moves can be made.
int least_place(int moves, int turns) { return std::min((moves + kMovesOfTurn - 1) / kMovesOfTurn, turns) - 1; }

// Fills in the chances of each turn.
void spread(const Turns& turns, int count, float* out) {
  double before = 1.0;
  for (int i = 0; i < count; ++i) {
    const double after = i + 1 < count ? turns.tail(i + 1) : 0.0;
    out[i] = static_cast<float>(before - after);
    before = after;
  }
}

}  // namespace

TurnsGuess TurnsGuess::of(const Row& row) {
  int outside = 0, pips_home = 0;
  for (int slot = kHome; slot < kPoints; ++slot) {
    outside += row[slot];
    pips_home += row[slot] * (slot - kHome + 1);
  }
  constexpr float kHalfBits = 0.72134752f;  // 1 / (2 log 2): from variances to steepness
  const auto pip_count = static_cast<float>(pips(row));
  const auto to_home = static_cast<float>(pips_home);
  // Either the pips take the most time, or the checkers that have to be borne off, about two in a turn.
  const auto count = static_cast<float>(checkers(row));
  const float by_pips = 0.1225f * pip_count + 0.12f * count;
  const float by_checkers = 0.46f * count + 0.5f;
  const float difference = by_pips - by_checkers;
  const float mean = 0.5f * (by_pips + by_checkers + std::sqrt(difference * difference + 1.0f));
  return {mean, kHalfBits / (0.2f + 0.026f * pip_count), 0.8f + 0.107f * to_home + 0.19f * static_cast<float>(outside),
          kHalfBits / (0.15f + 0.028f * to_home)};
}

TurnsDistribution TurnsDistribution::of_logits(const Row& row, const std::int32_t* logits) {
  const int moves = moves_home(row);
  TurnsDistribution distribution;
  const bool none_off = checkers(row) == kCheckers;
  if (!none_off) distribution.set_first_off();
  all_powers(logits, least_place(moves + checkers(row), kAllTurns), none_off ? least_place(moves + 1, kFirstTurns) : -1,
             TurnsGuess::of(row), distribution);
  return distribution;
}

TurnsDistribution TurnsDistribution::of_home_row(const Row& row) {
  const OneSided& table = ExactTables::shared().one_sided();
  const std::uint32_t number = kHomeRows.number(row.data());
  TurnsDistribution distribution;
  spread(table.turns(number), kAllTurns, distribution.all);
  if (checkers(row) == kCheckers) {
    spread(table.first_turns(number), kFirstTurns, distribution.first);
  } else {
    distribution.set_first_off();
  }
  return distribution;
}

void TurnsDistribution::set_first_off() {
  std::fill_n(first, kFirstTurns, 0.0f);
  first[0] = 1.0f;
}

void TurnsDistribution::set_first_turn(double chance) {
  double later = 0;
  for (int i = 1; i < kFirstTurns; ++i) later += first[i];
  if (later == 0) first[1] = 1.0f, later = 1.0;
  first[0] = static_cast<float>(chance);
  for (int i = 1; i < kFirstTurns; ++i) first[i] = static_cast<float>(first[i] * (1.0 - chance) / later);
}

float TurnsDistribution::mean() const { return mean_place(all, kAllTurns); }
float TurnsDistribution::mean_to_first() const { return mean_place(first, kFirstTurns); }

Racer::Racer(const TurnsDistribution& distribution) {
  float sum = 0.0f, sum_of_first = 0.0f;
  for (int i = 0; i < kAllTurns; ++i) finished_[i] = sum += distribution.all[i];
  for (int i = 0; i < kFirstTurns; ++i) waiting_[i] = sum_of_first += distribution.first[i];
  // Certain is what is certain: the last number of either is divided by itself.
  for (float& chance : finished_) chance /= sum;
  for (int i = 0; i < kFirstTurns; ++i) waiting_[i] = 1.0f - waiting_[i] / sum_of_first;
  for (int i = kFirstTurns; i < kAllTurns; ++i) waiting_[i] = 0.0f;
}

Outputs Racer::against(const TurnsDistribution& other) const {
  // I win if they need as many turns as I do or more, and a gammon if they need as many for their first checker; I lose
  // one if they are off before that of mine.
  const auto [win, win_gammon, lose_gammon] = products(other, finished_, waiting_);
  return {win, win_gammon, 0.0f, lose_gammon, 0.0f};
}

}  // namespace kibitz
