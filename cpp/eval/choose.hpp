// Choosing the best result of a roll without look-ahead: a glance at all of them, a judgement of the best few.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "board/dice.hpp"
#include "board/position.hpp"
#include "eval/evaluator.hpp"

namespace kibitz {

// Whether a player has got further in `a` than in `b`, both seen by the opponent. Where nothing is left to gain (a race that
// is lost or won for sure), that is the play that people make: checkers off first, then pips, then checkers that are home.
inline bool is_further(const Position& a, const Position& b) {
  const int a_checkers = checkers(a.theirs);
  const int b_checkers = checkers(b.theirs);
  if (a_checkers != b_checkers) return a_checkers < b_checkers;
  const int a_pips = pips(a.theirs);
  const int b_pips = pips(b.theirs);
  if (a_pips != b_pips) return a_pips < b_pips;
  const auto home = [](const Row& row) {
    int count = 0;
    for (int slot = 0; slot < kHome; ++slot) count += row[slot];
    return count;
  };
  return home(a.theirs) > home(b.theirs);
}

// Whether a player would rather reach `a` than `b`. Both are seen by the opponent, whose equities these are.
inline bool is_better(float a_equity, const Position& a, float b_equity, const Position& b) {
  return a_equity != b_equity ? a_equity < b_equity : is_further(a, b);
}

// Reuses its memory from call to call: keep one for each thread.
class Chooser {
 public:
  // `shortlist` results are judged after a glance at all; 0 judges all.
  Chooser(const Evaluator& evaluator, int shortlist) : evaluator_(&evaluator), shortlist_(shortlist) {}

  struct Choice {
    Position result;  // seen by the opponent; the position itself, swapped, when no checker can move
    Outputs outputs;  // of the opponent, who is on roll in the result
  };
  Choice best(const Position& position, Dice dice);

  // Of the last call: how many results there were, and those that were judged, with the outputs of the opponent.
  int considered() const { return considered_; }
  std::span<const Position> judged() const { return results_; }
  std::span<const Outputs> judgements() const { return outputs_; }

 private:
  const Evaluator* evaluator_;
  int shortlist_;
  int considered_ = 0;
  std::vector<Position> results_, kept_;
  std::vector<float> glances_;
  std::vector<std::uint32_t> order_;
  std::vector<Outputs> outputs_;
};

}  // namespace kibitz
