// Position classes: which kind of evaluator a position needs.
#pragma once

#include <cstdint>

#include "board/position.hpp"

namespace kibitz {

enum class PositionClass : std::uint8_t {
  kOver,             // one side has borne off all checkers
  kBearoffTwoSided,  // both sides at home with few enough checkers for the two-sided table
  kBearoffOneSided,  // both sides at home: the product of two one-sided distributions
  kRace,             // no contact left
  kCrashed,          // contact, and one side's board has broken up
  kContact,          // everything else
};
inline constexpr int kPositionClasses = 6;

inline constexpr int kTwoSidedCheckers = 6;  // checkers a side that the two-sided table in memory reaches
inline constexpr int kCrashedCheckers = 6;   // a side with at most this many useful checkers has crashed

// Checkers that can still do something: neither borne off nor buried on the ace and deuce point beyond the two that
// hold them.
constexpr int useful_checkers(const Row& row) {
  int useful = 0;
  for (int slot = 2; slot < kSlots; ++slot) useful += row[slot];
  for (int slot = 0; slot < 2; ++slot) useful += row[slot] < 2 ? row[slot] : 2;
  return useful;
}

constexpr PositionClass classify(const Position& position) {
  const int mine = rearmost(position.mine);
  const int theirs = rearmost(position.theirs);
  if (mine < 0 || theirs < 0) return PositionClass::kOver;
  if (mine + theirs > kPoints - 1) {
    const bool crashed =
        useful_checkers(position.mine) <= kCrashedCheckers || useful_checkers(position.theirs) <= kCrashedCheckers;
    return crashed ? PositionClass::kCrashed : PositionClass::kContact;
  }
  if (mine >= kHome || theirs >= kHome) return PositionClass::kRace;
  const bool few = checkers(position.mine) <= kTwoSidedCheckers && checkers(position.theirs) <= kTwoSidedCheckers;
  return few ? PositionClass::kBearoffTwoSided : PositionClass::kBearoffOneSided;
}

}  // namespace kibitz
