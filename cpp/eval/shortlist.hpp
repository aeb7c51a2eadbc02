// Shortlists: which few of many results go on to a better look.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "eval/evaluator.hpp"

namespace kibitz {

// Indices of the `keep` lowest of the values first ... first + count - 1, lowest first; equal ones as they come.
inline void lowest(std::span<const float> values, int first, int count, int keep, std::vector<int>& indices) {
  keep = std::min(keep, count);
  indices.resize(keep);
  if (keep <= 0) return;
  int found = 0;
  float worst = 0.0f;
  for (int i = first; i < first + count; ++i) {
    const float value = values[i];
    if (found == keep && value >= worst) continue;
    int place = found < keep ? found++ : keep - 1;
    for (; place > 0 && value < values[indices[place - 1]]; --place) indices[place] = indices[place - 1];
    indices[place] = i;
    worst = values[indices[found - 1]];
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
  thread_local std::vector<int> best;
  thread_local std::vector<char> kept;
  equities.resize(results.size());
  if (!evaluator.sketch(before, results, equities)) return;
  kept.assign(results.size(), 0);
  int end = 0;
  for (RollResults& roll : rolls) {
    const int start = end;
    const int past = roll.first + roll.count;
    const bool all = roll.count <= roll.glances;
    if (!all) {
      const auto incomparable = std::count(equities.begin() + roll.first, equities.begin() + past, kIncomparable);
      lowest(equities, roll.first, roll.count, roll.glances + static_cast<int>(incomparable), best);
      for (const int i : best) kept[i] = 1;
      bool any_hit = false;
      for (int i = roll.first; i < past; ++i) {
        const bool hit = results[i].mine[kBar] != before.theirs[kBar];
        any_hit |= hit;
        if (!hit) equities[i] = kNoHit;
      }
      if (any_hit) {
        lowest(equities, roll.first, roll.count, roll.glances * 3 / 4, best);
        for (const int i : best) kept[i] |= equities[i] < kNoHit;
      }
    }
    for (int i = roll.first; i < past; ++i)
      if (all || kept[i]) results[end++] = results[i];
    roll.first = start;
    roll.count = end - start;
  }
  results.resize(end);
}

}  // namespace kibitz
