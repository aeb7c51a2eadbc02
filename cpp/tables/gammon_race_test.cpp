#include "tables/gammon_race.hpp"

#include <algorithm>
#include <random>

#include "board/dice.hpp"
#include "board/plays.hpp"
#include "support/testing.hpp"
#include "tables/exact.hpp"

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

TEST_CASE("a gammon is no rarer than the winner is quick") {
  // 1, 2, 2 and 3 to bear off; the loser has a checker on his 7 point and saves the gammon by every roll but 33.
  Position position{};
  position.mine = {1, 2, 1};
  position.theirs = {6, 4, 0, 3, 1, 0, 1};
  for (const Dice dice : kAllRolls) CHECK(bears_off(position.theirs, dice) == (dice != Dice(3, 3)));
  const Outputs low = within_gammon_limits(position, {0.99f, 0.05f, 0.0f, 0.0f, 0.0f});
  const Turns turns = ExactTables::shared().one_sided().turns(kHomeRows.number(position.mine.data()));
  CHECK(low.win == 1.0f);
  CHECK(low.win_gammon == static_cast<float>(turns.probability(1) + turns.probability(2) / 36.0));
  const Outputs high = within_gammon_limits(position, {1.0f, 0.5f, 0.0f, 0.0f, 0.0f});
  CHECK(high.win_gammon == 0.5f);

  // The same seen by the loser, who is on roll and mostly saves the gammon at once.
  const Outputs mine = within_gammon_limits(position.swapped(), {0.01f, 0.0f, 0.0f, 0.2f, 0.0f});
  CHECK(mine.win == 0.0f);
  CHECK(mine.lose_gammon == 0.2f);
}
