#include "heuristics/ten_factor.hpp"

#include <algorithm>

#include "heuristics/shots.hpp"

namespace kibitz {
namespace {

constexpr int kBackPoint = 23;   // the 24 point
constexpr int kDeepPoint = 17;   // the 18 point: here or nearer home, a checker from the 24 point has run deep
constexpr int kDeepRunPips = 8;  // pips that a play with a deep run gains at least

double blot_risk(const Position& after) {
  bool any = false;
  for (int point = 0; point < kPoints; ++point) any |= after.theirs[point] == 1;
  if (!any) return 0.0;
  const Shots shots = count_shots(after);
  double safe = 1.0;
  for (int point = 0; point < kPoints; ++point) {
    if (after.theirs[point] != 1) continue;
    // A checker that is hit starts again from the bar, 25 pips from home.
    const double cost = (kBar - point) / 24.0;
    safe *= 1.0 - shots.rolls[mirrored(point)] / 36.0 * cost;
  }
  return 1.0 - safe;
}

double point_value(int point) {
  switch (point + 1) {
    case 4:
    case 5: return 2.0;
    case 3:
    case 7: return 1.25;
    default: return 1.1;
  }
}

double builder_value(int point, int count) {
  if (count == 0) return 0.0;
  if (point + 1 == 8) return count == 1 ? 0.5 : 0.0;
  return count == 1 ? 1.0 : 0.5;
}

// Whether the play, written with each checker's steps joined, takes a checker from the 24 point to the 18 point or
// nearer home. For plays that gain at least 8 pips: so no die is a 1, and nobody enters on the 24 point.
bool runs_deep(const Row& before, Dice dice, const Row& after) {
  if (after[kBackPoint] >= before[kBackPoint]) return false;
  if (dice.is_double()) {
    // With equal steps, as many left a point as came to it and were there, less those that are there now. Checkers from
    // the bar go by other points, because the die is not 1.
    int point = kBackPoint;
    int left = before[point] - after[point];
    while (left > 0) {
      point -= dice.high;
      if (point <= kDeepPoint) return true;
      left += before[point] - after[point];
    }
    return false;
  }
  const int run_end = kBackPoint - dice.high - dice.low;
  Row ran = before;
  --ran[kBackPoint];
  ++ran[run_end];
  if (ran == after) return true;
  return kBackPoint - dice.high <= kDeepPoint && after[kDeepPoint] > before[kDeepPoint];
}

}  // namespace

Factors ten_factors(const Position& before, Dice dice, const Position& after) {
  const Row& mine = after.theirs;
  const Row& theirs = after.mine;
  Factors raw{};
  raw[kBlotRisk] = blot_risk(after);
  raw[kHitsMade] = theirs[kBar] - before.theirs[kBar];
  int prime = 0;
  int longest = 0;
  int stack = 0;
  for (int point = 0; point < kPoints; ++point) {
    const int count = mine[point];
    if (count >= 2 && before.mine[point] < 2) raw[kPointsMade] += point_value(point);
    if (point < kHome) raw[kHomeCheckers] += count;
    if (point >= 7 && point <= 10) raw[kBuilders] += builder_value(point, count);
    if (theirs[point] == 1) raw[kOpponentBlots] += 1.0;
    prime = count >= 2 ? prime + 1 : 0;
    longest = std::max(longest, prime);
    stack = std::max(stack, count);
  }
  const int gain = pips(before.mine) - pips(mine);
  raw[kPipGain] = gain;
  raw[kPrimeLength] = longest;
  if (stack > 3) raw[kStack] = (stack - 3) * 0.04;
  if (gain >= 6) raw[kHighRoll] = (gain - 5) * 0.02;
  if (gain >= kDeepRunPips && runs_deep(before.mine, dice, mine)) raw[kHighRoll] += 0.03;
  return raw;
}

double ten_factor_score(const Factors& raw, const Factors& weights) {
  double score = 0.0;
  for (int factor = 0; factor < kFactors; ++factor) score += raw[factor] * weights[factor];
  return score;
}

}  // namespace kibitz
