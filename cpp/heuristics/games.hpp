// Games between the hand-made engines, as fast as they can choose: how their strength is measured.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "board/dice.hpp"
#include "board/position.hpp"
#include "heuristics/tabula.hpp"
#include "heuristics/ten_factor.hpp"

namespace kibitz {

// Picks one of the results of a roll. `random` is a number of its own for every turn, for those who need one.
using Chooser = std::function<std::size_t(const Position& before, Dice dice, std::span<const Position> results,
                                          std::uint64_t random)>;

Chooser tabula_chooser(const TabulaWeights& weights);
Chooser ten_factor_chooser(const Factors& weights);
Chooser random_chooser();

// Points that the first player wins (1 to 3, negative if the second wins), without a cube. `turns` counts both sides'.
// The dice follow from the seed and the number of the turn alone.
struct GameResult {
  std::int8_t points = 0;
  std::int32_t turns = 0;
};
GameResult play_game(const Chooser& first, const Chooser& second, std::uint64_t seed);

// Plays every seed twice, with seats exchanged: `pairs` times two results, each from the first chooser's side.
std::vector<GameResult> play_pairs(const Chooser& first, const Chooser& second, std::size_t pairs, std::uint64_t seed,
                                   int threads);

}  // namespace kibitz
