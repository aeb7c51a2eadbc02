// Whether a game is over, and how it has ended.
#pragma once

#include "board/outputs.hpp"
#include "board/position.hpp"

namespace kibitz {

constexpr bool is_over(const Position& position) {
  return rearmost(position.mine) < 0 || rearmost(position.theirs) < 0;
}

// How a finished game has ended, for the player on roll: 1, 2, 3 for a single game, gammon or backgammon won, negative
// if it was lost. 0 if it goes on. A side loses a gammon if it has all its `total` checkers still in play.
constexpr int outcome(const Position& position, int total = kCheckers) {
  if (!is_over(position)) return 0;
  const bool won = rearmost(position.mine) < 0;
  const Row& loser = won ? position.theirs : position.mine;
  int points = 1;
  if (checkers(loser) >= total) points = rearmost(loser) >= kPoints - kHome ? 3 : 2;
  return won ? points : -points;
}

// The same as outputs.
constexpr Outputs final_outputs(const Position& position, int total = kCheckers) {
  const int points = outcome(position, total);
  const auto yes = [](bool holds) { return holds ? 1.0f : 0.0f; };
  return {yes(points > 0), yes(points >= 2), yes(points >= 3), yes(points <= -2), yes(points <= -3)};
}

}  // namespace kibitz
