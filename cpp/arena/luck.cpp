#include "arena/luck.hpp"

#include <string_view>

namespace kibitz {
namespace {

// Enough for the turns of a few pairs, and small enough for the processor's cache.
constexpr std::size_t kMostKnown = 1024;

}  // namespace

std::size_t LuckMeter::QuestionHash::operator()(const Question& question) const {
  static_assert(sizeof(Question) == sizeof(Position) + 14);
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(&question), sizeof(Question)});
}

const LuckMeter::RollValues& LuckMeter::values(const Position& position, const CubeModel& model, Side on_roll,
                                               bool cubeful) {
  const MatchState& match = model.match();
  const int rules = cubeful + 2 * match.crawford + 4 * match.jacoby + 8 * match.beavers;
  const auto brief = [](int number) { return static_cast<std::int16_t>(number); };
  const Question question{position,
                          {brief(match.my_away), brief(match.their_away), brief(match.cube),
                           brief(static_cast<int>(match.owner)), brief(match.max_cube), brief(on_roll), brief(rules)}};
  if (known_.size() >= kMostKnown) known_.clear();
  const auto [known, is_new] = known_.try_emplace(question);
  if (is_new) compute(position, model, on_roll, cubeful, known->second);
  return known->second;
}

void LuckMeter::compute(const Position& position, const CubeModel& model, Side on_roll, bool cubeful,
                        RollValues& values) {
  const LeafModel leaf(model, {.cubeful = cubeful});
  const Side opponent = 1 - on_roll;
  chooser_.look(*evaluator_, position, rolls_, true);
  for (int roll = 0; roll < kRolls; ++roll) {
    const Reply reply = chooser_.best(roll, leaf, on_roll);
    PositionValue after;
    if (cubeful) {
      leaf.value(reply.position, reply.outputs, opponent, after);
    } else {
      after.values[model.present()] = model.dead(reply.outputs, opponent, model.present());
    }
    values[roll] = -after.values[model.present()];
  }
}

double LuckMeter::luck(const Position& position, Dice dice, const CubeModel& model, Side on_roll, bool cubeful) {
  const RollValues& all = values(position, model, on_roll, cubeful);
  double mean = 0;
  for (int roll = 0; roll < kRolls; ++roll) mean += kAllRolls[roll].weight() * all[roll];
  return all[roll_index(dice)] - mean / 36.0;
}

double LuckMeter::opening_luck(const Position& start, Side starter, Dice dice, const CubeModel& model, bool cubeful) {
  double mean = 0, thrown = 0;
  for (Side side = 0; side < 2; ++side) {
    const RollValues& all = values(start, model, side, cubeful);
    const double sign = side == 0 ? 1.0 : -1.0;
    for (int roll = 0; roll < kRolls; ++roll)
      if (!kAllRolls[roll].is_double()) mean += sign * all[roll];
    if (side == starter) thrown = sign * all[roll_index(dice)];
  }
  return thrown - mean / 30.0;
}

}  // namespace kibitz
