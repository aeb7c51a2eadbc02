#include "eval/neural_evaluator.hpp"

#include <algorithm>

#include "eval/position_class.hpp"
#include "tables/exact.hpp"

namespace kibitz {
namespace {

// Whether a net has to judge positions of this class; the tables know all others exactly.
bool needs_net(PositionClass kind) { return !ExactTables::covers(kind); }

bool has_contact(PositionClass kind) { return kind == PositionClass::kContact || kind == PositionClass::kCrashed; }

float clamped(float value, float limit) { return value < 0.0f ? 0.0f : value > limit ? limit : value; }

}  // namespace

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

void NeuralEvaluator::evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Position& position = positions[i];
    const PositionClass kind = classify(position);
    if (!needs_net(kind)) {
      ExactTables::shared().evaluate(position, outputs[i]);
      continue;
    }
    const Network& network = has_contact(kind) ? *networks_.contact : *networks_.race;
    network.evaluate({&position, 1}, &outputs[i]);
    outputs[i] = sane(position, outputs[i]);
  }
}

void NeuralEvaluator::evaluate_near(const Position& before, std::span<const Position> results, bool glancing,
                                    Outputs* outputs) const {
  // The first layers of the position before the play, as the opponent sees it: made when the first result needs them.
  struct Start {
    Network::Accumulator accumulator;
    bool made = false;
  };
  thread_local Start contact_start;
  thread_local Start race_start;
  contact_start.made = race_start.made = false;
  const Network& contact_net = glancing ? *networks_.contact_glance : *networks_.contact;
  const Position seen = before.swapped();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Position& position = results[i];
    const PositionClass kind = classify(position);
    if (!needs_net(kind)) {
      ExactTables::shared().evaluate(position, outputs[i]);
      continue;
    }
    const Network& network = has_contact(kind) ? contact_net : *networks_.race;
    Start& start = has_contact(kind) ? contact_start : race_start;
    if (!start.made) network.start(seen, start.accumulator);
    start.made = true;
    outputs[i] = sane(position, network.evaluate_near(start.accumulator, position));
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
