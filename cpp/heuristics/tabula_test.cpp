#include "heuristics/tabula.hpp"

#include "support/testing.hpp"

using namespace kibitz;

TEST_CASE("the number of threads does not change a digit") {
  const auto one = tabula_analyze(starting_position(), Dice(4, 4), {}, 1);
  const auto three = tabula_analyze(starting_position(), Dice(4, 4), {}, 3);
  CHECK(one.size() == three.size());
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i].score == three[i].score);
}

TEST_CASE("a race is scored by the player's pips alone") {
  Position race;
  race.mine[5] = 2;
  race.theirs[0] = 2;
  for (const TabulaPlay& play : tabula_analyze(race, Dice(2, 1), {}, 1)) {
    CHECK(play.past);
    CHECK(play.replies == 0);
    CHECK(play.score == play.player.pips);
  }
}

TEST_CASE("many positions at once have the analyses that they have alone") {
  const std::vector<Position> positions(3, starting_position());
  const std::vector<Dice> dice = {{3, 1}, {6, 6}, {5, 2}};
  const auto analyses = tabula_analyze_many(positions, dice, {}, 2);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto alone = tabula_analyze(positions[i], dice[i], {}, 1);
    CHECK(alone.size() == analyses[i].size());
    for (std::size_t j = 0; j < alone.size(); ++j) CHECK(alone[j].score == analyses[i][j].score);
  }
}
