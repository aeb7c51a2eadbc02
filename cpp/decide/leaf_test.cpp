#include "decide/leaf.hpp"

#include "eval/mock_evaluator.hpp"
#include "support/testing.hpp"
#include "tables/exact.hpp"

using namespace kibitz;
using kibitz::testing::near;

TEST_CASE("a finished game is worth its points, without Jacoby's rule and with it") {
  Position won_gammon;
  won_gammon.theirs[10] = 15;
  for (const bool jacoby : {false, true}) {
    const LeafModel leaf(CubeModel(MatchState{.jacoby = jacoby}, nullptr), {});
    PositionValue value;
    CHECK(leaf.settled(won_gammon, 0, value));
    CHECK(near(value.values[leaf.model().present()], jacoby ? 1.0 : 2.0));
    CHECK(leaf.settled(won_gammon.swapped(), 1, value));
    CHECK(near(value.values[leaf.model().present()], jacoby ? -1.0 : -2.0));
  }
}

TEST_CASE("the tables' equities are told by the owner of the cube") {
  Position last;
  last.mine[4] = last.mine[1] = 1;
  last.theirs[0] = 1;
  const TwoSidedEquities known = ExactTables::shared().two_sided().equities(last);
  const CubeModel model(MatchState{}, nullptr);
  const StateMask all = model.closure(only(model.present()));
  const LeafModel leaf(model, {}, only(model.present()), all);
  PositionValue value;
  CHECK(leaf.knows(last) && leaf.exact(last, 0, value));
  CHECK(near(value.values[model.with_owner(CubeOwner::kCentred)], known.centred));
  CHECK(near(value.values[model.with_owner(CubeOwner::kMine)], known.owned));
  CHECK(near(value.values[model.with_owner(CubeOwner::kTheirs)], known.unavailable));
  // With the decision back in, the values of one step back are those of the table.
  leaf.exact_undecided(last, 0, value);
  leaf.decide(0, value);
  CHECK(near(value.values[model.present()], known.centred));
  CHECK(!LeafModel(model, {.exact = false}).knows(last));
  CHECK(!leaf.knows(starting_position()));
}

TEST_CASE("the present state alone has the value that it has among all") {
  const CubeModel model(MatchState{.jacoby = false}, nullptr);
  const LeafModel alone(model, {});
  const LeafModel among(model, {}, only(model.present()), model.closure(only(model.present())));
  const Position position = starting_position();
  for (const Side side : {0, 1}) {
    PositionValue one, other;
    alone.value(position, MockEvaluator::outputs_of(position), side, one);
    among.value(position, MockEvaluator::outputs_of(position), side, other);
    CHECK(one.values[model.present()] == other.values[model.present()]);
  }
}
