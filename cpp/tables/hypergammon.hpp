// Hypergammon with one, two or three checkers a side: every position solved, contact included.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include "board/outputs.hpp"
#include "board/position.hpp"
#include "tables/rows.hpp"

namespace kibitz {

inline constexpr int kMostHypergammonCheckers = 3;

class Hypergammon {
 public:
  // For the player on roll, before the decision to double, per unit of the cube.
  struct Equities {
    float cubeless;
    float centred;      // gammons count
    float jacoby;       // cube centred, gammons count only once the cube has been turned
    float owned;        // the player on roll owns the cube
    float unavailable;  // the opponent owns the cube
    float win;          // three of the five probabilities: those of the best cubeless play
    float win_gammon;
    float win_backgammon;
  };
  struct Losses {
    float gammon;
    float backgammon;
  };
  static_assert(sizeof(Equities) == 32 && sizeof(Losses) == 8);

  Hypergammon() = default;
  // The equities of all pairs of rows (mine first), then the losses of all pairs.
  Hypergammon(int checkers, std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

  static constexpr Shape shape(int checkers) { return {kSlots, checkers}; }
  static std::uint64_t bytes_of(int checkers);
  // Positions that can occur: no point is held by both sides.
  static std::uint64_t positions_of(int checkers);

  // How far a build is: it goes through blocks of positions with the same numbers of checkers, and sweeps over each
  // until nothing changes any more. Saying false stops it after the sweep that has been told of.
  struct Step {
    int block;
    int blocks;
    int sweep;
    double change;  // the largest change of an equity in this sweep
  };
  using Progress = std::function<bool(const Step&)>;

  // What a build needs to know to go on after a sweep as if it had never been away, beside the values themselves.
  struct Reached {
    std::uint64_t block = 0;  // blocks that are done
    std::uint64_t sweep = 0;  // sweeps over the next one
    double least_change = std::numeric_limits<double>::infinity();
    std::uint64_t sweeps_without_progress = 0;
  };
  // Is told after each sweep, while nothing is written.
  using Checkpoint = std::function<void(const Reached&)>;

  // Solves the game in `bytes`, which hold zeros, or what they held when the checkpoint was told of `from`. False if the
  // progress said stop.
  static bool build_into(int checkers, std::span<std::byte> bytes, const Reached& from, int threads = 0,
                         const Progress& progress = {}, const Checkpoint& checkpoint = {});
  static Hypergammon build(int checkers, int threads = 0, const Progress& progress = {});

  bool empty() const { return equities_ == nullptr; }
  int checkers() const { return numbers_.shape().checkers; }
  const RowNumbers& numbers() const { return numbers_; }
  bool holds(const Position& position) const;

  std::size_t index(const Position& position) const { return number(position.mine) * rows_ + number(position.theirs); }
  const Equities& equities(std::size_t index) const { return equities_[index]; }
  Outputs outputs(std::size_t index) const {
    const Equities& found = equities_[index];
    return {found.win, found.win_gammon, found.win_backgammon, losses_[index].gammon, losses_[index].backgammon};
  }

 private:
  // The number of a row that is nearly empty: checker by checker, as few as they are.
  std::size_t number(const Row& row) const {
    std::size_t number = 0;
    std::size_t count = 0;
    for (int first = 0; first < kPoints; first += 8) {
      std::uint64_t counts;
      std::memcpy(&counts, row.data() + first, sizeof counts);
      while (counts) {
        const int zeros = std::countr_zero(counts);
        number += add_[count++][static_cast<std::size_t>(first + zeros / 8)];
        counts -= std::uint64_t{1} << (zeros & ~7);
      }
    }
    for (int waiting = 0; waiting < row[kBar]; ++waiting) number += add_[count++][kBar];
    return number + first_with_[count];
  }

  RowNumbers numbers_{{kSlots, 0}};
  std::size_t rows_ = 0;
  std::array<std::uint32_t, kMostHypergammonCheckers + 1> first_with_{};  // the lowest number with so many checkers
  std::array<std::array<std::uint32_t, kSlots>, kMostHypergammonCheckers> add_{};  // for the n-th checker on a slot
  const Equities* equities_ = nullptr;
  const Losses* losses_ = nullptr;
  std::shared_ptr<const void> owner_;
};

}  // namespace kibitz
