// How many turns a side of a race needs, and what two such sides make of a race.
#pragma once

#include <cstdint>

#include "board/outputs.hpp"
#include "board/position.hpp"
#include "tables/one_sided.hpp"

namespace kibitz {

// Turns that are told apart; the last one stands for all that are more. No two rows that have passed each other need so
// many turns both, unless somebody has put them there.
inline constexpr int kAllTurns = 32;    // until all checkers are off
inline constexpr int kFirstTurns = 16;  // until the first one is

// A first guess at a side's distribution, by what can be counted quickly: a normal distribution around some mean. The
// logarithm of its chances in turn k is -steepness * (k - mean)^2, to base 2. The race net says how far the truth is
// from it.
struct TurnsGuess {
  float mean, steepness;              // for all checkers
  float first_mean, first_steepness;  // for the first one

  static TurnsGuess of(const Row& row);
};
inline constexpr int kGuessedBits = 120;  // no turn is guessed to be less likely than 2 to the power of minus this

// all[i]: how likely the last checker is borne off in turn i + 1, and first[i] the first checker; each up to a factor.
// What cannot happen is zero. A side that has borne off its first checker needs no turn for it, which counts as one
// here.
struct TurnsDistribution {
  alignas(64) float all[kAllTurns];
  alignas(64) float first[kFirstTurns];

  // From logarithms to base 2 that are added to the guess, in units of 1 / (kActivationOne * kWeightOne).
  static TurnsDistribution of_logits(const Row& row, const std::int32_t* logits);
  // Of a row that is all home: exact.
  static TurnsDistribution of_home_row(const Row& row);

  // For a side that has borne off a checker.
  void set_first_off();
  // Sets the chance that the first checker is borne off in the first turn, where that is known better.
  void set_first_turn(double chance);

  float mean() const;
  float mean_to_first() const;
};

// The side on roll of a race: what it needs to be told of the other one.
class Racer {
 public:
  explicit Racer(const TurnsDistribution& distribution);

  // Wins and gammons against a side that needs so many turns. The caller knows whether gammons can still happen.
  Outputs against(const TurnsDistribution& other) const;

 private:
  alignas(64) float finished_[kAllTurns];  // chance that all checkers are off after i + 1 turns ...
  alignas(64) float waiting_[kAllTurns];   // ... and that none is
};

}  // namespace kibitz
