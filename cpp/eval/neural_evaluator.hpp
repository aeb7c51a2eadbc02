// The evaluator that answers every position: exact where the tables reach, a net for each class of the others.
#pragma once

#include <array>
#include <memory>

#include "eval/evaluator.hpp"
#include "eval/network.hpp"
#include "eval/position_class.hpp"

namespace kibitz {

// Answers some positions exactly; the tables are one.
class ExactSource {
 public:
  virtual ~ExactSource() = default;
  // Whether it knows the position, and if so what it is worth to the player on roll.
  virtual bool evaluate(const Position& position, Outputs& outputs) const = 0;
};

// Which net judges which class, and which cheap one looks first.
struct NetworkSet {
  std::shared_ptr<const Network> contact;
  std::shared_ptr<const Network> race;
  std::shared_ptr<const Network> contact_glance;
};

class NeuralEvaluator : public Evaluator {
 public:
  NeuralEvaluator(NetworkSet networks, std::shared_ptr<const ExactSource> exact);

  using Evaluator::evaluate;
  void evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const override;
  void evaluate_results(const Position& before, std::span<const Position> results,
                        std::span<Outputs> outputs) const override;
  void glance(const Position& before, std::span<const Position> results, std::span<float> equities) const override;

 private:
  void evaluate_near(const Position& before, std::span<const Position> results, bool glancing, Outputs* outputs) const;

  NetworkSet networks_;
  std::shared_ptr<const ExactSource> exact_;
};

// The result of a game that is over, for the player on roll. `total` is the number of checkers a side started with.
Outputs final_outputs(const Position& position, int total = kCheckers);

// Probabilities in [0, 1] and nested, and zero for what can no longer happen: a gammon against a side that has borne off
// a checker, a backgammon against a side that can no longer be caught in the winner's home board.
Outputs sane(const Position& position, Outputs outputs);

}  // namespace kibitz
