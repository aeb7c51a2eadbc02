#include "heuristics/ten_factor.hpp"

#include <cmath>

#include "board/plays.hpp"
#include "support/testing.hpp"

using namespace kibitz;

namespace {

Factors factors_of(std::initializer_list<std::pair<int, int>> moves, Dice dice) {
  Position after = starting_position();
  for (const auto& [source, target] : moves) make_move(after, source - 1, target - 1);
  return ten_factors(starting_position(), dice, after.swapped());
}

bool near(double one, double other) { return std::abs(one - other) < 1e-12; }

}  // namespace

TEST_CASE("making the five point with the opening 3-1") {
  const Factors raw = factors_of({{8, 5}, {6, 5}}, Dice(3, 1));
  CHECK(raw[kBlotRisk] == 0.0);
  CHECK(raw[kHitsMade] == 0.0);
  CHECK(near(raw[kPointsMade], 2.0));
  CHECK(near(raw[kPipGain], 4.0));
  CHECK(near(raw[kHomeCheckers], 6.0));
  CHECK(near(raw[kPrimeLength], 2.0));
  CHECK(raw[kBuilders] == 0.0);
  CHECK(near(raw[kStack], 0.08));
  CHECK(raw[kHighRoll] == 0.0);
}

TEST_CASE("a deep run leaves the 24 point and ends on the 18 or nearer home") {
  CHECK(near(factors_of({{24, 18}, {18, 16}}, Dice(6, 2))[kHighRoll], 0.09));
  CHECK(near(factors_of({{24, 18}, {13, 11}}, Dice(6, 2))[kHighRoll], 0.09));
  CHECK(near(factors_of({{24, 22}, {13, 7}}, Dice(6, 2))[kHighRoll], 0.06));
  CHECK(near(factors_of({{24, 20}, {24, 20}, {13, 9}, {13, 9}}, Dice(4, 4))[kHighRoll], 0.22));
  CHECK(near(factors_of({{24, 20}, {20, 16}, {13, 9}, {13, 9}}, Dice(4, 4))[kHighRoll], 0.25));
}
