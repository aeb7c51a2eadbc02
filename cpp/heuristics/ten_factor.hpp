// The ten factors: a hand-made score of plays. Each factor has a raw value and a weight; the sum is the score, and the
// highest is best.
#pragma once

#include <array>

#include "board/dice.hpp"
#include "board/position.hpp"

namespace kibitz {

enum Factor {
  kBlotRisk,       // 0 to 1: the chance of being hit, weighted with what the hit costs
  kHitsMade,       // opposing checkers hit by the play
  kPointsMade,     // new points, with a bonus for their quality
  kPipGain,        // pips moved
  kHomeCheckers,   // checkers in the home board after the play
  kPrimeLength,    // longest run of made points after the play
  kBuilders,       // checkers on the 8 to 11 points after the play
  kStack,          // 0.04 for each checker beyond three on the highest stack
  kOpponentBlots,  // opposing blots after the play
  kHighRoll,       // bonus for long plays and for leaving the 24 point
};
inline constexpr int kFactors = 10;
using Factors = std::array<double, kFactors>;

// The raw values of the play of `dice` that leads from `before` (seen by the mover) to `after` (seen by the opponent).
Factors ten_factors(const Position& before, Dice dice, const Position& after);

// The weighted sum.
double ten_factor_score(const Factors& raw, const Factors& weights);

}  // namespace kibitz
