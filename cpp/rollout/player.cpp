#include "rollout/player.hpp"

#include <algorithm>

#include "board/game_over.hpp"
#include "tables/exact.hpp"

namespace kibitz {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{32} << 20;

bool looks_ahead(const RolloutSettings& settings) {
  bool ahead = settings.luck_plies > 0 || settings.truncation_plies > 0;
  for (const SideSettings& side : settings.sides)
    for (const StagePlies& stage : side.plies) ahead |= stage.play > 0 || stage.cube > 0;
  return ahead;
}

ReplyLimits limits_of_plays(const SideSettings& side) {
  ReplyLimits limits = ReplyLimits::quick(side.shortlist);
  limits.gap = static_cast<float>(side.shortlist_gap);
  return limits;
}

}  // namespace

Player::Player(std::shared_ptr<const Evaluator> evaluator, std::shared_ptr<const Evaluator> luck,
               const RolloutSettings& settings)
    : settings_(settings),
      play_limits_{limits_of_plays(settings.sides[0]), limits_of_plays(settings.sides[1])},
      evaluator_(evaluator),
      luck_(luck ? std::move(luck) : evaluator),
      analyst_(std::move(evaluator), 1, looks_ahead(settings) ? kCacheBytes : 0) {}

Value Player::finished(const Position& position, const LeafModel& leaf) const {
  Value found{final_outputs(position, settings_.total_checkers)};
  if (settings_.cubeful) found.utility = leaf.model().dead(found.outputs, 0, leaf.model().present());
  return found;
}

bool Player::exact(const Position& position, Side side, const CubeState& cube, Value& found) const {
  const LeafModel& leaf = cube.leaf(side);
  if (settings_.cubeful && !cube.is_dead()) {
    PositionValue value;
    if (!leaf.exact(position, 0, value)) return false;
    found = {value.outputs, value.values[leaf.model().present()]};
    return true;
  }
  Outputs outputs;
  if (!ExactTables::shared().evaluate(position, outputs, settings_.total_checkers)) return false;
  found = {outputs, settings_.cubeful ? leaf.model().dead(outputs, 0, leaf.model().present()) : 0.0};
  return true;
}

bool Player::value(const Position& position, const Outputs& outputs, const LeafModel& leaf, int plies,
                   Interrupt& interrupt, Value& found) const {
  const int present = leaf.model().present();
  if (plies <= 0 && !settings_.cubeful) {
    found = {outputs, 0.0};
    return true;
  }
  PositionValue value;
  if (plies <= 0) {
    leaf.value(position, outputs, 0, value);
  } else if (!analyst_.value(position, leaf.model(), plies, tree(leaf, 0), interrupt, value)) {
    return false;
  }
  found = {value.outputs, settings_.cubeful ? value.values[present] : 0.0};
  return true;
}

bool Player::cube(const Position& position, const Outputs& outputs, const LeafModel& leaf, Side eyes, int plies,
                  Interrupt& interrupt, CubeView& view) const {
  const CubeModel& model = leaf.model();
  const int present = model.present();
  double taken;
  if (plies > 0 || leaf.knows(position)) {
    const CubeAnalysis analysis =
        analyst_.cube(position, model, model.match().owner, plies, tree(leaf, eyes), interrupt);
    if (analysis.stopped) return false;
    view.no_double = analysis.no_double;
    taken = analysis.double_take / model.scale();
  } else {
    PositionValue value;
    leaf.undecided(position, outputs, 0, value);
    view.no_double = value.values[present];
    taken = value.values[model.doubled(present, 0)];
  }
  view.taken = model.taken_value(taken);
  view.passed = model.passed_value(present, 0);
  view.beaver = view.taken != model.scale() * taken;
  return true;
}

// Every roll gets a quick look for the luck; the one that is played, if any, also the look that a play deserves.
AllRollRequests Player::requests(int played, Side side) const {
  ReplyLimits quick = ReplyLimits::quick(settings_.luck_replies);
  quick.at_least = settings_.luck_replies;
  AllRollRequests rolls = all_rolls(quick);
  if (played < 0) return rolls;
  ReplyLimits& limits = rolls[played].limits;
  limits = play_limits_[side];
  limits.prefiltered = std::max(limits.prefiltered, quick.prefiltered);
  limits.evaluated = std::max(limits.evaluated, quick.evaluated);
  limits.at_least = quick.at_least;
  return rolls;
}

bool Player::play(const Position& position, Dice dice, Side side, const CubeState& cube, int plies,
                  Interrupt& interrupt, Turn& turn) const {
  if (interrupt.due()) return false;
  static thread_local ReplyChooser chooser;
  const LeafModel& leaf = cube.choosing(side);
  const int roll = roll_index(dice);
  const bool deep = plies > 0 || (leaf.settings().cubeful && leaf.knows(position));
  const bool together = settings_.variance_reduction && !deep && luck_ == evaluator_;  // one look serves both
  int looked = 0;  // which of the chooser's rolls is played
  if (settings_.variance_reduction) {
    looked = roll;
    chooser.look(*luck_, position, requests(together ? roll : -1, side), true, settings_.total_checkers);
    if (!measure_luck(chooser, roll, side, cube, interrupt, turn)) return false;
  }
  if (deep) return play_deep(position, dice, side, leaf, plies, interrupt, turn);
  if (!together) {
    looked = 0;
    const RollRequest request{dice, play_limits_[side]};
    chooser.look(*evaluator_, position, {&request, 1}, settings_.cubeful, settings_.total_checkers);
  }
  const Reply reply = chooser.best(looked, leaf, 0);
  turn.result = reply.position;
  turn.outputs = reply.outputs;
  turn.evaluated = reply.evaluated;
  return true;
}

bool Player::play_deep(const Position& position, Dice dice, Side side, const LeafModel& leaf, int plies,
                       Interrupt& interrupt, Turn& turn) const {
  const RankSettings settings{plies, settings_.sides[side].filter, tree(leaf, side), true};
  const Ranking ranking = analyst_.rank(position, dice, leaf.model(), settings, {}, interrupt);
  if (ranking.stopped) return false;
  turn.result = ranking.results.front().result;
  turn.evaluated = true;
  turn.outputs =
      is_over(turn.result) ? final_outputs(turn.result, settings_.total_checkers) : evaluator_->evaluate(turn.result);
  return true;
}

bool Player::measure_luck(const ReplyChooser& chooser, int roll, Side side, const CubeState& cube, Interrupt& interrupt,
                          Turn& turn) const {
  const LeafModel& opponent = cube.leaf(1 - side);
  Value mean;
  Value actual;
  for (int one = 0; one < kRolls; ++one) {
    const Reply reply = chooser.best(one, cube.leaf(side), 0, settings_.luck_replies);
    Value after;
    if (reply.over) {
      after = finished(reply.position, opponent);
    } else if (!value(reply.position, reply.outputs, opponent, settings_.luck_plies, interrupt, after)) {
      return false;
    }
    const double weight = kAllRolls[one].weight();
    mean.outputs += after.outputs * weight;
    mean.utility += weight * after.utility;
    if (one == roll) actual = after;
  }
  // Both are the opponent's: a difference seen by the side that rolled changes sign and places.
  turn.luck = {(actual.outputs - mean.outputs / 36.0).swapped_difference(), mean.utility / 36.0 - actual.utility};
  return true;
}

}  // namespace kibitz
