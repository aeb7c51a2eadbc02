// The bucket of a position: how many checkers each side still has far back, which is what most tells an opening from a
// back game, a blitz or the last of a race. A net may have a set of later layers for each bucket.
#pragma once

#include <algorithm>

#include "board/position.hpp"

namespace kibitz {

inline constexpr int kFarBackLevels = 4;  // none, one, two, or more
inline constexpr int kBuckets = kFarBackLevels * kFarBackLevels;

// Checkers in the opponent's home board and on the bar.
constexpr int far_back(const Row& row) {
  int count = 0;
  for (int slot = kPoints - kHome; slot <= kBar; ++slot) count += row[slot];
  return count;
}

constexpr int bucket_of(const Position& position) {
  const auto level = [](const Row& row) { return std::min(far_back(row), kFarBackLevels - 1); };
  return level(position.mine) * kFarBackLevels + level(position.theirs);
}

}  // namespace kibitz
