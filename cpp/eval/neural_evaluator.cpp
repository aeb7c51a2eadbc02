#include "eval/neural_evaluator.hpp"

#include <algorithm>

#include "eval/position_class.hpp"
#include "tables/exact.hpp"

namespace kibitz {
namespace {

float clamped(float value, float limit) { return value < 0.0f ? 0.0f : value > limit ? limit : value; }

}  // namespace

NeuralEvaluator::Judge NeuralEvaluator::judge_of(const Position& position) {
  // Most positions are in contact, whatever their class, and that is quickly seen.
  if (in_contact(position)) return Judge::kContactNet;
  // One entry for each position class.
  static constexpr Judge kJudges[kPositionClasses] = {Judge::kTables,  Judge::kTables,     Judge::kTables,
                                                      Judge::kRaceNet, Judge::kContactNet, Judge::kContactNet};
  return kJudges[static_cast<int>(classify(position))];
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

void NeuralEvaluator::evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const {
  // Runs of positions for the same net go through it together.
  for (std::size_t start = 0; start < positions.size();) {
    const Judge judge = judge_of(positions[start]);
    std::size_t end = start + 1;
    while (end < positions.size() && judge_of(positions[end]) == judge) ++end;
    if (judge == Judge::kTables) {
      for (std::size_t i = start; i < end; ++i) ExactTables::shared().evaluate(positions[i], outputs[i]);
    } else {
      const Network& network = judge == Judge::kContactNet ? *networks_.contact : *networks_.race;
      network.evaluate(positions.subspan(start, end - start), outputs.data() + start);
      for (std::size_t i = start; i < end; ++i) outputs[i] = sane(positions[i], outputs[i]);
    }
    start = end;
  }
}

void NeuralEvaluator::evaluate_near(const Position& before, std::span<const Position> results, bool glancing,
                                    Outputs* outputs) const {
  thread_local std::vector<Judge> judges;
  judges.clear();
  for (std::size_t i = 0; i < results.size(); ++i) {
    judges.push_back(judge_of(results[i]));
    if (judges.back() == Judge::kTables) ExactTables::shared().evaluate(results[i], outputs[i]);
  }
  const Network& contact = glancing ? *networks_.contact_glance : *networks_.contact;
  evaluate_near(contact, Judge::kContactNet, judges, before, results, outputs);
  evaluate_near(*networks_.race, Judge::kRaceNet, judges, before, results, outputs);
}

void NeuralEvaluator::evaluate_near(const Network& network, Judge judge, std::span<const Judge> judges,
                                    const Position& before, std::span<const Position> results,
                                    Outputs* outputs) const {
  thread_local std::vector<const Position*> chosen;
  thread_local std::vector<Outputs> answers;
  thread_local Network::Accumulator start;
  chosen.clear();
  for (std::size_t i = 0; i < results.size(); ++i)
    if (judges[i] == judge) chosen.push_back(&results[i]);
  if (chosen.empty()) return;
  answers.resize(chosen.size());
  network.start(before.swapped(), start);
  network.evaluate_near(start, chosen, answers.data());
  for (std::size_t k = 0; k < chosen.size(); ++k)
    outputs[chosen[k] - results.data()] = answers[k];
}

void NeuralEvaluator::evaluate_results(const Position& before, std::span<const Position> results,
                                       std::span<Outputs> outputs) const {
  evaluate_near(before, results, false, outputs.data());
  for (std::size_t i = 0; i < results.size(); ++i) outputs[i] = sane(results[i], outputs[i]);
}

void NeuralEvaluator::glance(const Position& before, std::span<const Position> results,
                             std::span<float> equities) const {
  constexpr std::size_t kChunk = 256;
  Outputs outputs[kChunk];
  for (std::size_t start = 0; start < results.size(); start += kChunk) {
    const std::size_t size = std::min(kChunk, results.size() - start);
    evaluate_near(before, results.subspan(start, size), true, outputs);
    for (std::size_t i = 0; i < size; ++i) equities[start + i] = outputs[i].equity();
  }
}

bool NeuralEvaluator::sketch(const Position& before, std::span<const Position> results,
                             std::span<float> equities) const {
  if (networks_.contact_sketch == nullptr || !Sketch::covers(before)) return false;
  networks_.contact_sketch->differences(before, results, equities);
  return true;
}

}  // namespace kibitz
