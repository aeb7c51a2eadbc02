#include "tables/gammon_race.hpp"

#include "board/masks.hpp"

namespace kibitz {
namespace {

// Whether a side that is all home bears off a checker with some moves by the same number: from a point that they lead
// off exactly, or from any once no checker is too far back for the number.
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

double chance_to_bear_off(const Row& row) {
  if (moves_home(row) >= kMovesOfTurn) return 0.0;
  int rolls = 0;
  for (const Dice dice : kAllRolls)
    if (bears_off(row, dice)) rolls += dice.weight();
  return rolls / 36.0;
}

}  // namespace kibitz
