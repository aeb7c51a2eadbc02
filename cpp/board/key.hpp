// Position keys: the 80 bits of GNU Backgammon's Position ID. Two positions have the same key only if they are equal.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "board/position.hpp"

namespace kibitz {

struct PositionKey {
  std::uint64_t low = 0;   // bits 0..63
  std::uint16_t high = 0;  // bits 64..79

  bool operator==(const PositionKey&) const = default;
};

// For each side, the opponent first, and for each slot: as many ones as there are checkers, then a zero.
// Defined for positions of at most 15 checkers a side.
PositionKey position_key(const Position& position);

// None if the bits are no such code.
std::optional<Position> position_from_key(PositionKey key);

// The key as 14 characters of base64.
inline constexpr int kPositionIdLength = 14;
std::array<char, kPositionIdLength> position_id(const Position& position);
std::optional<Position> position_from_id(std::string_view id);

}  // namespace kibitz
