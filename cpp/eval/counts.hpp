// The inputs of the nets: how many checkers are where. What a net may be told beside that is in features.hpp.
//
// Each of the 52 slots (25 of the player on roll, 25 of the opponent, and what each side has borne off) holds a count.
// A count is described by five units: at least 1, 2, 3, 4 checkers, and how many beyond four. The first layer is a sum
// over slots, so inference looks up one row for each (slot, count) instead.
#pragma once

#include <bit>

#include "board/masks.hpp"
#include "board/position.hpp"

namespace kibitz {

inline constexpr int kCountSlots = 2 * kSlots + 2;
inline constexpr int kSlotUnits = 5;
inline constexpr int kCountUnits = kCountSlots * kSlotUnits;
inline constexpr int kCounts = kCheckers + 1;

inline constexpr int kMyOffSlot = 2 * kSlots;
inline constexpr int kTheirOffSlot = 2 * kSlots + 1;

// The value of a unit for a count.
constexpr int unit_value(int unit, int count) {
  if (unit < kSlotUnits - 1) return count > unit ? 1 : 0;
  return count > unit ? count - unit : 0;
}

// What a side has borne off, as the nets see it: everything that is missing from fifteen checkers.
constexpr int off_count(const Row& row) { return kCheckers - checkers(row); }

// Calls visit(slot, count) for every slot that is not empty.
template <typename Visitor>
void for_each_slot(const Position& position, Visitor visit) {
  const auto side = [&](const Row& row, int first) {
    for (Mask left = occupied(row); left; left &= left - 1) {
      const int slot = std::countr_zero(left);
      visit(first + slot, row[slot]);
    }
  };
  side(position.mine, 0);
  side(position.theirs, kSlots);
  if (const int off = off_count(position.mine)) visit(kMyOffSlot, off);
  if (const int off = off_count(position.theirs)) visit(kTheirOffSlot, off);
}

}  // namespace kibitz
