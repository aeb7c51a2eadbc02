// Two evaluators play each other, cubeless and without look-ahead, each pair of games with the same dice both ways.
#pragma once

#include <cstdint>
#include <vector>

#include "eval/evaluator.hpp"

namespace kibitz {

// For each pair, the mean points per game of `first`. `shortlist` results of a roll are judged after a glance at all;
// 0 judges them all. Pair k of a seed is the same whatever the number of threads.
std::vector<float> duel(const Evaluator& first, const Evaluator& second, int pairs, std::uint64_t seed, int shortlist,
                        int threads);

}  // namespace kibitz
