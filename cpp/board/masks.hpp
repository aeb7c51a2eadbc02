// Rows as sets of slots: eight counts at a time, each in a byte of a word.
#pragma once

#include <cstdint>

#include "board/position.hpp"

namespace kibitz {

using Mask = std::uint32_t;  // a set of slots

constexpr Mask bit(int slot) { return Mask{1} << slot; }
constexpr Mask up_to(int slot) { return (Mask{2} << slot) - 1; }

namespace detail {

// The lowest bit of each byte whose count is at least `least`. Counts are far below 128, so no byte spills into the
// next.
inline std::uint64_t flags_at_least(std::uint64_t counts, int least) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  return (counts + ones * static_cast<std::uint64_t>(128 - least)) >> 7 & ones;
}

}  // namespace detail

// The slots of a row that hold a checker or more.
inline Mask occupied(const Row& row) {
  const auto eight = [&](int first) -> Mask {
    return detail::flags_at_least(detail::eight_counts(row, first), 1) * 0x0102040810204080 >> 56;  // byte k to bit k
  };
  return eight(0) | eight(8) << 8 | eight(16) << 16 | Mask{row[kBar] != 0} << kBar;
}

// The points of one side, counted from its view, on which the other side's row has `least` checkers or more.
inline Mask facing_at_least(const Row& other, int least) {
  const auto eight = [&](int first) -> Mask {
    // byte k to bit 7 - k
    return detail::flags_at_least(detail::eight_counts(other, first), least) * 0x8040201008040201 >> 56;
  };
  return eight(16) | eight(8) << 8 | eight(0) << 16;
}

}  // namespace kibitz
