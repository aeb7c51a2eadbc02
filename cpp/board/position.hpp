// The checkers on the board, seen by the player on roll.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace kibitz {

inline constexpr int kPoints = 24;    // points on the board
inline constexpr int kBar = 24;       // index of the bar in a row
inline constexpr int kSlots = 25;     // points and bar
inline constexpr int kHome = 6;       // points of a home board
inline constexpr int kCheckers = 15;  // checkers of a side in backgammon

// One side's checkers, from its owner's view: own points 1..24 at index 0..23, own bar at index 24. Checkers that are
// in no slot have been borne off.
using Row = std::array<std::uint8_t, kSlots>;

// A point seen from the other side of the board.
constexpr int mirrored(int point) { return kPoints - 1 - point; }

// Two rows, 50 bytes without padding, so that an array of positions is a (n, 2, 25) array of bytes and nothing else.
struct Position {
  Row mine{};    // the player on roll
  Row theirs{};  // the opponent

  bool operator==(const Position&) const = default;

  constexpr Position swapped() const { return {theirs, mine}; }
};
static_assert(sizeof(Position) == 50);

constexpr Position starting_position() {
  Position start;
  for (Row* row : {&start.mine, &start.theirs}) {
    (*row)[5] = 5;
    (*row)[7] = 3;
    (*row)[12] = 5;
    (*row)[23] = 2;
  }
  return start;
}

namespace detail {

static_assert(std::endian::native == std::endian::little);

// Eight counts at a time, each in a byte of a word.
inline std::uint64_t eight_counts(const Row& row, int first) {
  std::uint64_t word;
  std::memcpy(&word, row.data() + first, sizeof word);
  return word;
}

}  // namespace detail

// Checkers of a side that are still in play.
constexpr int checkers(const Row& row) {
  if (std::is_constant_evaluated()) {
    int count = 0;
    for (int slot = 0; slot < kSlots; ++slot) count += row[slot];
    return count;
  }
  const auto points = detail::eight_counts(row, 0) + detail::eight_counts(row, 8) + detail::eight_counts(row, 16);
  return static_cast<int>(points * 0x0101010101010101 >> 56) + row[kBar];
}

// Pips that a side still has to move.
constexpr int pips(const Row& row) {
  int count = 0;
  for (int slot = 0; slot < kSlots; ++slot) count += row[slot] * (slot + 1);
  return count;
}

// The slot of the rearmost checker, -1 if there is none.
constexpr int rearmost(const Row& row) {
  int slot = kSlots - 1;
  if (!std::is_constant_evaluated() && row[slot] == 0) {
    for (int first = 16; first >= 0; first -= 8)
      if (const auto counts = detail::eight_counts(row, first)) return first + (63 - std::countl_zero(counts)) / 8;
    return -1;
  }
  while (slot >= 0 && row[slot] == 0) --slot;
  return slot;
}

// Whether some checker of one side still has to pass one of the other. A checker on the bar has to pass everything.
constexpr bool in_contact(const Position& position) {
  const int mine = rearmost(position.mine);
  const int theirs = rearmost(position.theirs);
  return mine >= 0 && theirs >= 0 && mine + theirs > kPoints - 1;
}

}  // namespace kibitz
