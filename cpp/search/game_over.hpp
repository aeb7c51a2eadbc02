// Whether a game is over; final_outputs() says how it ended.
#pragma once

#include "board/position.hpp"
#include "eval/neural_evaluator.hpp"

namespace kibitz {

constexpr bool is_over(const Position& position) {
  return rearmost(position.mine) < 0 || rearmost(position.theirs) < 0;
}

}  // namespace kibitz
