// Shortlists: which few of many results go on to a better look.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "eval/evaluator.hpp"

namespace kibitz {

// Indices of the `keep` lowest of the values first ... first + count - 1, lowest first; equal ones as they come.
inline void lowest(std::span<const float> values, int first, int count, int keep, std::vector<int>& indices) {
  indices.clear();
  for (int i = first; i < first + count; ++i) {
    const float value = values[i];
    if (static_cast<int>(indices.size()) == keep) {
      if (value >= values[indices.back()]) continue;
      indices.pop_back();
    }
    std::size_t place = indices.size();
    indices.push_back(i);
    for (; place > 0 && value < values[indices[place - 1]]; --place) indices[place] = indices[place - 1];
    indices[place] = i;
  }
}

// The results of one roll among those of several, and how many of them should get a glance if a sketch can choose them.
struct RollResults {
  int first = 0;
  int count = 0;
  int glances = 0;
};

// Leaves only those results of each roll that a sketch puts first, if there are so many that it pays, in the order they
// had. A sketch compares hits with hits better than with other plays, so the best of them stay in any case.
inline void thin_out(const Evaluator& evaluator, const Position& before, std::vector<Position>& results,
                     std::span<RollResults> rolls) {
  constexpr int kWorthwhile = 40;
  constexpr float kNoHit = 1e30f;
  int spared = 0;
  for (const RollResults& roll : rolls) spared += std::max(roll.count - roll.glances, 0);
  if (spared < kWorthwhile) return;
  thread_local std::vector<float> equities;
  thread_local std::vector<int> kept, hits;
  equities.resize(results.size());
  if (!evaluator.sketch(before, results, equities)) return;
  int end = 0;
  for (RollResults& roll : rolls) {
    const int start = end;
    const int past = roll.first + roll.count;
    kept.clear();
    if (roll.count <= roll.glances) {
      for (int i = roll.first; i < past; ++i) kept.push_back(i);
    } else {
      const auto incomparable = std::count(equities.begin() + roll.first, equities.begin() + past, kIncomparable);
      lowest(equities, roll.first, roll.count, roll.glances + static_cast<int>(incomparable), kept);
      bool any_hit = false;
      for (int i = roll.first; i < past; ++i) {
        const bool hit = results[i].mine[kBar] != before.theirs[kBar];
        any_hit |= hit;
        if (!hit) equities[i] = kNoHit;
      }
      if (any_hit) {
        lowest(equities, roll.first, roll.count, roll.glances * 3 / 4, hits);
        for (const int i : hits)
          if (equities[i] < kNoHit) kept.push_back(i);
      }
      std::sort(kept.begin(), kept.end());
      kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    }
    for (const int i : kept) results[end++] = results[i];
    roll.first = start;
    roll.count = end - start;
  }
  results.resize(end);
}

}  // namespace kibitz
