// All replies of all rolls, scored on the way instead of one finished position after the other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "heuristics/tabula.hpp"

namespace kibitz {

// Sums of the parts over the replies of one roll. Whole numbers, so that the order of adding cannot matter.
struct ReplySums {
  std::int64_t pips = 0;
  std::int64_t blots = 0;
  std::int64_t hits = 0;
  std::int64_t count = 0;
};

// Scores the replies of the player on roll. What all 21 rolls have in common is prepared once.
class ReplyScorer {
 public:
  ReplyScorer(const Position& position, const TabulaWeights& weights);

  // The position itself, once, where the roll leaves no legal play.
  ReplySums replies(Dice dice);

 private:
  using Mask = std::uint32_t;    // a set of slots of the player on roll
  using Packed = std::uint64_t;  // four parts of 16 bits: pips, blots that can be hit, all blots, hits

  void mixed(Dice dice, ReplySums& sums) const;
  void doubles(int die, ReplySums& sums);
  void descend(Packed total, Mask occupied, int start, int depth);
  void one_by_one(Dice dice, ReplySums& sums);

  Mask movable(int die, Mask occupied) const { return occupied & (open_ << die); }
  // What taking a checker from a slot, or putting one there, changes while so many checkers stand there.
  Packed leaving(int slot, int count) const { return leaving_[slot][count < 3 ? count : 3]; }
  Packed arriving(int slot, int count) const { return arriving_[slot][count < 2 ? count : 2]; }
  Packed step(int source, int target) const {
    return leaving(source, position_.mine[source]) + arriving(target, position_.mine[target]);
  }

  const Position& position_;
  const TabulaWeights& weights_;
  Row counts_;  // my row while doubles are being played
  Mask occupied_ = 0;
  Mask open_ = 0;   // targets that the opponent does not hold
  Mask blots_ = 0;  // targets with a lone opposing checker
  int outside_ = 0;
  int die_ = 0;
  Packed start_ = 0;
  std::array<std::array<Packed, 4>, kSlots> leaving_;
  std::array<std::array<Packed, 3>, kPoints> arriving_;
  std::array<ReplySums, 5> by_depth_;
  std::vector<Position> results_;
};

}  // namespace kibitz
