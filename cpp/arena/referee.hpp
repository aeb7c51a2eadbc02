// The referee of native games: money games and matches between two contestants, with duplicate dice and luck measured.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "arena/contestant.hpp"
#include "arena/luck.hpp"
#include "cube/match_equity.hpp"

namespace kibitz {

struct ArenaRules {
  int length = 0;        // 0: one money game
  bool cube = true;      // without it gammons always count
  bool jacoby = true;    // money games only
  bool crawford = true;  // matches only
};

// What happened, for those who want to keep the games.
struct ArenaEvent {
  enum Kind : std::uint8_t { kGame, kRoll, kDouble, kTake, kDrop, kEnd };
  Kind kind = kGame;
  std::int8_t seat = 0;                 // who acted; the winner at the end
  Dice dice{1, 1};                      // of a roll
  Position result{};                    // of a play, seen by the opponent
  std::array<std::int16_t, 2> score{};  // before a game
  bool crawford = false;
  std::int16_t points = 0;  // won at the end
};

// A money game or a match, seen by seat 0.
struct SessionResult {
  double result = 0;  // points, or 1 for a match won and 0 for one lost
  double luck = 0;    // the part of it that the dice made, in the same unit
  std::int32_t games = 0;
  std::int32_t turns = 0;
  std::int32_t doubles = 0;
  std::int32_t drops = 0;
  std::int32_t cube = 1;  // the highest it went
  bool finished = true;   // false if a game did not end
  std::vector<ArenaEvent> events;
};

// Both seatings of a pair: first the first contestant in seat 0, then the second, with the same dice.
using PairResult = std::array<SessionResult, 2>;

struct ArenaSettings {
  ArenaRules rules;
  std::shared_ptr<const MatchEquity> equity;        // matches only
  std::shared_ptr<const Evaluator> luck_evaluator;  // none: luck is not measured
  int luck_shortlist = 1;
  bool keep_events = false;
};

// The pairs of these numbers, shared out among threads. They depend on seed and number alone.
std::vector<PairResult> play_pairs(const ContestantMaker& first, const ContestantMaker& second,
                                   const ArenaSettings& settings, std::uint64_t seed,
                                   const std::vector<std::uint64_t>& pairs, int threads);

}  // namespace kibitz
