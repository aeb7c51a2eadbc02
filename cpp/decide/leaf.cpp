#include "decide/leaf.hpp"

#include <algorithm>

#include "board/game_over.hpp"
#include "board/plays.hpp"
#include "tables/exact.hpp"

namespace kibitz {
namespace {

StateMask reached_at_once(const CubeModel& model) {
  StateMask states = only(model.present());
  for (Side side = 0; side < 2; ++side)
    if (const int after = model.doubled(model.present(), side); after >= 0) states |= only(after);
  return states;
}

}  // namespace

LeafModel::LeafModel(const CubeModel& model, const LeafSettings& settings, StateMask roots, StateMask states)
    : model_(model), settings_(settings), root_mask_(roots), states_(states) {
  for (int state = 0; state < kMaxStates; ++state)
    if (roots >> state & 1) roots_.push_back(state);
}

LeafModel::LeafModel(const CubeModel& model, const LeafSettings& settings)
    : LeafModel(model, settings, only(model.present()), reached_at_once(model)) {}

void LeafModel::undecided(const Position& position, const Outputs& outputs, Side on_roll, PositionValue& value) const {
  value.outputs = outputs;
  model_.undecided(outputs, settings_.efficiency.of(position), on_roll, states_, value.values);
}

void LeafModel::finished(const Position& position, Side on_roll, PositionValue& value) const {
  const Outputs outputs = final_outputs(position, settings_.total_checkers);
  value.outputs = outputs;
  for (int state = 0; state < kMaxStates; ++state)
    if (states_ >> state & 1) value.values[state] = model_.dead(outputs, on_roll, state);
}

bool LeafModel::knows(const Position& position) const {
  if (!settings_.exact || !model_.is_unlimited_money() || is_over(position)) return false;
  MoneyEquities equities;
  return ExactTables::shared().money_equities(position, equities, settings_.total_checkers);
}

bool LeafModel::exact(const Position& position, Side on_roll, PositionValue& value) const {
  MoneyEquities equities;
  if (!settings_.exact || !model_.is_unlimited_money() ||
      !ExactTables::shared().money_equities(position, equities, settings_.total_checkers))
    return false;
  Outputs outputs;
  ExactTables::shared().evaluate(position, outputs, settings_.total_checkers);
  value.outputs = outputs;
  const double centred = model_.match().jacoby ? equities.jacoby : equities.centred;
  for (int state = 0; state < kMaxStates; ++state) {
    if (!(states_ >> state & 1)) continue;
    const int owner = state % 3;
    value.values[state] = owner == 0 ? centred : owner == 1 + on_roll ? equities.owned : equities.unavailable;
  }
  return true;
}

void LeafModel::exact_undecided(const Position& position, Side on_roll, PositionValue& value) const {
  exact(position, on_roll, value);
  value.values.fill(0.0);
  std::vector<Position> results;
  for (const Dice& dice : kAllRolls) {
    legal_results(position, dice, results);
    if (results.empty()) results.push_back(position.swapped());
    StateValues best;
    best.fill(-1e9);
    for (const Position& result : results) {
      PositionValue after{};
      settled(result, 1 - on_roll, after);
      for (int state = 0; state < kMaxStates; ++state) best[state] = std::max(best[state], -after.values[state]);
    }
    for (int state = 0; state < kMaxStates; ++state) value.values[state] += dice.weight() * best[state] / 36.0;
  }
}

bool LeafModel::settled(const Position& position, Side on_roll, PositionValue& value) const {
  if (!is_over(position)) return exact(position, on_roll, value);
  finished(position, on_roll, value);
  return true;
}

void LeafModel::value(const Position& position, const Outputs& outputs, Side on_roll, PositionValue& value) const {
  if (settled(position, on_roll, value)) return;
  undecided(position, outputs, on_roll, value);
  decide(on_roll, value);
}

void LeafModel::scores(const Position& result, const Outputs& outputs, Side on_roll, StateValues& scores) const {
  if (settings_.cubeful) {
    // Without the decision: a result that the opponent cashes anyway should still be the best of those.
    model_.undecided(outputs, settings_.efficiency.of(result), on_roll, root_mask_, scores);
  } else {
    for (const int root : roots_) scores[root] = model_.dead(outputs, on_roll, root);
  }
}

}  // namespace kibitz
