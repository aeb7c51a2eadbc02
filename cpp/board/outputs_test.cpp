#include "board/outputs.hpp"

#include "board/dice.hpp"
#include "board/game_over.hpp"
#include "support/testing.hpp"

using namespace kibitz;

TEST_CASE("the other player wins what I lose, and has the opposite equity") {
  const MeanOutputs mine{0.625, 0.25, 0.0625, 0.125, 0.03125};
  const MeanOutputs theirs = mine.swapped();
  CHECK((theirs == MeanOutputs{0.375, 0.125, 0.03125, 0.25, 0.0625}));
  CHECK(theirs.swapped() == mine);
  CHECK(theirs.equity() == -mine.equity());
}

TEST_CASE("a difference seen by the other player is the difference of what they see") {
  const MeanOutputs a{0.625, 0.25, 0.0625, 0.125, 0.03125}, b{0.5, 0.125, 0.0, 0.25, 0.0};
  CHECK((a - b).swapped_difference() == a.swapped() - b.swapped());
  CHECK((a + b) / 2.0 == a * 0.5 + b * 0.5);
  CHECK(MeanOutputs(a.rounded()) == a);  // these numbers are floats too
}

TEST_CASE("a finished game is told as certain outputs") {
  Position lost;
  lost.mine[20] = 15;
  CHECK((final_outputs(lost) == Outputs{0, 0, 0, 1, 1}));
  CHECK((final_outputs(lost.swapped()) == Outputs{1, 1, 1, 0, 0}));
  lost.mine[20] = 14;
  CHECK((final_outputs(lost) == Outputs{0, 0, 0, 0, 0}));
  CHECK(!is_over(starting_position()) && outcome(starting_position()) == 0);
}

TEST_CASE("the rolls have the places that the list of all rolls gives them") {
  for (int i = 0; i < kRolls; ++i) CHECK(roll_index(kAllRolls[i]) == i);
}
