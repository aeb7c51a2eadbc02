// Choosing the best result of a roll without look-ahead: a glance at all of them, a judgement of the best few.
#pragma once

#include <cstdint>
#include <vector>

#include "board/dice.hpp"
#include "board/position.hpp"
#include "eval/evaluator.hpp"

namespace kibitz {

// Reuses its memory from call to call: keep one for each thread.
class Chooser {
 public:
  // `shortlist` results are judged after a glance at all; 0 judges all.
  Chooser(const Evaluator& evaluator, int shortlist) : evaluator_(&evaluator), shortlist_(shortlist) {}

  struct Choice {
    Position result;  // seen by the opponent; the position itself, swapped, when no checker can move
    Outputs outputs;  // of the opponent, who is on roll in the result
  };
  Choice best(const Position& position, Dice dice);

  // Results of the last call.
  int considered() const { return considered_; }

 private:
  const Evaluator* evaluator_;
  int shortlist_;
  int considered_ = 0;
  std::vector<Position> results_, kept_;
  std::vector<float> glances_;
  std::vector<std::uint32_t> order_;
  std::vector<Outputs> outputs_;
};

}  // namespace kibitz
