#include "board/key.hpp"

#include <bit>

#include "board/masks.hpp"

namespace kibitz {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr int kKeyBytes = 10;

using Wide = unsigned __int128;

Wide to_wide(PositionKey key) { return Wide{key.high} << 64 | key.low; }

// One side's code: slot k begins behind k zeros and all checkers before it. At most 40 bits.
struct RowCode {
  std::uint64_t bits = 0;
  int length = kSlots;
};

RowCode row_code(const Row& row) {
  RowCode code;
  int before = 0;
  for (Mask slots = occupied(row); slots; slots &= slots - 1) {
    const int slot = std::countr_zero(slots);
    code.bits |= ((std::uint64_t{1} << row[slot]) - 1) << (slot + before);
    before += row[slot];
  }
  code.length += before;
  return code;
}

}  // namespace

PositionKey position_key(const Position& position) {
  const RowCode theirs = row_code(position.theirs);
  const RowCode mine = row_code(position.mine);
  const Wide bits = Wide{mine.bits} << theirs.length | theirs.bits;
  return {static_cast<std::uint64_t>(bits), static_cast<std::uint16_t>(bits >> 64)};
}

std::optional<Position> position_from_key(PositionKey key) {
  const Wide bits = to_wide(key);
  Position position;
  int at = 0;
  for (Row* row : {&position.theirs, &position.mine}) {
    int placed = 0;
    for (int slot = 0; slot < kSlots; ++at) {
      if (at >= 80) return std::nullopt;
      if (bits >> at & 1) {
        ++(*row)[slot];
        ++placed;
      } else {
        ++slot;
      }
    }
    if (placed > kCheckers) return std::nullopt;
  }
  if (bits >> at) return std::nullopt;
  return position;
}

std::array<char, kPositionIdLength> position_id(const Position& position) {
  const Wide bits = to_wide(position_key(position));
  // Base64 takes the bits of each byte from the top; the key fills them from the bottom. Hence the bytes one by one.
  std::array<std::uint8_t, kKeyBytes + 2> bytes{};
  for (int i = 0; i < kKeyBytes; ++i) bytes[i] = static_cast<std::uint8_t>(bits >> (8 * i));
  std::array<char, kPositionIdLength> id;
  for (int i = 0; i < kPositionIdLength; ++i) {
    const int group = i / 4 * 3;
    const std::uint32_t word = bytes[group] << 16 | bytes[group + 1] << 8 | bytes[group + 2];
    id[i] = kAlphabet[word >> (18 - 6 * (i % 4)) & 63];
  }
  return id;
}

std::optional<Position> position_from_id(std::string_view id) {
  if (id.size() != kPositionIdLength) return std::nullopt;
  std::array<std::uint8_t, kKeyBytes + 2> bytes{};
  for (int i = 0; i < kPositionIdLength; ++i) {
    const auto value = kAlphabet.find(id[i]);
    if (value == std::string_view::npos) return std::nullopt;
    for (int bit = 0; bit < 6; ++bit)
      if (value >> (5 - bit) & 1) {
        const int place = 6 * i + bit;
        bytes[place / 8] |= 1 << (7 - place % 8);
      }
  }
  if (bytes[kKeyBytes]) return std::nullopt;
  PositionKey key;
  for (int i = 0; i < 8; ++i) key.low |= std::uint64_t{bytes[i]} << (8 * i);
  key.high = static_cast<std::uint16_t>(bytes[8] | bytes[9] << 8);
  return position_from_key(key);
}

}  // namespace kibitz
