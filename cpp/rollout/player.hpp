// One turn of a rollout: the cube decision, the play of a roll, and how lucky the roll was.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "board/dice.hpp"
#include "board/position.hpp"
#include "eval/evaluator.hpp"
#include "rollout/settings.hpp"
#include "rollout/spots.hpp"
#include "search/analyst.hpp"

namespace kibitz {

// A position's value to the side on roll, per unit of the stake: five outputs and the utility.
struct Worth {
  std::array<double, 5> outputs{};
  double utility = 0;

  Worth swapped() const { return {{1.0 - outputs[0], outputs[3], outputs[4], outputs[1], outputs[2]}, -utility}; }
};

// What became of a roll.
struct Turn {
  Position result;     // seen by the opponent
  Outputs outputs;     // of the opponent, who is on roll in the result
  bool judged = true;  // false: there was no choice, so nobody has asked for the outputs yet
  bool over = false;
  Worth luck;  // to the side that rolled: how much better than the mean roll, by one and the same judgement of all
};

class Player {
 public:
  Player(std::shared_ptr<const Evaluator> evaluator, std::shared_ptr<const Evaluator> luck,
         const RolloutSettings& settings);

  // Plays a roll for a side. False if interrupted.
  bool play(const Position& position, Dice dice, Side side, const Spot& spot, int plies, Interrupt& interrupt,
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
  // The cube decision of a side that may double. `outputs` are those of the position at 0 plies.
  bool cube(const Position& position, const Outputs& outputs, Side side, const Spot& spot, int plies,
            Interrupt& interrupt, CubeView& view) const;

  // The worth of a position before the side on roll thinks of doubling, looking so deep.
  bool worth(const Position& position, const Outputs& outputs, Side side, const Spot& spot, int plies,
             Interrupt& interrupt, Worth& found) const;

  // The worth by the tables, where it is exact, given the cube.
  bool exact(const Position& position, Side side, const Spot& spot, Worth& found) const;

  // A finished game.
  Worth result(const Position& position, Side side, const Spot& spot) const;

  Outputs outputs_of(const Position& position) const { return evaluator_->evaluate(position); }

  // The utility of outputs with a dead cube; they need not be probabilities.
  static double dead(const std::array<double, 5>& outputs, const CubeModel& model);

 private:
  // Which rolls a look is for.
  struct Wanted {
    int played = -1;     // the roll that is to be played, -1 for none
    bool lucky = false;  // all rolls, for the luck of the played one ...
    int judged = -1;     // ... or, if none is played, of this one
  };
  struct Buffers;
  // Chooses a play for each roll that is wanted and, if luck counts, tells it.
  bool look(const Evaluator& evaluator, const Position& position, Wanted wanted, Side side, const Spot& spot,
            Interrupt& interrupt, Turn& turn) const;
  double appeal(const Position& result, const Outputs& outputs, Side mover, const Spot& spot) const;
  bool in_exact_cube(const Position& position, const Spot& spot) const;
  Worth leaf(const Position& position, const Outputs& outputs, Side side, const Spot& spot) const;
  TreeSettings tree() const;

  const RolloutSettings settings_;
  std::shared_ptr<const Evaluator> evaluator_;
  std::shared_ptr<const Evaluator> luck_;
  Analyst analyst_;
  CubeLife life_;
};

}  // namespace kibitz
