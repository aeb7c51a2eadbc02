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

// Chooses among the legal results of a roll.
class Picker : public Contestant {
 public:
  Position play(const Decision& decision, Dice dice) final {
    legal_results(decision.position, dice, results_);
    if (results_.empty()) return decision.position.swapped();
    return results_[results_.size() == 1 ? 0 : pick(decision, dice)];
  }

 protected:
  virtual std::size_t pick(const Decision& decision, Dice dice) = 0;
  std::vector<Position> results_;
};

class TabulaContestant : public Picker {
 public:
  explicit TabulaContestant(const TabulaWeights& weights) : weights_(weights) {}

 protected:
  std::size_t pick(const Decision& decision, Dice) override {
    std::size_t best = 0;
    double lowest = 0;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const double score = tabula_play(decision.position, results_[i], weights_).score;
      if (i == 0 || score < lowest) best = i, lowest = score;
    }
    return best;
  }

 private:
  TabulaWeights weights_;
};

class TenFactorContestant : public Picker {
 public:
  explicit TenFactorContestant(const Factors& weights) : weights_(weights) {}

 protected:
  std::size_t pick(const Decision& decision, Dice dice) override {
    std::size_t best = 0;
    double highest = 0;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const double score = ten_factor_score(ten_factors(decision.position, dice, results_[i]), weights_);
      if (i == 0 || score > highest) best = i, highest = score;
    }
    return best;
  }

 private:
  Factors weights_;
};

class RandomContestant : public Picker {
 protected:
  std::size_t pick(const Decision& decision, Dice) override { return decision.number % results_.size(); }
};

template <typename Kind, typename Settings>
class Maker : public ContestantMaker {
 public:
  explicit Maker(Settings settings) : settings_(std::move(settings)) {}
  std::unique_ptr<Contestant> make() const override { return std::make_unique<Kind>(settings_); }

 private:
  Settings settings_;
};

class RandomMaker : public ContestantMaker {
 public:
  std::unique_ptr<Contestant> make() const override { return std::make_unique<RandomContestant>(); }
};

}  // namespace

std::shared_ptr<ContestantMaker> engine_maker(EngineSettings settings) {
  return std::make_shared<Maker<EngineContestant, EngineSettings>>(std::move(settings));
}
std::shared_ptr<ContestantMaker> tabula_maker(const TabulaWeights& weights) {
  return std::make_shared<Maker<TabulaContestant, TabulaWeights>>(weights);
}
std::shared_ptr<ContestantMaker> ten_factor_maker(const Factors& weights) {
  return std::make_shared<Maker<TenFactorContestant, Factors>>(weights);
}
std::shared_ptr<ContestantMaker> random_maker() { return std::make_shared<RandomMaker>(); }

}  // namespace kibitz
