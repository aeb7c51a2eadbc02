// A fixed amount of memory that remembers evaluations.
//
// An entry holds the whole 80-bit position key, so it can never be taken for another position's. Two entries and a lock
// fill one cache line; who finds the lock taken goes without, which costs an evaluation but never changes one.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "board/key.hpp"
#include "board/outputs.hpp"
#include "eval/evaluator.hpp"

namespace kibitz {

class EvaluationCache {
 public:
  // As many lines as fit into `bytes`, rounded down to a power of two; none at all for less than one line.
  explicit EvaluationCache(std::size_t bytes);

  bool find(PositionKey key, Outputs& outputs) const;
  // Tells the processor that this key will be looked for soon.
  void fetch(PositionKey key) const {
    if (lines_ != 0) __builtin_prefetch(line_of(key));
  }
  void store(PositionKey key, const Outputs& outputs);
  void clear();

  std::size_t bytes() const { return lines_ * sizeof(Line); }
  std::size_t entries() const { return 2 * lines_; }

 private:
  struct alignas(64) Line {
    mutable std::atomic<bool> locked{false};
    std::uint8_t used = 0;           // how many of the two entries are filled
    std::uint16_t high[2] = {0, 0};  // the key's upper bits
    std::uint64_t low[2] = {0, 0};   // the key's lower bits
    Outputs outputs[2];
  };
  static_assert(sizeof(Line) == 64);

  Line* line_of(PositionKey key) const;

  std::size_t lines_ = 0;
  std::unique_ptr<Line[]> memory_;
};

// An evaluator that asks a cache first. Results are those of the evaluator behind it, whatever the cache holds.
class CachedEvaluator : public Evaluator {
 public:
  CachedEvaluator(std::shared_ptr<const Evaluator> evaluator, std::shared_ptr<EvaluationCache> cache)
      : evaluator_(std::move(evaluator)), cache_(std::move(cache)) {}

  using Evaluator::evaluate;
  void evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const override;
  void evaluate_results(const Position& before, std::span<const Position> results,
                        std::span<Outputs> outputs) const override;
  void pruning_equities(const Position& before, std::span<const Position> results,
                        std::span<float> equities) const override {
    evaluator_->pruning_equities(before, results, equities);
  }
  bool prefilter(const Position& before, std::span<const Position> results, std::span<float> equities) const override {
    return evaluator_->prefilter(before, results, equities);
  }

 private:
  void answer(const Position* before, std::span<const Position> positions, std::span<Outputs> outputs) const;

  std::shared_ptr<const Evaluator> evaluator_;
  std::shared_ptr<EvaluationCache> cache_;
};

}  // namespace kibitz
