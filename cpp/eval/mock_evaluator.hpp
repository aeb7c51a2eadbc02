// An evaluator for tests: a smooth function of pips, blots and checkers on the bar. It knows nothing, but it is fast,
// deterministic, and different positions get different outputs.
#pragma once

#include <cmath>

#include "eval/evaluator.hpp"

namespace kibitz {

class MockEvaluator : public Evaluator {
 public:
  using Evaluator::evaluate;

  void evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const override {
    for (std::size_t i = 0; i < positions.size(); ++i) outputs[i] = outputs_of(positions[i]);
  }

  // Nearly the equity: off by a little that depends on the rearmost checker, so that shortlists are tested too.
  void pruning_equities(const Position&, std::span<const Position> results, std::span<float> equities) const override {
    for (std::size_t i = 0; i < results.size(); ++i)
      equities[i] = outputs_of(results[i]).equity() + 0.002f * static_cast<float>(rearmost(results[i].theirs) % 3);
  }

  static Outputs outputs_of(const Position& position) {
    const double race = pips(position.theirs) - pips(position.mine) + 4.0;
    const double shape = weakness(position.theirs) - weakness(position.mine);
    const double win = squash(0.02 * race + 0.06 * shape);
    const double gammon = 0.4 * squash(0.015 * race + 0.04 * shape - 0.3);
    const double lost_gammon = 0.4 * squash(-0.015 * race - 0.04 * shape - 0.3);
    return {static_cast<float>(win), static_cast<float>(win * gammon), static_cast<float>(0.1 * win * gammon),
            static_cast<float>((1.0 - win) * lost_gammon), static_cast<float>(0.1 * (1.0 - win) * lost_gammon)};
  }

 private:
  static double squash(double x) { return 1.0 / (1.0 + std::exp(-x)); }

  static double weakness(const Row& row) {
    double total = 2.0 * row[kBar];
    for (int slot = 0; slot < kPoints; ++slot) {
      if (row[slot] == 1) total += 1.0 + 0.01 * slot;
      if (row[slot] > 3) total += 0.3 * (row[slot] - 3);
    }
    return total;
  }
};

}  // namespace kibitz
