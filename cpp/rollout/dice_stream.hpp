// The dice of rollouts: roll `turn` of game `game` depends on these two numbers and the seed, and on nothing else.
#pragma once

#include <array>
#include <cstdint>

#include "board/dice.hpp"

namespace kibitz {

inline constexpr int kFaces = 36;  // ordered rolls, all equally likely

class DiceStream {
 public:
  // Stratified: of the first three rolls, every aligned 36 games see each roll once at each turn, every 1,296 each pair
  // of rolls once at the first two turns, and every 46,656 each triple once at the first three.
  static constexpr int kStratifiedTurns = 3;

  DiceStream(std::uint64_t seed, bool stratified);

  // The ordered roll, 0 to 35.
  int face(std::uint64_t game, int turn) const;

  Dice roll(std::uint64_t game, int turn) const {
    const int rolled = face(game, turn);
    return Dice(1 + rolled / 6, 1 + rolled % 6);
  }

 private:
  using Permutation = std::array<std::uint8_t, kFaces>;

  std::uint64_t random(std::uint64_t stream, std::uint64_t index) const;
  Permutation permutation(std::uint64_t block, int number) const {
    return block == 0 ? first_block_[number] : shuffled(block, number);
  }
  Permutation shuffled(std::uint64_t block, int number) const;

  std::uint64_t seed_;
  bool stratified_;
  // Nearly all rollouts stay within their first block, so its permutations are kept.
  std::array<Permutation, kStratifiedTurns * kStratifiedTurns> first_block_{};
};

}  // namespace kibitz
