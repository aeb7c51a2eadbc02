// The evaluator that answers every position: exact where the tables reach, a net for each class of the others.
#pragma once

#include <memory>

#include "eval/evaluator.hpp"
#include "eval/network.hpp"
#include "eval/races.hpp"
#include "eval/sketch.hpp"

namespace kibitz {

// Which net judges which class, and which cheap one looks first.
struct NetworkSet {
  std::shared_ptr<const Network> contact;
  std::shared_ptr<const RaceNetwork> race;
  std::shared_ptr<const Network> contact_glance;
  std::shared_ptr<const Sketch> contact_sketch = nullptr;  // may be missing: then every result gets a glance
};

class NeuralEvaluator : public Evaluator {
 public:
  explicit NeuralEvaluator(NetworkSet networks) : networks_(std::move(networks)), races_(networks_.race) {}

  using Evaluator::evaluate;
  void evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const override;
  void evaluate_results(const Position& before, std::span<const Position> results,
                        std::span<Outputs> outputs) const override;
  void glance(const Position& before, std::span<const Position> results, std::span<float> equities) const override;
  bool sketch(const Position& before, std::span<const Position> results, std::span<float> equities) const override;

 private:
  // Who answers for a position.
  enum class Judge : std::uint8_t { kTables, kRaces, kContactNet };
  static Judge judge_of(const Position& position);

  // Results of one roll of which some are no longer in contact.
  void evaluate_mixed(const Network& contact, const Position& before, std::span<const Position> results,
                      Outputs* outputs) const;

  NetworkSet networks_;
  Races races_;
};

// Probabilities in [0, 1] and nested, and zero for what can no longer happen: a gammon against a side that has borne off
// a checker, a backgammon against a side that can no longer be caught in the winner's home board.
Outputs sane(const Position& position, Outputs outputs);

}  // namespace kibitz
