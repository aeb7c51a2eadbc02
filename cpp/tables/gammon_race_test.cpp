#include "tables/gammon_race.hpp"

#include <algorithm>
#include <random>

#include "board/dice.hpp"
#include "board/plays.hpp"
#include "support/testing.hpp"

using namespace kibitz;

namespace {

// Fifteen checkers, most of them home, up to three outside.
Row nearly_home(std::mt19937& random) {
  Row row{};
  const int outside = 1 + static_cast<int>(random() % 3);
  for (int i = 0; i < kCheckers; ++i) ++row[i < outside ? kHome + random() % 10 : random() % kHome];
  return row;
}

bool some_play_bears_off(const Row& row, Dice dice) {
  Position position{};
  position.mine = row;
  position.theirs[0] = 2;
  std::vector<Position> results;
  legal_results(position, dice, results);
  return std::any_of(results.begin(), results.end(),
                     [](const Position& result) { return checkers(result.theirs) < kCheckers; });
}

}  // namespace

TEST_CASE("a roll bears off a checker if some play does") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 3000; ++trial) {
    const Row row = nearly_home(random);
    for (const Dice dice : kAllRolls) CHECK(bears_off(row, dice) == some_play_bears_off(row, dice));
  }
}

TEST_CASE("the chance to bear off counts the rolls") {
  // A checker on the 7 point: every roll but 33 bears off another.
  const Row row = {6, 4, 0, 3, 1, 0, 1};
  for (const Dice dice : kAllRolls) CHECK(bears_off(row, dice) == (dice != Dice(3, 3)));
  CHECK(chance_to_bear_off(row) == 35 / 36.0);
  const Row far = {11, 0, 0, 0, 0, 0, 4};
  CHECK(chance_to_bear_off(far) == 0.0);
}
