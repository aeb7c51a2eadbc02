#include "decide/reply_chooser.hpp"

#include "board/game_over.hpp"
#include "board/plays.hpp"
#include "eval/mock_evaluator.hpp"
#include "support/testing.hpp"

using namespace kibitz;

namespace {

LeafModel cubeless() { return LeafModel(CubeModel(MatchState{.jacoby = false}, nullptr), {.cubeful = false}); }

// The least equity of the opponent, one result after the other.
float least_equity(const Position& position, Dice dice) {
  std::vector<Position> results;
  legal_results(position, dice, results);
  if (results.empty()) results.push_back(position.swapped());
  float least = 10;
  for (const Position& result : results) least = std::min(least, MockEvaluator::outputs_of(result).equity());
  return least;
}

}  // namespace

TEST_CASE("without limits every roll is answered by the result that leaves the opponent least") {
  const MockEvaluator evaluator;
  ReplyChooser chooser;
  chooser.look(evaluator, starting_position(), all_rolls({}), true);
  for (int roll = 0; roll < kRolls; ++roll) {
    const Reply reply = chooser.best(roll, cubeless(), 0);
    CHECK(reply.evaluated && !reply.over);
    CHECK(reply.outputs == MockEvaluator::outputs_of(reply.position));
    CHECK(reply.outputs.equity() == least_equity(starting_position(), kAllRolls[roll]));
  }
}

TEST_CASE("limits say how many results are evaluated") {
  const MockEvaluator evaluator;
  ReplyChooser chooser;
  const RollRequest most{Dice(4, 2), {.evaluated = 3}};
  chooser.look(evaluator, starting_position(), {&most, 1}, true);
  CHECK(chooser.count(0) == 3);
  CHECK(chooser.considered() > 3);
  const RollRequest near{Dice(4, 2), {.evaluated = 3, .gap = 0.0f, .at_least = 2}};
  chooser.look(evaluator, starting_position(), {&near, 1}, true);
  CHECK(chooser.count(0) == 2);
  const RollRequest one{Dice(4, 2), {.evaluated = 1}};
  chooser.look(evaluator, starting_position(), {&one, 1}, false);
  CHECK(!chooser.best(0, cubeless(), 0).evaluated);  // nobody wants its outputs
}

TEST_CASE("who can end the game does, and who cannot move stays") {
  const MockEvaluator evaluator;
  ReplyChooser chooser;
  Position last;
  last.mine[0] = 2;
  last.theirs[5] = 15;
  chooser.look(evaluator, last, all_rolls({}), true);
  for (int roll = 0; roll < kRolls; ++roll) {
    const Reply reply = chooser.best(roll, cubeless(), 0);
    CHECK(reply.over && is_over(reply.position));
    CHECK(reply.outputs == final_outputs(reply.position));
  }
  Position closed_out;
  closed_out.mine[kBar] = 1;
  for (int point = 0; point < kHome; ++point) closed_out.theirs[point] = 2;
  chooser.look(evaluator, closed_out, all_rolls({}), true);
  CHECK(chooser.best(0, cubeless(), 0).position == closed_out.swapped());
  CHECK(chooser.best(0, cubeless(), 0).outputs == MockEvaluator::outputs_of(closed_out.swapped()));
}

TEST_CASE("of equal results the one that is further on is played") {
  class Indifferent : public MockEvaluator {
   public:
    void evaluate(std::span<const Position>, std::span<Outputs> outputs) const override {
      for (Outputs& one : outputs) one = {0.5f, 0, 0, 0, 0};
    }
  };
  Position race;
  race.mine[5] = race.mine[0] = 2;
  race.theirs[5] = 15;
  const RollRequest request{Dice(6, 1), {}};
  ReplyChooser chooser;
  chooser.look(Indifferent{}, race, {&request, 1}, true);
  CHECK(checkers(chooser.best(0, cubeless(), 0).position.theirs) == 2);
}

TEST_CASE("each root state of the cube chooses for itself") {
  const MatchEquity table(3, {0.5, 0.6, 0.75, 0.4, 0.5, 0.6, 0.25, 0.4, 0.5}, {0.5, 0.48, 0.3});
  MatchState match;
  match.my_away = 2;
  match.their_away = 3;
  const CubeModel model(match, &table);
  const int present = model.present();
  const int doubled = model.doubled(present, 0);
  const StateMask both = only(present) | only(doubled);
  const MockEvaluator evaluator;
  ReplyChooser chooser;
  chooser.look(evaluator, starting_position(), all_rolls({}), true);
  std::array<int, kMaxStates> places;
  for (int roll = 0; roll < kRolls; ++roll) {
    chooser.best(roll, LeafModel(model, {}, both, model.closure(both)), 0, places);
    for (const int root : {present, doubled}) {
      const LeafModel alone(model, {}, only(root), model.closure(only(root)));
      CHECK(chooser.best(roll, alone, 0).position == chooser.reply(roll, places[root]).position);
    }
  }
}
