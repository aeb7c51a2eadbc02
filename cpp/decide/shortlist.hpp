// Shortlists: which few of many results go on to a better look.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "eval/evaluator.hpp"

namespace kibitz {

// A value and its index in one number, so that numbers are ordered as the values are, and by their indices if those are
// equal.
inline std::int64_t ranked(float value, int index) {
  const auto bits = std::bit_cast<std::int32_t>(value + 0.0f);  // no zero below zero
  return std::int64_t{bits < 0 ? bits ^ 0x7FFFFFFF : bits} << 32 | index;
}

// Indices of the `keep` lowest of the values first ... first + count - 1, lowest first; equal ones as they come.
inline void lowest(std::span<const float> values, int first, int count, int keep, std::vector<int>& indices) {
  keep = std::min(keep, count);
  indices.resize(std::max(keep, 0));
  if (keep <= 0) return;
  thread_local std::vector<std::int64_t> best;
  best.assign(keep, std::numeric_limits<std::int64_t>::max());
  // Every one is put in its place without a question, since the answers are hard to foresee.
  for (int i = first; i < first + count; ++i) {
    const std::int64_t here = ranked(values[i], i);
    for (int place = keep - 1; place > 0; --place) best[place] = std::min(best[place], std::max(best[place - 1], here));
    best[0] = std::min(best[0], here);
  }
  for (int place = 0; place < keep; ++place) indices[place] = static_cast<int>(best[place] & 0xFFFFFFFF);
}

// The results of one roll among those of several, and how many of them a prefilter should leave.
struct RollResults {
  int first;
  int count;
  int prefiltered;
};

// Leaves only those results of each roll that a prefilter puts first, if there are so many that it pays, in the order
// they had. A prefilter compares hits with hits better than with other plays, so the best of them stay in any case.
inline void thin_out(const Evaluator& evaluator, const Position& before, std::vector<Position>& results,
                     std::span<RollResults> rolls) {
  constexpr int kWorthwhile = 26;  // the cost of a prefilter, in results that the pruning net sees
  int spared = 0;
  for (const RollResults& roll : rolls) spared += std::max(roll.count - roll.prefiltered, 0);
  if (spared < kWorthwhile) return;
  // Reused from call to call.
  static thread_local struct {
    std::vector<float> equities, hits;
    std::vector<int> best, places;
    std::vector<char> kept;
  } buffers;
  auto& [equities, hits, best, places, kept] = buffers;
  equities.resize(results.size());
  if (!evaluator.prefilter(before, results, equities)) return;
  kept.assign(results.size(), 0);
  int end = 0;
  for (RollResults& roll : rolls) {
    const int start = end;
    const int past = roll.first + roll.count;
    if (roll.count <= roll.prefiltered) {
      for (int i = roll.first; i < past; ++i) kept[i] = 1;
    } else {
      int incomparable = 0;
      hits.clear();
      places.clear();
      for (int i = roll.first; i < past; ++i) {
        incomparable += equities[i] == kIncomparable;
        if (results[i].mine[kBar] == before.theirs[kBar]) continue;
        hits.push_back(equities[i]);
        places.push_back(i);
      }
      lowest(equities, roll.first, roll.count, roll.prefiltered + incomparable, best);
      for (const int i : best) kept[i] = 1;
      lowest(hits, 0, static_cast<int>(hits.size()), roll.prefiltered * 3 / 4, best);
      for (const int i : best) kept[places[i]] = 1;
    }
    for (int i = roll.first; i < past; ++i)
      if (kept[i]) results[end++] = results[i];
    roll.first = start;
    roll.count = end - start;
  }
  results.resize(end);
}

}  // namespace kibitz
