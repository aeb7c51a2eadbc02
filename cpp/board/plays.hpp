// Legal plays: every distinct position that a roll can lead to.
#pragma once

#include <vector>

#include "board/dice.hpp"
#include "board/position.hpp"

namespace kibitz {

// Fills `results` with the distinct positions after every legal play, each seen by the opponent, who is then on roll.
// Empty when there is no legal play. The order depends on the position and the roll alone.
void legal_results(const Position& position, Dice dice, std::vector<Position>& results);

// The same behind what `results` already holds.
void append_legal_results(const Position& position, Dice dice, std::vector<Position>& results);

// One checker's step, as slots of its owner's row; kOff as target bears it off.
inline constexpr int kOff = -1;
struct Move {
  std::int8_t source;
  std::int8_t target;
  bool hit;

  bool operator==(const Move&) const = default;
};

// Moves one of my checkers. The step must be legal by the board: a checker at the source, the target not held.
bool make_move(Position& position, int source, int target);

// The single steps that lead from `position` to `result` (seen by the opponent) with these dice, rearmost checker
// first. Where several ways lead there, the one that uses the most dice, and among those the larger die on the rearmost
// checker. Empty if there is no such way.
std::vector<Move> moves_between(const Position& position, Dice dice, const Position& result);

}  // namespace kibitz
