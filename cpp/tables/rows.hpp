// Numbers for rows: every way to have up to C checkers on P slots, counted without gaps.
#pragma once

#include <array>
#include <cstdint>

#include "board/position.hpp"

namespace kibitz {

inline constexpr int kMaxRowCheckers = 15;

// How a row of a table is shaped: the first `points` slots, with at most `checkers` checkers on them.
struct Shape {
  int points = kHome;
  int checkers = kCheckers;

  bool operator==(const Shape&) const = default;
};

// Rows are ordered by their number of checkers, then so that moving any checker forward lowers the number. Hence the
// empty row is 0, a table for fewer checkers is the beginning of one for more, and every play that is not hit leads to
// a lower number.
class RowNumbers {
 public:
  explicit constexpr RowNumbers(Shape shape) : shape_(shape) {
    for (int count = 0; count <= shape.checkers; ++count) {
      last_with_[count] = choose(shape.points + count, shape.points) - 1;
      for (int slot = 1; slot < shape.points; ++slot) below_[slot][count] = choose(count + slot - 1, slot);
    }
  }

  constexpr Shape shape() const { return shape_; }
  constexpr std::uint32_t size() const { return last_with_[shape_.checkers] + 1; }

  // Rows with at most this many checkers: the first numbers.
  constexpr std::uint32_t size_up_to(int checkers) const { return last_with_[checkers] + 1; }

  // The row must fit the shape.
  constexpr std::uint32_t number(const std::uint8_t* row) const {
    std::uint32_t passed = 0;
    int count = row[0];
    for (int slot = 1; slot < shape_.points; ++slot) {
      passed += below_[slot][count];
      count += row[slot];
    }
    return last_with_[count] - passed;
  }

  constexpr void row(std::uint32_t number, std::uint8_t* row) const {
    int count = 0;
    while (last_with_[count] < number) ++count;
    std::uint32_t rest = last_with_[count] - number;
    for (int slot = shape_.points - 1; slot >= 1; --slot) {
      int fewer = count;
      while (below_[slot][fewer] > rest) --fewer;
      rest -= below_[slot][fewer];
      row[slot] = static_cast<std::uint8_t>(count - fewer);
      count = fewer;
    }
    row[0] = static_cast<std::uint8_t>(count);
  }

  static constexpr std::uint32_t choose(int n, int k) {
    if (k > n) return 0;
    std::uint64_t result = 1;
    for (int i = 1; i <= k; ++i)
      result = result * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
    return static_cast<std::uint32_t>(result);
  }

 private:
  Shape shape_;
  std::array<std::uint32_t, kMaxRowCheckers + 1> last_with_{};  // the highest number with so many checkers
  // By how much the checkers below a slot lower the number.
  std::array<std::array<std::uint32_t, kMaxRowCheckers + 1>, kSlots> below_{};
};

inline constexpr RowNumbers kHomeRows{{kHome, kCheckers}};
static_assert(kHomeRows.size() == 54264);

// Whether a row fits a shape.
constexpr bool fits(const Row& row, Shape shape) {
  return rearmost(row) < shape.points && checkers(row) <= shape.checkers;
}

}  // namespace kibitz
