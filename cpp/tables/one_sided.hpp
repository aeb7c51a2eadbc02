// One-sided bearing off: how many turns a side needs, whatever the opponent does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tables/rows.hpp"

namespace kibitz {

// The distribution of a number of turns. tail(n) = P(turns > n): 1 below `least`, 0 from `most` on.
struct Turns {
  int least = 0;
  int most = 0;
  int stored = 0;  // tails from `least` on that are worth keeping; later ones are below 1e-13
  const double* tails = nullptr;

  double tail(int n) const {
    if (n < least) return 1.0;
    return n < least + stored ? tails[n - least] : 0.0;
  }
  double probability(int n) const { return n < 1 ? (least == 0 && n == 0 ? 1.0 : 0.0) : tail(n - 1) - tail(n); }
  double mean() const;
  double variance() const;
};

// The chance that the first, who is on roll, needs no more turns than the second.
double chance_to_be_first(const Turns& first, const Turns& second);

// For every row of a shape: the turns to bear off all checkers, played to need the fewest turns on average, and the
// turns to bear off one more checker, played for that alone (what saves a gammon, for a side that has borne off none).
class OneSided {
 public:
  // How checkers leave the board's first points: as they are borne off, or by any number that is large enough, as they
  // leave the opponent's home board, whose points are then counted from the end where they leave.
  enum class Rules : std::uint8_t { kBearingOff, kLeaving };

  // As it is kept: 32 bytes a row, and the tails one after the other.
  struct Distribution {
    std::uint32_t offset;
    std::uint8_t least;
    std::uint8_t most;
    std::uint8_t stored;
    std::uint8_t unused;
  };
  struct Entry {
    double mean;
    double first_mean;
    Distribution all;
    Distribution first;
  };
  static_assert(sizeof(Entry) == 32);

  OneSided() = default;
  // `owner` keeps the memory alive that the two spans look at.
  OneSided(Shape shape, std::span<const Entry> entries, std::span<const double> tails,
           std::shared_ptr<const void> owner)
      : numbers_(shape), entries_(entries), tails_(tails), owner_(std::move(owner)) {}

  // Progress is told as rows done of all rows; a false answer stops the build, which then returns an empty table.
  using Progress = std::function<bool(std::uint64_t done, std::uint64_t all)>;
  // For builds that may be cut off. Rows are in the order of the build, by pips. `restore` fills in what an earlier build
  // has kept; `keep` gets what has come since, whenever `is_due` says so.
  struct Keeping {
    std::function<void(std::vector<Entry>& rows, std::vector<double>& tails)> restore;
    std::function<bool()> is_due;
    std::function<void(std::span<const Entry> rows, std::span<const double> tails)> keep;
  };
  static OneSided build(Shape shape, int threads = 0, const Progress& progress = {}, Rules rules = Rules::kBearingOff,
                        const Keeping* keeping = nullptr);

  Shape shape() const { return numbers_.shape(); }
  const RowNumbers& numbers() const { return numbers_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  std::span<const Entry> entries() const { return entries_; }
  std::span<const double> tails() const { return tails_; }

  bool holds(const Row& row) const { return fits(row, shape()); }
  std::uint32_t number(const Row& row) const { return numbers_.number(row.data()); }

  double mean(std::uint32_t number) const { return entries_[number].mean; }
  double first_mean(std::uint32_t number) const { return entries_[number].first_mean; }
  Turns turns(std::uint32_t number) const { return distribution(entries_[number].all); }
  Turns first_turns(std::uint32_t number) const { return distribution(entries_[number].first); }

 private:
  // A file that was opened without looking at all of it may be damaged: what points beyond it has no tails.
  Turns distribution(const Distribution& distribution) const {
    const bool inside = std::size_t{distribution.offset} + distribution.stored <= tails_.size();
    return {distribution.least, distribution.most, inside ? distribution.stored : 0,
            inside ? tails_.data() + distribution.offset : nullptr};
  }

  RowNumbers numbers_{{kHome, 0}};
  std::span<const Entry> entries_;
  std::span<const double> tails_;
  std::shared_ptr<const void> owner_;
};

}  // namespace kibitz
