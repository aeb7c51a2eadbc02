// tabula: a hand-made score in pseudopips, for the player's plays and for every reply of every roll. Lower is better.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "board/dice.hpp"
#include "board/position.hpp"

namespace kibitz {

// What a checker on each space still costs its owner, the bar last: the table of tabula's design document.
inline constexpr std::array<std::uint16_t, kSlots> kPseudopips = {
    9, 10, 11, 14, 15, 18, 57, 58, 63, 66, 71, 76, 81, 88, 97, 106, 117, 132, 149, 170, 195, 226, 263, 308, 363};

struct TabulaWeights {
  double pips = 1.0;
  double blots = 1.03;
  double hits = -0.5;
  double opponent = -3.0;
  // Which number of a space counts for blots and hits: the scored player's, as the document says, or the opponent's.
  bool opponent_spaces = false;
};

// The three parts of a score in pseudopips; averages of such parts are no longer whole.
struct TabulaParts {
  double pips = 0;
  double blots = 0;
  double hits = 0;

  double score(const TabulaWeights& weights) const {
    return pips * weights.pips + blots * weights.blots + hits * weights.hits;
  }
  TabulaParts operator*(double factor) const { return {pips * factor, blots * factor, hits * factor}; }
  TabulaParts& operator+=(const TabulaParts& other) {
    pips += other.pips;
    blots += other.blots;
    hits += other.hits;
    return *this;
  }
};

// The parts for the player who has just played from `before` (seen by that player) to `after` (seen by the opponent).
TabulaParts tabula_parts(const Position& before, const Position& after, const TabulaWeights& weights);

struct TabulaPlay {
  Position result;  // seen by the opponent
  TabulaParts player;
  TabulaParts opponent;  // the average over all replies; zero when past
  bool past = false;     // no contact is left after the play: only the player's own score counts
  double player_score = 0;
  double opponent_score = 0;
  double score = 0;
  std::int64_t replies = 0;  // positions that were scored to find the average
};

// Every legal play, in the order of the generator. The digits do not depend on the number of threads; 0 means all
// cores.
std::vector<TabulaPlay> tabula_analyze(const Position& position, Dice dice, const TabulaWeights& weights,
                                       int threads = 1);

// The same for many positions and rolls at once, where threads pay off even though each analysis is short.
std::vector<std::vector<TabulaPlay>> tabula_analyze_many(std::span<const Position> positions,
                                                         std::span<const Dice> dice, const TabulaWeights& weights,
                                                         int threads);

// The whole analysis of one result of a play, for those who hold the results already.
TabulaPlay tabula_play(const Position& before, const Position& result, const TabulaWeights& weights);

}  // namespace kibitz
