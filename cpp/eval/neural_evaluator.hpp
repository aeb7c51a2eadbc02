// The evaluator that answers every position: exact where the tables reach, a net for each class of the others.
#pragma once

#include <memory>

#include "eval/evaluator.hpp"
#include "eval/linear_prefilter.hpp"
#include "eval/network.hpp"
#include "eval/races.hpp"

namespace kibitz {

// Which net evaluates which class, and which cheap ones look first.
struct NetworkSet {
  std::shared_ptr<const Network> contact;
  std::shared_ptr<const RaceNetwork> race;
  std::shared_ptr<const Network> contact_pruning;
  std::shared_ptr<const LinearPrefilter> contact_prefilter = nullptr;  // may be missing: then nothing is left out
};

class NeuralEvaluator : public Evaluator {
 public:
  explicit NeuralEvaluator(NetworkSet networks) : networks_(std::move(networks)), races_(networks_.race) {}

  using Evaluator::evaluate;
  void evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const override;
  void evaluate_results(const Position& before, std::span<const Position> results,
                        std::span<Outputs> outputs) const override;
  void pruning_equities(const Position& before, std::span<const Position> results,
                        std::span<float> equities) const override;
  bool prefilter(const Position& before, std::span<const Position> results, std::span<float> equities) const override;

 private:
  // Who answers for a position.
  enum class Source : std::uint8_t { kTables, kRaces, kContactNet };
  static Source source_of(const Position& position);

  // Results of one roll of which some are no longer in contact.
  void evaluate_mixed(const Network& contact, const Position& before, std::span<const Position> results,
                      Outputs* outputs) const;

  NetworkSet networks_;
  Races races_;
};

}  // namespace kibitz
