// What search, rollouts and self-play know of an evaluator. Caches and mocks are evaluators too.
#pragma once

#include <span>

#include "board/outputs.hpp"
#include "board/position.hpp"

namespace kibitz {

inline constexpr float kIncomparable = -1e30f;

// Safe to be called from many threads at once. The outputs of a position depend on the position alone: not on the batch
// it came in, nor on the position it was reached from.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // The outputs of many positions, each for its player on roll.
  virtual void evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const = 0;

  // The same for the results of one roll, played from `before`, whose common part is computed only once.
  virtual void evaluate_results(const Position& before, std::span<const Position> results,
                                std::span<Outputs> outputs) const {
    (void)before;
    evaluate(results, outputs);
  }

  // A cheap first look at the results of one roll, by the pruning net: cubeless equities for the player on roll in each
  // result (the opponent of the one who played), good enough to tell which few results deserve a real evaluation.
  virtual void pruning_equities(const Position& before, std::span<const Position> results,
                                std::span<float> equities) const = 0;

  // A still cheaper look at the results of many rolls at once, by a linear prefilter: equities less a constant, but
  // only good enough to tell which ones the pruning net should see, and kIncomparable where not even that. False if
  // there is none for this position.
  virtual bool prefilter(const Position& before, std::span<const Position> results, std::span<float> equities) const {
    (void)before, (void)results, (void)equities;
    return false;
  }

  Outputs evaluate(const Position& position) const {
    Outputs outputs;
    evaluate({&position, 1}, {&outputs, 1});
    return outputs;
  }
};

}  // namespace kibitz
