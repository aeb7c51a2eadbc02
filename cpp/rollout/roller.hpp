// Plays the games of a rollout, one by one. Game k is the same game wherever and in whatever company it is played.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rollout/dice_stream.hpp"
#include "rollout/player.hpp"
#include "rollout/settings.hpp"
#include "rollout/turn_memory.hpp"

namespace kibitz {

// What a game brings side 0.
struct GameValues {
  MeanOutputs outputs;
  double equity = 0;   // cubeless, for money
  double utility = 0;  // cubeful, or with a dead cube when the rollout is cubeless, in the units of the present cube
};
inline constexpr int kQuantities = kOutputs + 2;

// Values are kept as whole numbers of 2^-32, so that sums are exact in any order.
inline constexpr int kValueShift = 32;

class Roller {
 public:
  // Each side has an evaluator, mostly the same one. `luck` evaluates the luck of the dice; without it, the first does.
  Roller(std::array<std::shared_ptr<const Evaluator>, 2> evaluators, std::shared_ptr<const Evaluator> luck,
         const Stakes& stakes, const MatchEquity* table, const RolloutSettings& settings,
         std::vector<Candidate> candidates);

  // Games first ... first + count - 1 of all candidates: [game][candidate][quantity], in units of 2^-32. False if
  // cancelled: then the values mean nothing. Safe to be called from many threads at once.
  bool play(std::uint64_t first, int count, std::span<std::int64_t> values, const std::atomic<bool>* cancelled) const;

  // One game of one candidate.
  bool play_game(std::uint64_t game, int candidate, Interrupt& interrupt, GameValues& values,
                 int* turns = nullptr) const;

  int candidates() const { return static_cast<int>(candidates_.size()); }

 private:
  class Game;

  RolloutSettings settings_;
  std::vector<Candidate> candidates_;
  std::vector<CubeState> cube_states_;
  DiceStream dice_;
  std::array<std::shared_ptr<const Player>, 2> players_;  // the same one twice, unless they evaluate differently
  mutable TurnMemory memory_;
};

}  // namespace kibitz
