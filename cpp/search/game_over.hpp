// The result of a game that is over.
#pragma once

#include "board/position.hpp"
#include "eval/outputs.hpp"

namespace kibitz {

constexpr bool is_over(const Position& position) {
  return rearmost(position.mine) < 0 || rearmost(position.theirs) < 0;
}

// The outputs of a position in which one side has borne off all of its `total` checkers.
constexpr Outputs final_outputs(const Position& position, int total = kCheckers) {
  const bool lost = rearmost(position.theirs) < 0;
  const Row& loser = lost ? position.mine : position.theirs;
  // None borne off is a gammon; with a checker left in the winner's home board or on the bar, a backgammon.
  const float gammon = checkers(loser) >= total ? 1.0f : 0.0f;
  const float backgammon = gammon != 0.0f && rearmost(loser) >= kPoints - kHome ? 1.0f : 0.0f;
  if (lost) return {0.0f, 0.0f, 0.0f, gammon, backgammon};
  return {1.0f, gammon, backgammon, 0.0f, 0.0f};
}

}  // namespace kibitz
