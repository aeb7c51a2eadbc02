// Luck: how much better a roll is than the average roll, by a quick look at all of them.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "board/dice.hpp"
#include "board/position.hpp"
#include "cube/cube_model.hpp"
#include "decide/reply_chooser.hpp"
#include "eval/evaluator.hpp"

namespace kibitz {

// What is taken away from a result has the mean 0 whatever the evaluator thinks, because the same function of the roll
// is averaged over all rolls. A good evaluator only makes what is left less noisy. Keep one meter for each thread and
// each match equity table.
class LuckMeter {
 public:
  // Of each roll, the pruning net leaves `shortlist` plays for the evaluator; 0 means all.
  LuckMeter(const Evaluator& evaluator, int shortlist)
      : evaluator_(&evaluator), rolls_(all_rolls(ReplyLimits::quick(shortlist))) {}

  using RollValues = std::array<double, kRolls>;

  // The utility that each roll brings the player on roll, in the units of the present cube. `cubeful` or as if the cube
  // were dead. Remembered for a while: the two seatings of a pair share their first positions, and often most of them.
  const RollValues& values(const Position& position, const CubeModel& model, Side on_roll, bool cubeful);

  // The same for one roll minus the average of all.
  double luck(const Position& position, Dice dice, const CubeModel& model, Side on_roll, bool cubeful);

  // The luck of side 0 in being the one to start (side `starter`), and with this roll. No doubles at the start.
  double opening_luck(const Position& start, Side starter, Dice dice, const CubeModel& model, bool cubeful);

 private:
  // All that a value depends on besides the evaluator.
  struct Question {
    Position position;
    std::array<std::int16_t, 7> rest;

    bool operator==(const Question&) const = default;
  };
  struct QuestionHash {
    std::size_t operator()(const Question& question) const;
  };

  void compute(const Position& position, const CubeModel& model, Side on_roll, bool cubeful, RollValues& values);

  const Evaluator* evaluator_;
  AllRollRequests rolls_;
  ReplyChooser chooser_;
  std::unordered_map<Question, RollValues, QuestionHash> known_;
};

}  // namespace kibitz
