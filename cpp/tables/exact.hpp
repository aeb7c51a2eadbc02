// Exact answers by position class, for evaluation, search and rollouts.
#pragma once

#include <cstdint>
#include <memory>

#include "board/position.hpp"
#include "eval/outputs.hpp"
#include "eval/position_class.hpp"
#include "tables/one_sided.hpp"

namespace kibitz {

// How a finished game has ended, for the player on roll: 1, 2, 3 for a single game, gammon or backgammon won, negative if
// it was lost. 0 if it goes on. A side loses a gammon if it has all its `total` checkers still in play.
int outcome(const Position& position, int total = kCheckers);

class ExactTables {
 public:
  // The one that all share: built on first use, which takes some tens of milliseconds; safe from any thread.
  static const ExactTables& shared();

  explicit ExactTables(int threads = 0);

  const OneSided& one_sided() const { return one_sided_; }

  // Whether a class is answered here at all.
  static constexpr bool covers(PositionClass position_class) { return position_class <= PositionClass::kBearoffOneSided; }

  // The outputs of a position, if its class has an exact answer. `total` is the number of checkers that each side started
  // with: who has still all of them can lose a gammon. The one-sided class is as exact as its model: each side plays to
  // need the fewest turns.
  bool evaluate(const Position& position, Outputs& outputs, int total = kCheckers) const;

 private:
  Outputs by_turns(const Position& position, int total) const;

  OneSided one_sided_;
};

}  // namespace kibitz
