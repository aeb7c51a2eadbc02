// An evaluator that knows by the tables alone: the perfect player of bearoffs and hypergammon.
#pragma once

#include <memory>

#include "eval/evaluator.hpp"
#include "tables/exact.hpp"

namespace kibitz {

class ExactEvaluator : public Evaluator {
 public:
  // `total` checkers a side; positions that no table knows are left to `fallback`, if there is one.
  ExactEvaluator(int total, std::shared_ptr<const Evaluator> fallback)
      : total_(total), fallback_(std::move(fallback)) {}

  using Evaluator::evaluate;
  void evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const override {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (ExactTables::shared().evaluate(positions[i], outputs[i], total_)) continue;
      outputs[i] = fallback_ ? fallback_->evaluate(positions[i]) : Outputs{0.5f, 0.0f, 0.0f, 0.0f, 0.0f};
    }
  }

  void pruning_equities(const Position&, std::span<const Position> results, std::span<float> equities) const override {
    for (std::size_t i = 0; i < results.size(); ++i) {
      Outputs outputs;
      evaluate({&results[i], 1}, {&outputs, 1});
      equities[i] = outputs.equity();
    }
  }

 private:
  int total_;
  std::shared_ptr<const Evaluator> fallback_;
};

}  // namespace kibitz
