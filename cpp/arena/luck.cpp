#include "arena/luck.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>

#include "board/plays.hpp"
#include "search/game_over.hpp"

namespace kibitz {
namespace {

// Enough for the turns of a few pairs, and small enough for the processor's cache.
constexpr std::size_t kMostKnown = 1024;

}  // namespace

double LuckMeter::value_of(const Position& result, const Outputs& outputs, const CubeModel& model, int state,
                           Side on_roll, bool cubeful) const {
  if (is_over(result)) return -model.dead(final_outputs(result), on_roll, state);
  if (!cubeful) return -model.dead(outputs, on_roll, state);
  StateValues values;
  const StateMask mask = model.closure(StateMask{1} << state);
  model.undecided(outputs, life_.of(result), on_roll, mask, values);
  model.decide(on_roll, mask, values);
  return -values[state];
}

std::size_t LuckMeter::QuestionHash::operator()(const Question& question) const {
  static_assert(sizeof(Question) == sizeof(Position) + 16);
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(&question), sizeof(Question)});
}

const LuckMeter::RollValues& LuckMeter::values(const Position& position, const CubeModel& model, int state,
                                               Side on_roll, bool cubeful) {
  const Stakes& stakes = model.stakes();
  const Question question{
      position,
      {static_cast<std::int16_t>(stakes.my_away), static_cast<std::int16_t>(stakes.their_away),
       static_cast<std::int16_t>(stakes.cube), static_cast<std::int16_t>(stakes.owner),
       static_cast<std::int16_t>(stakes.max_cube), static_cast<std::int16_t>(state), static_cast<std::int16_t>(on_roll),
       static_cast<std::int16_t>(cubeful + 2 * stakes.crawford + 4 * stakes.jacoby + 8 * stakes.beavers)}};
  if (known_.size() >= kMostKnown) known_.clear();
  const auto [known, is_new] = known_.try_emplace(question);
  if (is_new) compute(position, model, state, on_roll, cubeful, known->second);
  return known->second;
}

void LuckMeter::compute(const Position& position, const CubeModel& model, int state, Side on_roll, bool cubeful,
                        RollValues& values) {
  std::array<std::size_t, kRolls + 1> first{};
  results_.clear();
  for (int roll = 0; roll < kRolls; ++roll) {
    const std::size_t before = results_.size();
    append_legal_results(position, kAllRolls[roll], results_);
    if (results_.size() == before) results_.push_back(position.swapped());
    first[roll + 1] = results_.size();
  }
  std::vector<Position>* judged = &results_;
  if (shortlist_ > 0) {
    glances_.resize(results_.size());
    evaluator_->glance(position, results_, glances_);
    kept_.clear();
    order_.resize(results_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    for (int roll = 0; roll < kRolls; ++roll) {
      const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first[roll]);
      const auto end = order_.begin() + static_cast<std::ptrdiff_t>(first[roll + 1]);
      const auto keep = std::min<std::ptrdiff_t>(shortlist_, end - begin);
      // Equal glances are told apart by their order, so that the digits do not depend on the library's sort.
      std::partial_sort(begin, begin + keep, end, [&](std::uint32_t a, std::uint32_t b) {
        return glances_[a] != glances_[b] ? glances_[a] < glances_[b] : a < b;
      });
      first[roll] = kept_.size();
      for (auto one = begin; one != begin + keep; ++one) kept_.push_back(results_[*one]);
    }
    first[kRolls] = kept_.size();
    judged = &kept_;
  }
  outputs_.resize(judged->size());
  evaluator_->evaluate_results(position, *judged, outputs_);
  for (int roll = 0; roll < kRolls; ++roll) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = first[roll]; i < first[roll + 1]; ++i)
      best = std::max(best, value_of((*judged)[i], outputs_[i], model, state, 1 - on_roll, cubeful));
    values[roll] = best;
  }
}

double LuckMeter::luck(const Position& position, Dice dice, const CubeModel& model, int state, Side on_roll,
                       bool cubeful) {
  const RollValues& all = values(position, model, state, on_roll, cubeful);
  double mean = 0;
  for (int roll = 0; roll < kRolls; ++roll) mean += kAllRolls[roll].weight() * all[roll];
  return all[roll_index(dice)] - mean / 36.0;
}

double LuckMeter::opening_luck(const Position& start, Side starter, Dice dice, const CubeModel& model, int state,
                               bool cubeful) {
  double mean = 0, thrown = 0;
  for (Side side = 0; side < 2; ++side) {
    const RollValues& all = values(start, model, state, side, cubeful);
    const double sign = side == 0 ? 1.0 : -1.0;
    for (int roll = 0; roll < kRolls; ++roll)
      if (!kAllRolls[roll].is_double()) mean += sign * all[roll];
    if (side == starter) thrown = sign * all[roll_index(dice)];
  }
  return thrown - mean / 30.0;
}

}  // namespace kibitz
