#include "rollout/dice_stream.hpp"

#include <numeric>
#include <utility>

#include "support/random.hpp"

namespace kibitz {
namespace {

// A number below `limit`. The bias is below 2^-58.
constexpr int below(std::uint64_t bits, int limit) {
  return static_cast<int>(static_cast<unsigned __int128>(bits) * static_cast<unsigned>(limit) >> 64);
}

constexpr std::uint64_t kShuffles = std::uint64_t{1} << 63;  // keeps the streams of permutations and of games apart

}  // namespace

DiceStream::DiceStream(std::uint64_t seed, bool stratified) : seed_(seed), stratified_(stratified) {
  if (!stratified) return;
  for (std::size_t number = 0; number < first_block_.size(); ++number)
    first_block_[number] = shuffled(0, static_cast<int>(number));
}

std::uint64_t DiceStream::random(std::uint64_t stream, std::uint64_t index) const {
  return mixed(mixed(mixed(seed_) ^ stream) ^ index);
}

DiceStream::Permutation DiceStream::shuffled(std::uint64_t block, int number) const {
  Permutation order;
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  for (int i = kFaces - 1; i > 0; --i)
    std::swap(order[i],
              order[below(random(kShuffles | block, static_cast<std::uint64_t>(number * kFaces + i)), i + 1)]);
  return order;
}

int DiceStream::face(std::uint64_t game, int turn) const {
  if (!stratified_ || turn >= kStratifiedTurns) return below(random(game, static_cast<std::uint64_t>(turn)), kFaces);
  // The game's number in base 36 within its block. Each turn has a digit of its own, shifted by what the digits of the
  // turns before it permute to: a Latin square, so that any of the digits alone runs through all rolls of a later turn.
  std::uint64_t rest = game;
  std::array<int, kStratifiedTurns> digit;
  for (int& one : digit) {
    one = static_cast<int>(rest % kFaces);
    rest /= kFaces;
  }
  int number = turn * kStratifiedTurns;
  int place = digit[turn];
  for (int before = 0; before < turn; ++before) place += permutation(rest, number + 1 + before)[digit[before]];
  return permutation(rest, number)[place % kFaces];
}

}  // namespace kibitz
