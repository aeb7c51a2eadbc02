#include "eval/neural_evaluator.hpp"

#include <algorithm>

#include "board/position_class.hpp"
#include "tables/exact.hpp"

namespace kibitz {
namespace {

// Whether all results of a roll are in contact, as they mostly are. While the rearmost checker stays where it was,
// there is as much contact as before.
bool all_in_contact(const Position& before, std::span<const Position> results) {
  if (!in_contact(before)) return false;
  const int rear = rearmost(before.mine);
  for (const Position& result : results)
    if (result.theirs[rear] == 0 && !in_contact(result)) return false;
  return true;
}

// No gammon against a side that has borne off a checker, no backgammon against one that can no longer be caught in the
// winner's home board.
Outputs clamped_outputs(const Position& position, const Outputs& outputs) {
  const bool contact = in_contact(position);
  const bool win_gammon = checkers(position.theirs) == kCheckers;
  const bool lose_gammon = checkers(position.mine) == kCheckers;
  return clamped(outputs, {win_gammon, win_gammon && (contact || rearmost(position.theirs) >= kPoints - kHome),
                           lose_gammon, lose_gammon && (contact || rearmost(position.mine) >= kPoints - kHome)});
}

}  // namespace

NeuralEvaluator::Source NeuralEvaluator::source_of(const Position& position) {
  // Most positions are in contact, whatever their class, and that is quickly seen.
  if (in_contact(position)) return Source::kContactNet;
  // One entry for each position class.
  static constexpr Source kSources[kPositionClasses] = {Source::kTables, Source::kTables,     Source::kTables,
                                                        Source::kRaces,  Source::kContactNet, Source::kContactNet};
  const Source source = kSources[static_cast<int>(classify(position))];
  // A table on disk may reach farther than those in memory.
  if (source == Source::kRaces && ExactTables::shared().answer(position) != ExactTables::Answer::kNone)
    return Source::kTables;
  return source;
}

void NeuralEvaluator::evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const {
  // Runs of positions with the same source are evaluated together.
  for (std::size_t start = 0; start < positions.size();) {
    const Source source = source_of(positions[start]);
    std::size_t end = start + 1;
    while (end < positions.size() && source_of(positions[end]) == source) ++end;
    if (source == Source::kTables) {
      for (std::size_t i = start; i < end; ++i) ExactTables::shared().evaluate(positions[i], outputs[i]);
    } else {
      const auto some = positions.subspan(start, end - start);
      if (source == Source::kRaces) {
        races_.evaluate(some, outputs.data() + start);
      } else {
        networks_.contact->evaluate(some, outputs.data() + start);
      }
      for (std::size_t i = start; i < end; ++i) outputs[i] = clamped_outputs(positions[i], outputs[i]);
    }
    start = end;
  }
}

void NeuralEvaluator::evaluate_mixed(const Network& contact, const Position& before, std::span<const Position> results,
                                     Outputs* outputs) const {
  thread_local std::vector<int> places[2];  // of the results for the net, and of those that are races
  thread_local std::vector<Position> chosen;
  thread_local std::vector<Outputs> answers;
  for (std::vector<int>& some : places) some.clear();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Source source = source_of(results[i]);
    if (source == Source::kTables) {
      ExactTables::shared().evaluate(results[i], outputs[i]);
    } else {
      places[source == Source::kRaces].push_back(static_cast<int>(i));
    }
  }
  for (const bool race : {false, true}) {
    if (places[race].empty()) continue;
    chosen.clear();
    for (const int place : places[race]) chosen.push_back(results[place]);
    answers.resize(chosen.size());
    if (race) {
      races_.evaluate_results(before, chosen, answers.data());
    } else {
      Network::Accumulator start;
      contact.start(before.swapped(), start);
      contact.evaluate_near(start, chosen, answers.data());
    }
    for (std::size_t k = 0; k < chosen.size(); ++k) outputs[places[race][k]] = answers[k];
  }
}

void NeuralEvaluator::evaluate_results(const Position& before, std::span<const Position> results,
                                       std::span<Outputs> outputs) const {
  if (results.empty()) return;
  if (all_in_contact(before, results)) {
    // Few results are closer to one of them than to the position before.
    Network::Accumulator start;
    networks_.contact->start(results.size() < 4 ? results.front() : before.swapped(), start);
    networks_.contact->evaluate_near(start, results, outputs.data());
  } else {
    evaluate_mixed(*networks_.contact, before, results, outputs.data());
  }
  for (std::size_t i = 0; i < results.size(); ++i) outputs[i] = clamped_outputs(results[i], outputs[i]);
}

void NeuralEvaluator::pruning_equities(const Position& before, std::span<const Position> results,
                                       std::span<float> equities) const {
  thread_local std::vector<Outputs> outputs;
  outputs.resize(results.size());
  if (all_in_contact(before, results)) {
    Network::Accumulator start;
    networks_.contact_pruning->start(before.swapped(), start);
    networks_.contact_pruning->evaluate_near(start, results, outputs.data());
  } else {
    evaluate_mixed(*networks_.contact_pruning, before, results, outputs.data());
  }
  for (std::size_t i = 0; i < results.size(); ++i) equities[i] = outputs[i].equity();
}

bool NeuralEvaluator::prefilter(const Position& before, std::span<const Position> results,
                                std::span<float> equities) const {
  if (!in_contact(before)) {
    if (!Races::can_prefilter(before)) return false;
    races_.prefilter(before, results, equities);
    return true;
  }
  if (networks_.contact_prefilter == nullptr || !LinearPrefilter::covers(before)) return false;
  networks_.contact_prefilter->differences(before, results, equities);
  return true;
}

}  // namespace kibitz
