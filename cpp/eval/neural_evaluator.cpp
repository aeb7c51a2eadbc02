#include "eval/neural_evaluator.hpp"

#include <optional>

namespace kibitz {
namespace {

// How a finished game counts against the loser, whose row this is: 1, 2 or 3.
int points_lost(const Row& loser, int total) {
  if (checkers(loser) < total) return 1;
  return rearmost(loser) >= kPoints - kHome ? 3 : 2;
}

float clamped(float value, float limit) { return value < 0.0f ? 0.0f : value > limit ? limit : value; }

}  // namespace

Outputs final_outputs(const Position& position, int total) {
  if (checkers(position.mine) == 0) {
    const int points = points_lost(position.theirs, total);
    return {1.0f, points >= 2 ? 1.0f : 0.0f, points >= 3 ? 1.0f : 0.0f, 0.0f, 0.0f};
  }
  const int points = points_lost(position.mine, total);
  return {0.0f, 0.0f, 0.0f, points >= 2 ? 1.0f : 0.0f, points >= 3 ? 1.0f : 0.0f};
}

Outputs sane(const Position& position, Outputs outputs) {
  const bool contact = in_contact(position);
  const bool can_win_gammon = checkers(position.theirs) == kCheckers;
  const bool can_lose_gammon = checkers(position.mine) == kCheckers;
  const bool can_win_backgammon = can_win_gammon && (contact || rearmost(position.theirs) >= kPoints - kHome);
  const bool can_lose_backgammon = can_lose_gammon && (contact || rearmost(position.mine) >= kPoints - kHome);
  outputs.win = clamped(outputs.win, 1.0f);
  outputs.win_gammon = can_win_gammon ? clamped(outputs.win_gammon, outputs.win) : 0.0f;
  outputs.win_backgammon = can_win_backgammon ? clamped(outputs.win_backgammon, outputs.win_gammon) : 0.0f;
  outputs.lose_gammon = can_lose_gammon ? clamped(outputs.lose_gammon, 1.0f - outputs.win) : 0.0f;
  outputs.lose_backgammon = can_lose_backgammon ? clamped(outputs.lose_backgammon, outputs.lose_gammon) : 0.0f;
  return outputs;
}

NeuralEvaluator::NeuralEvaluator(NetworkSet networks, std::shared_ptr<const ExactSource> exact)
    : networks_(std::move(networks)), exact_(std::move(exact)) {}

void NeuralEvaluator::evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Position& position = positions[i];
    const PositionClass kind = classify(position);
    if (kind == PositionClass::kOver) {
      outputs[i] = final_outputs(position);
      continue;
    }
    const bool contact = kind == PositionClass::kContact || kind == PositionClass::kCrashed;
    if (!contact && exact_ && exact_->evaluate(position, outputs[i])) continue;
    const Network& network = contact ? *networks_.contact : *networks_.race;
    network.evaluate({&position, 1}, &outputs[i]);
    outputs[i] = sane(position, outputs[i]);
  }
}

void NeuralEvaluator::evaluate_near(const Position& before, std::span<const Position> results, bool glancing,
                                    Outputs* outputs) const {
  // The first layers of the position before the play, as the opponent sees it: made when the first result needs them.
  thread_local Network::Accumulator contact_start;
  thread_local Network::Accumulator race_start;
  bool contact_started = false;
  bool race_started = false;
  const Network& contact_net = glancing ? *networks_.contact_glance : *networks_.contact;
  const Position seen = before.swapped();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Position& position = results[i];
    const PositionClass kind = classify(position);
    if (kind == PositionClass::kOver) {
      outputs[i] = final_outputs(position);
      continue;
    }
    if (kind == PositionClass::kContact || kind == PositionClass::kCrashed) {
      if (!contact_started) contact_net.start(seen, contact_start);
      contact_started = true;
      outputs[i] = contact_net.evaluate_near(contact_start, position);
    } else {
      if (exact_ && exact_->evaluate(position, outputs[i])) continue;
      if (!race_started) networks_.race->start(seen, race_start);
      race_started = true;
      outputs[i] = networks_.race->evaluate_near(race_start, position);
    }
    outputs[i] = sane(position, outputs[i]);
  }
}

void NeuralEvaluator::evaluate_results(const Position& before, std::span<const Position> results,
                                       std::span<Outputs> outputs) const {
  evaluate_near(before, results, false, outputs.data());
}

void NeuralEvaluator::glance(const Position& before, std::span<const Position> results,
                             std::span<float> equities) const {
  constexpr std::size_t kChunk = 64;
  Outputs outputs[kChunk];
  for (std::size_t start = 0; start < results.size(); start += kChunk) {
    const std::size_t size = std::min(kChunk, results.size() - start);
    evaluate_near(before, results.subspan(start, size), true, outputs);
    for (std::size_t i = 0; i < size; ++i) equities[start + i] = outputs[i].equity();
  }
}

}  // namespace kibitz
