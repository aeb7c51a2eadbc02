// One turn of a rollout: the cube decision, the play of a roll, and how lucky the roll was.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "board/dice.hpp"
#include "board/position.hpp"
#include "decide/reply_chooser.hpp"
#include "eval/evaluator.hpp"
#include "rollout/cube_states.hpp"
#include "rollout/settings.hpp"
#include "search/analyst.hpp"

namespace kibitz {

// A position's value to the side on roll, per unit of the stake. The utility of a cubeless rollout is told by the
// outputs, so it stays 0 until the end.
struct Value {
  MeanOutputs outputs;
  double utility = 0;

  Value swapped() const { return {outputs.swapped(), -utility}; }
};

// What became of a roll.
struct Turn {
  Position result;        // seen by the opponent
  Outputs outputs;        // of the opponent, who is on roll in the result
  bool evaluated = true;  // false: there was no choice, so nobody has asked for the outputs yet
  Value luck;  // to the side that rolled: how much better than the mean roll, by one and the same look at all
};

class Player {
 public:
  Player(std::shared_ptr<const Evaluator> evaluator, std::shared_ptr<const Evaluator> luck,
         const RolloutSettings& settings);

  // Plays a roll for a side. False if interrupted.
  bool play(const Position& position, Dice dice, Side side, const CubeState& cube, int plies, Interrupt& interrupt,
            Turn& turn) const;

  // Utilities of the doubler, per unit of the stake.
  struct CubeView {
    double no_double = 0;
    double taken = 0;  // after the better of take and beaver for the opponent
    double passed = 0;
    bool beaver = false;

    bool doubles() const { return std::min(taken, passed) > no_double; }
    bool takes() const { return taken <= passed; }
  };
  // The cube decision of a side that may double, in the eyes of one side. `outputs` are those of the position at 0 plies.
  bool cube(const Position& position, const Outputs& outputs, const LeafModel& leaf, Side eyes, int plies,
            Interrupt& interrupt, CubeView& view) const;

  // The value of a position before the side on roll thinks of doubling, looking so deep.
  bool value(const Position& position, const Outputs& outputs, const LeafModel& leaf, int plies, Interrupt& interrupt,
             Value& found) const;

  // The value by the tables, where it is exact, given the cube.
  bool exact(const Position& position, Side side, const CubeState& cube, Value& found) const;

  // The value of a finished game.
  Value finished(const Position& position, const LeafModel& leaf) const;

  Outputs outputs_of(const Position& position) const { return evaluator_->evaluate(position); }

 private:
  AllRollRequests requests(int played, Side side) const;
  bool play_deep(const Position& position, Dice dice, Side side, const LeafModel& leaf, int plies, Interrupt& interrupt,
                 Turn& turn) const;
  bool measure_luck(const ReplyChooser& chooser, int roll, Side side, const CubeState& cube, Interrupt& interrupt,
                    Turn& turn) const;
  TreeSettings tree(const LeafModel& leaf, Side side) const {
    return {settings_.sides[side].replies, settings_.sides[side].last_replies, leaf.settings()};
  }

  const RolloutSettings settings_;
  const std::array<ReplyLimits, 2> play_limits_;  // of each side
  std::shared_ptr<const Evaluator> evaluator_;
  std::shared_ptr<const Evaluator> luck_;
  Analyst analyst_;
};

}  // namespace kibitz
