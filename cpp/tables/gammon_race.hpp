// Races for a gammon that are nearly over: which rolls bear off a first checker at once.
#pragma once

#include "board/dice.hpp"
#include "board/position.hpp"

namespace kibitz {

inline constexpr int kMovesOfTurn = 4;  // at most, by doubles

// Moves that bring all checkers home if each is by six points.
constexpr int moves_home(const Row& row) {
  int moves = 0;
  for (int slot = kHome; slot < kPoints; ++slot) moves += row[slot] * (slot / kHome);
  return moves;
}

// Whether a side that is not all home can bring the rest home and bear off a checker with one roll.
bool bears_off(Row row, Dice dice);

// How likely the next roll does so.
double chance_to_bear_off(const Row& row);

}  // namespace kibitz
