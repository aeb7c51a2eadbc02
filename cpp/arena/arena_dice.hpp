// The dice of an arena: every roll follows from the seed, the pair, the game and the turn alone, so that both seatings
// of a pair, every thread and every program see the same ones.
#pragma once

#include <cstdint>
#include <utility>

#include "board/dice.hpp"
#include "support/random.hpp"

namespace kibitz {

class ArenaDice {
 public:
  ArenaDice(std::uint64_t seed, std::uint64_t pair, std::uint64_t game)
      : key_(mixed(mixed(mixed(seed) + pair) + game)) {}

  // The roll of a turn; the opening is turn 0 and has its own function.
  Dice roll(std::uint64_t turn) const { return {die(2 * turn), die(2 * turn + 1)}; }

  // The dice of seat 0 and seat 1 for the first move, thrown again until they differ.
  std::pair<int, int> opening() const {
    for (std::uint64_t throws = 0;; ++throws) {
      const int first = die(kOpening + 2 * throws);
      const int second = die(kOpening + 2 * throws + 1);
      if (first != second) return {first, second};
    }
  }

  // A number of its own for every turn, for players who choose at random.
  std::uint64_t number(std::uint64_t turn) const { return word(kNumbers + turn); }

 private:
  static constexpr std::uint64_t kOpening = std::uint64_t{1} << 40;
  static constexpr std::uint64_t kNumbers = std::uint64_t{1} << 41;

  std::uint64_t word(std::uint64_t index) const { return mixed(key_ + index * kGoldenRatio); }
  int die(std::uint64_t index) const { return 1 + static_cast<int>(((word(index) >> 32) * 6) >> 32); }

  std::uint64_t key_;
};

}  // namespace kibitz
