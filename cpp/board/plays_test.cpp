#include "board/plays.hpp"

#include <algorithm>
#include <random>

#include "board/key.hpp"
#include "support/testing.hpp"

using namespace kibitz;

namespace {

Position position_of(std::initializer_list<std::pair<int, int>> mine,
                     std::initializer_list<std::pair<int, int>> theirs) {
  Position position;
  for (auto [point, count] : mine) position.mine[point - 1] = static_cast<std::uint8_t>(count);
  for (auto [point, count] : theirs) position.theirs[point - 1] = static_cast<std::uint8_t>(count);
  return position;
}

std::vector<Position> results_of(const Position& position, int first, int second) {
  std::vector<Position> results;
  legal_results(position, Dice(first, second), results);
  return results;
}

}  // namespace

TEST_CASE("the opening 3-1 has 16 plays") { CHECK(results_of(starting_position(), 3, 1).size() == 16); }

TEST_CASE("a checker on the bar against a closed board cannot move") {
  const Position closed = position_of({{25, 1}, {6, 14}}, {{1, 2}, {2, 2}, {3, 2}, {4, 2}, {5, 2}, {6, 5}});
  for (const Dice dice : kAllRolls) CHECK(results_of(closed, dice.high, dice.low).empty());
}

TEST_CASE("the higher die must be played if only one can be") {
  // Given a lone checker that can play 6 or 5, and then nothing more
  const Position position = position_of({{24, 1}}, {{12, 2}});
  // When 6-5 is rolled; 24/13 is blocked
  const auto results = results_of(position, 6, 5);
  // Then only 24/18 is legal
  CHECK(results.size() == 1);
  CHECK(results[0].theirs[17] == 1);
}

TEST_CASE("results are distinct and reached by the moves that explain them") {
  std::mt19937 random(1);
  std::vector<Position> results;
  Position position = starting_position();
  for (int turn = 0; turn < 3000; ++turn) {
    const Dice dice(1 + static_cast<int>(random() % 6), 1 + static_cast<int>(random() % 6));
    legal_results(position, dice, results);
    for (std::size_t i = 0; i < results.size(); ++i) {
      CHECK(std::find(results.begin() + i + 1, results.end(), results[i]) == results.end());
      Position replayed = position;
      for (const Move& move : moves_between(position, dice, results[i])) {
        CHECK(make_move(replayed, move.source, move.target) == move.hit);
      }
      CHECK(replayed.swapped() == results[i]);
    }
    position = results.empty() ? position.swapped() : results[random() % results.size()];
    if (checkers(position.mine) == 0 || checkers(position.theirs) == 0) position = starting_position();
  }
}
