#include "arena/contestant.hpp"

#include <algorithm>
#include <vector>

#include "board/plays.hpp"

namespace kibitz {
namespace {

// Equities closer than this are the same, and the double is made: as in kibitz.engine.results.
constexpr double kOptional = 1e-5;

class EngineContestant : public Contestant {
 public:
  explicit EngineContestant(const EngineSettings& settings)
      : settings_(settings), analyst_(settings.evaluator, 1, settings.cache_bytes) {}

  Position play(const Decision& decision, Dice dice) override {
    Interrupt never;
    return analyst_.rank(decision.position, dice, decision.model, settings_.rank, {}, never).results.front().result;
  }

  bool doubles(const Decision& decision) override {
    const CubeAnalysis analysis = analyse(decision);
    if (!analysis.available) return false;
    const CubeModel& model = decision.model;
    const double doubled =
        std::min(model.normalised(analysis.double_take, 0), model.normalised(analysis.double_pass, 0));
    return doubled >= model.normalised(analysis.no_double, 0) - kOptional;
  }

  bool takes(const Decision& decision) override {
    const CubeAnalysis analysis = analyse(decision);
    const CubeModel& model = decision.model;
    return model.normalised(analysis.double_take, 0) <= model.normalised(analysis.double_pass, 0) + kOptional;
  }

 private:
  CubeAnalysis analyse(const Decision& decision) {
    Interrupt never;
    return analyst_.cube(decision.position, decision.model, decision.model.match().owner, settings_.rank.plies,
                         settings_.cube, never);
  }

  EngineSettings settings_;
  Analyst analyst_;
};

// The legal results of a roll, and which of them to play.
class Picker : public Contestant {
 public:
  Position play(const Decision& decision, Dice dice) final {
    legal_results(decision.position, dice, results_);
    if (results_.empty()) return decision.position.swapped();
    return results_[results_.size() == 1 ? 0 : pick(decision, dice)];
  }

 protected:
  virtual std::size_t pick(const Decision& decision, Dice dice) = 0;
  // The first of the results with the lowest cost.
  template <typename Cost>
  std::size_t cheapest(const Cost& cost) const {
    std::size_t best = 0;
    double lowest = cost(results_[0]);
    for (std::size_t i = 1; i < results_.size(); ++i)
      if (const double here = cost(results_[i]); here < lowest) best = i, lowest = here;
    return best;
  }
  std::vector<Position> results_;
};

class TabulaContestant : public Picker {
 public:
  explicit TabulaContestant(const TabulaWeights& weights) : weights_(weights) {}

 protected:
  std::size_t pick(const Decision& decision, Dice) override {
    return cheapest([&](const Position& result) { return tabula_play(decision.position, result, weights_).score; });
  }

 private:
  TabulaWeights weights_;
};

class TenFactorContestant : public Picker {
 public:
  explicit TenFactorContestant(const Factors& weights) : weights_(weights) {}

 protected:
  std::size_t pick(const Decision& decision, Dice dice) override {
    return cheapest([&](const Position& result) {
      return -ten_factor_score(ten_factors(decision.position, dice, result), weights_);
    });
  }

 private:
  Factors weights_;
};

class RandomContestant : public Picker {
 protected:
  std::size_t pick(const Decision& decision, Dice) override { return decision.number % results_.size(); }
};

template <typename Kind, typename... Settings>
ContestantMaker maker(const Settings&... settings) {
  return {[=] { return std::make_unique<Kind>(settings...); }};
}

}  // namespace

ContestantMaker engine_maker(const EngineSettings& settings) { return maker<EngineContestant>(settings); }
ContestantMaker tabula_maker(const TabulaWeights& weights) { return maker<TabulaContestant>(weights); }
ContestantMaker ten_factor_maker(const Factors& weights) { return maker<TenFactorContestant>(weights); }
ContestantMaker random_maker() { return maker<RandomContestant>(); }

}  // namespace kibitz
