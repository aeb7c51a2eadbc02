// Exact answers by position class, for evaluation, search and rollouts.
#pragma once

#include <cstdint>
#include <mutex>

#include "board/position.hpp"
#include "eval/outputs.hpp"
#include "eval/position_class.hpp"
#include "tables/one_sided.hpp"
#include "tables/two_sided.hpp"

namespace kibitz {

// How a finished game has ended, for the player on roll: 1, 2, 3 for a single game, gammon or backgammon won, negative if
// it was lost. 0 if it goes on. A side loses a gammon if it has all its `total` checkers still in play.
int outcome(const Position& position, int total = kCheckers);

class ExactTables {
 public:
  // The one that all share, safe from any thread. The tables in it are built on first use, which takes 0.05 s for the
  // one-sided and 0.3 s for the two-sided one; they take 8 and 14 MB.
  static const ExactTables& shared();

  explicit ExactTables(int threads = 0) : threads_(threads) {}

  const OneSided& one_sided() const;
  const TwoSided& two_sided() const;

  // Whether a class is answered here at all.
  static constexpr bool covers(PositionClass position_class) { return position_class <= PositionClass::kBearoffOneSided; }

  // The outputs of a position, if its class has an exact answer. `total` is the number of checkers that each side started
  // with: who has still all of them can lose a gammon, which the two-sided table knows nothing of. The one-sided class is
  // as exact as its model: each side plays to need the fewest turns.
  bool evaluate(const Position& position, Outputs& outputs, int total = kCheckers) const;

 private:
  Outputs by_turns(const Position& position, int total) const;

  int threads_;
  mutable std::once_flag one_sided_once_;
  mutable std::once_flag two_sided_once_;
  mutable OneSided one_sided_;
  mutable TwoSided two_sided_;
};

}  // namespace kibitz
