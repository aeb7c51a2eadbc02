#include "tables/gammon_race.hpp"

#include <algorithm>

#include "board/masks.hpp"
#include "tables/exact.hpp"

namespace kibitz {
namespace {

constexpr int kMovesOfTurn = 4;  // at most, by doubles
constexpr int kNearTheEnd = 4;   // checkers that may be gone in a turn

// Moves that bring all checkers home if each is by six points.
int moves_home(const Row& row) {
  int moves = 0;
  for (int slot = kHome; slot < kPoints; ++slot) moves += row[slot] * (slot / kHome);
  return moves;
}

int turns_for(int moves) { return (moves + kMovesOfTurn - 1) / kMovesOfTurn; }

Turns exactly(int turns) { return {turns, turns, 0, nullptr}; }

// Whether a side that is all home bears off a checker with some moves by the same number: from a point that they lead off
// exactly, or from any once no checker is too far back for the number.
bool bears_off(const Row& row, int number, int moves) {
  int before = 0;  // moves that bring all checkers closer than the number
  for (int slot = 0; slot < kHome; ++slot) {
    if (!row[slot]) continue;
    if ((slot + 1) % number == 0 && (slot + 1) / number <= moves) return true;
    before += row[slot] * (slot / number);
  }
  return before < moves;
}

}  // namespace

bool bears_off(Row row, Dice dice) {
  if (dice.is_double()) {
    for (int left = kMovesOfTurn; left > 0; --left) {
      const int rear = rearmost(row);
      if (rear < kHome) return bears_off(row, dice.high, left);
      --row[rear];
      ++row[rear - dice.high];
    }
    return false;
  }
  // One number brings the only checker home that may still be outside, the other bears off.
  const int rear = rearmost(row);
  const Mask home = occupied(row) & ~(Mask{1} << rear);
  if (row[rear] > 1 || home >> kHome) return false;
  const auto in_order = [&](int first, int second) {
    if (rear - first >= kHome) return false;
    const Mask after = home | Mask{1} << (rear - first);
    return (after >> (second - 1) & 1) || after >> second == 0;
  };
  return in_order(dice.high, dice.low) || in_order(dice.low, dice.high);
}

Outputs within_gammon_limits(const Position& position, Outputs outputs) {
  const bool home = rearmost(position.mine) < kHome;
  const Row& winner = home ? position.mine : position.theirs;
  const Row& loser = home ? position.theirs : position.mine;
  if (checkers(loser) != kCheckers || checkers(winner) > kNearTheEnd || rearmost(winner) >= kHome || rearmost(loser) < kHome)
    return outputs;
  const Turns last = ExactTables::shared().one_sided().turns(kHomeRows.number(winner.data()));
  const int moves = moves_home(loser);
  const Turns all = exactly(turns_for(moves + kCheckers));
  // A first checker is off in the first turn by these rolls and no others; who fails is taken to succeed in the next.
  double failing = 0.0;
  if (moves < kMovesOfTurn) {
    for (const Dice dice : kAllRolls)
      if (!bears_off(loser, dice)) failing += dice.weight() / 36.0;
  }
  const Turns first = failing > 0 ? Turns{1, 2, 1, &failing} : exactly(turns_for(moves + 1));
  if (home) {
    outputs.win = std::max(outputs.win, static_cast<float>(chance_to_be_first(last, all)));
    outputs.win_gammon = std::max(outputs.win_gammon, static_cast<float>(chance_to_be_first(last, first)));
  } else {
    outputs.win = std::min(outputs.win, static_cast<float>(chance_to_be_first(all, last)));
    outputs.lose_gammon = std::max(outputs.lose_gammon, static_cast<float>(1.0 - chance_to_be_first(first, last)));
  }
  return outputs;
}

}  // namespace kibitz
