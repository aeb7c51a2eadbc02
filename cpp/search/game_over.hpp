// Whether a game is over, and its result as outputs.
#pragma once

#include "board/position.hpp"
#include "eval/outputs.hpp"
#include "tables/exact.hpp"

namespace kibitz {

constexpr bool is_over(const Position& position) {
  return rearmost(position.mine) < 0 || rearmost(position.theirs) < 0;
}

// The outputs of a position in which one side has borne off all of its `total` checkers.
inline Outputs final_outputs(const Position& position, int total = kCheckers) {
  const int points = outcome(position, total);
  const auto yes = [](bool holds) { return holds ? 1.0f : 0.0f; };
  return {yes(points > 0), yes(points >= 2), yes(points >= 3), yes(points <= -2), yes(points <= -3)};
}

}  // namespace kibitz
