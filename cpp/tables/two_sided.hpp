// Two-sided bearing off: exact winning chances and cubeful money equities for both sides' rows together.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "tables/rows.hpp"

namespace kibitz {

// Equities of the player on roll, per unit of the cube, before the decision to double. No gammons are possible.
struct TwoSidedEquities {
  double cubeless = 0;
  double centred = 0;
  double owned = 0;        // the player on roll owns the cube
  double unavailable = 0;  // the opponent owns the cube

  double win() const { return (cubeless + 1) / 2; }
};

// What the player on roll gets by each cube action, per unit of the cube, with best play afterwards.
struct TwoSidedCube {
  double win = 0;
  double no_double = 0;    // cube centred
  double no_redouble = 0;  // cube owned
  double double_take = 0;  // after a take the opponent owns the cube at twice the stake
};

class TwoSided {
 public:
  // Equities in units of 2^-30, so that a table is the same on every machine and exact to nine digits.
  struct Entry {
    std::int32_t cubeless;
    std::int32_t centred;
    std::int32_t owned;
    std::int32_t unavailable;
  };
  static_assert(sizeof(Entry) == 16);
  static constexpr std::int32_t kOne = 1 << 30;

  TwoSided() = default;
  // `owner` keeps the memory alive that the span looks at.
  TwoSided(Shape shape, std::span<const Entry> entries, std::shared_ptr<const void> owner)
      : numbers_(shape), rows_(numbers_.size()), entries_(entries), owner_(std::move(owner)) {}

  using Progress = std::function<bool(std::uint64_t done, std::uint64_t all)>;
  static std::uint64_t entries_of(Shape shape);
  // Is told of a row before which all is done: a build may go on from there.
  using Checkpoint = std::function<void(std::uint64_t row)>;
  // Fills the entries of a shape of at most 11 points, from a row on before which they are filled already. False if the
  // progress said stop.
  static bool build_into(Shape shape, std::span<Entry> entries, int threads = 0, const Progress& progress = {},
                         std::uint64_t first = 0, const Checkpoint& checkpoint = {});
  static TwoSided build(Shape shape, int threads = 0, const Progress& progress = {});

  bool empty() const { return entries_.empty(); }
  Shape shape() const { return numbers_.shape(); }
  const RowNumbers& numbers() const { return numbers_; }
  std::span<const Entry> entries() const { return entries_; }

  bool holds(const Position& position) const { return fits(position.mine, shape()) && fits(position.theirs, shape()); }

  const Entry& entry(const Position& position) const {
    return entries_[static_cast<std::size_t>(numbers_.number(position.mine.data())) * rows_ +
                    numbers_.number(position.theirs.data())];
  }
  // A finished game counts as won by the side without checkers.
  TwoSidedEquities equities(const Position& position) const;

  // One roll ahead of the table, since the table holds only the better of doubling and not doubling.
  TwoSidedCube cube(const Position& position) const;

 private:
  RowNumbers numbers_{{kHome, 0}};
  std::size_t rows_ = 0;
  std::span<const Entry> entries_;
  std::shared_ptr<const void> owner_;
};

}  // namespace kibitz
