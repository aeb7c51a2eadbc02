// An evaluator that misjudges: each of another's five outputs is off by a normal error.
#pragma once

#include <memory>

#include "board/game_over.hpp"
#include "board/key.hpp"
#include "eval/evaluator.hpp"
#include "support/random.hpp"

namespace kibitz {

// The error depends on the seed and the position alone, so that the same question gets the same answer.
class NoisyEvaluator : public Evaluator {
 public:
  NoisyEvaluator(std::shared_ptr<const Evaluator> evaluator, double deviation, std::uint64_t seed)
      : evaluator_(std::move(evaluator)), deviation_(deviation), seed_(seed) {}

  using Evaluator::evaluate;
  void evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const override {
    evaluator_->evaluate(positions, outputs);
    add_noise(positions, outputs);
  }
  void evaluate_results(const Position& before, std::span<const Position> results,
                        std::span<Outputs> outputs) const override {
    evaluator_->evaluate_results(before, results, outputs);
    add_noise(results, outputs);
  }
  // A first look leaves enough for the errors to choose from.
  void pruning_equities(const Position& before, std::span<const Position> results,
                        std::span<float> equities) const override {
    evaluator_->pruning_equities(before, results, equities);
  }
  bool prefilter(const Position& before, std::span<const Position> results, std::span<float> equities) const override {
    return evaluator_->prefilter(before, results, equities);
  }

 private:
  void add_noise(std::span<const Position> positions, std::span<Outputs> outputs) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (is_over(positions[i])) continue;
      const PositionKey key = position_key(positions[i]);
      std::uint64_t state = mix(seed_ ^ mix(key.low ^ mix(key.high)));
      const auto error = [&] {
        // The sum of twelve uniform numbers is as good as normal, and the same on every machine.
        double sum = -6.0;
        for (int part = 0; part < 12; ++part) {
          state = mixed(state);
          sum += static_cast<double>(state >> 11) * 0x1.0p-53;
        }
        return static_cast<float>(deviation_ * sum);
      };
      Outputs& told = outputs[i];
      const Outputs sure = told;
      told.win += error();
      told.win_gammon += error();
      told.win_backgammon += error();
      told.lose_gammon += error();
      told.lose_backgammon += error();
      // What was impossible stays so.
      told = clamped(told, {sure.win_gammon > 0.0f, sure.win_backgammon > 0.0f, sure.lose_gammon > 0.0f,
                            sure.lose_backgammon > 0.0f});
    }
  }

  // The finaliser of SplitMix64 alone.
  static std::uint64_t mix(std::uint64_t bits) { return mixed(bits - kGoldenRatio); }

  std::shared_ptr<const Evaluator> evaluator_;
  double deviation_;
  std::uint64_t seed_;
};

}  // namespace kibitz
