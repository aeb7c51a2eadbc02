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

// How a game went, for those who count: how it ended, how often the cube had been turned by then, and for each side the
// doubles of it that were taken, one bit for each number of turns of the cube before it.
struct GameEvents {
  static constexpr int kLevels = 8;  // of the cube; the last one stands for all that are higher
  enum End : std::uint8_t {
    kWon = 0,        // + 0, 1, 2 for a single game, a gammon, a backgammon of side 0 ...
    kLost = 3,       // ... and of side 1
    kPassed = 6,     // + the side whose double was passed
    kTable = 8,      // its value was known exactly
    kTruncated = 9,  // it was stopped
    kEnds = 10
  };

  std::uint8_t end = kTruncated;
  std::uint8_t level = 0;
  std::array<std::uint8_t, 2> taken{};
};
static_assert(sizeof(GameEvents) == 4);

inline constexpr int kLongestGame = 4000;  // turns; what is not decided by then is truncated

// Values are kept as whole numbers of 2^-32, so that sums are exact in any order.
inline constexpr int kValueShift = 32;

class Roller {
 public:
  // Each side has an evaluator, mostly the same one. `luck` evaluates the luck of the dice; without it, the first does.
  Roller(std::array<std::shared_ptr<const Evaluator>, 2> evaluators, std::shared_ptr<const Evaluator> luck,
         const MatchState& match, const MatchEquity* table, const RolloutSettings& settings,
         std::vector<Candidate> candidates);

  // Games first ... first + count - 1 of all candidates: values by [game][candidate][quantity], in units of 2^-32, and
  // events by [game][candidate]. `faces`, if there are any, are the ordered rolls of each game, kLongestGame of them, in
  // place of the settings' own. False if cancelled: then nothing that was found means anything. Safe to be called from
  // many threads at once.
  bool play(std::uint64_t first, int count, std::span<const std::uint8_t> faces, std::span<std::int64_t> values,
            std::span<GameEvents> events, const std::atomic<bool>* cancelled) const;

  // One game of one candidate.
  bool play_game(std::uint64_t game, int candidate, Interrupt& interrupt, GameValues& values, GameEvents& events,
                 int* turns = nullptr, const std::uint8_t* faces = nullptr) const;

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
