// A roll, and the 21 rolls with their weights.
#pragma once

#include <array>
#include <cstdint>

namespace kibitz {

struct Dice {
  std::uint8_t high;
  std::uint8_t low;

  constexpr Dice(int first, int second)
      : high(static_cast<std::uint8_t>(first > second ? first : second)),
        low(static_cast<std::uint8_t>(first > second ? second : first)) {}

  bool operator==(const Dice&) const = default;
  constexpr bool is_double() const { return high == low; }
  // How many of the 36 equally likely rolls look like this one.
  constexpr int weight() const { return is_double() ? 1 : 2; }
};

// All rolls in the order 11, 21, 22, 31, ... 66.
inline constexpr int kRolls = 21;
inline constexpr std::array<Dice, kRolls> kAllRolls = {{
    {1, 1}, {2, 1}, {2, 2}, {3, 1}, {3, 2}, {3, 3}, {4, 1}, {4, 2}, {4, 3}, {4, 4}, {5, 1},
    {5, 2}, {5, 3}, {5, 4}, {5, 5}, {6, 1}, {6, 2}, {6, 3}, {6, 4}, {6, 5}, {6, 6},
}};

// The place of a roll among them.
constexpr int roll_index(Dice dice) { return dice.high * (dice.high - 1) / 2 + dice.low - 1; }

}  // namespace kibitz
