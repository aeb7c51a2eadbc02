#include "rollout/player.hpp"

#include <algorithm>

#include "board/plays.hpp"
#include "eval/shortlist.hpp"
#include "rollout/dice_stream.hpp"
#include "search/exact_cube.hpp"
#include "search/game_over.hpp"

namespace kibitz {
namespace {

constexpr int kGlances = 8;  // at least, where a sketch chooses the results of a roll that get one
constexpr std::size_t kCacheBytes = std::size_t{32} << 20;

std::array<double, 5> to_array(const Outputs& outputs) {
  return {outputs.win, outputs.win_gammon, outputs.win_backgammon, outputs.lose_gammon, outputs.lose_backgammon};
}

bool looks_ahead(const RolloutSettings& settings) {
  bool ahead = settings.luck_plies > 0 || settings.truncation_plies > 0;
  for (const auto& side : settings.plies)
    for (const StagePlies& stage : side) ahead |= stage.play > 0 || stage.cube > 0;
  return ahead;
}

}  // namespace

// Reused from turn to turn, one set a thread.
struct Player::Buffers {
  std::vector<Position> results;  // of the rolls that are looked at, one after the other
  std::vector<float> glances;
  std::vector<int> order;
  std::vector<Outputs> known;    // of the results, where they are as cheap as a first look
  std::vector<int> kept;         // indices of the results that get a real evaluation
  std::vector<Position> judged;  // the same as positions
  std::vector<Outputs> outputs;
};

Player::Player(std::shared_ptr<const Evaluator> evaluator, std::shared_ptr<const Evaluator> luck,
               const RolloutSettings& settings)
    : settings_(settings),
      evaluator_(evaluator),
      luck_(luck ? std::move(luck) : evaluator),
      analyst_(std::move(evaluator), 1, looks_ahead(settings) ? kCacheBytes : 0, std::make_shared<ExactCube>()) {}

TreeSettings Player::tree() const {
  return {settings_.cubeful, settings_.replies, settings_.last_replies, life_, settings_.total_checkers};
}

double Player::dead(const std::array<double, 5>& outputs, const CubeModel& model) {
  const int level = model.present() / 3;
  const auto& [win, gammon, backgammon, lost_gammon, lost_backgammon] = outputs;
  return (win - gammon) * model.win(0, level, 1) + (gammon - backgammon) * model.win(0, level, 2) +
         backgammon * model.win(0, level, 3) + (1.0 - win - lost_gammon) * model.loss(0, level, 1) +
         (lost_gammon - lost_backgammon) * model.loss(0, level, 2) + lost_backgammon * model.loss(0, level, 3);
}

Worth Player::result(const Position& position, Side side, const Spot& spot) const {
  Worth found{to_array(final_outputs(position, settings_.total_checkers))};
  if (settings_.cubeful) found.utility = dead(found.outputs, spot.of(side));
  return found;
}

bool Player::in_exact_cube(const Position& position, const Spot& spot) const {
  return settings_.cubeful && spot.of(0).is_unlimited_money() &&
         classify(position) == PositionClass::kBearoffTwoSided && checkers(position.mine) < settings_.total_checkers &&
         checkers(position.theirs) < settings_.total_checkers;
}

bool Player::exact(const Position& position, Side side, const Spot& spot, Worth& found) const {
  const ExactTables& tables = ExactTables::shared();
  const CubeModel& model = spot.of(side);
  Outputs outputs;
  if (!settings_.cubeful || spot.is_dead()) {
    if (!tables.evaluate(position, outputs, settings_.total_checkers)) return false;
    found.outputs = to_array(outputs);
    if (settings_.cubeful) found.utility = dead(found.outputs, model);
    return true;
  }
  MoneyEquities equities;
  if (!model.is_unlimited_money() || !tables.money_equities(position, equities, settings_.total_checkers) ||
      !tables.evaluate(position, outputs, settings_.total_checkers))
    return false;
  found.outputs = to_array(outputs);
  switch (model.stakes().owner) {
    case CubeOwner::kCentred: found.utility = model.stakes().jacoby ? equities.jacoby : equities.centred; break;
    case CubeOwner::kMine: found.utility = equities.owned; break;
    case CubeOwner::kTheirs: found.utility = equities.unavailable; break;
  }
  return true;
}

Worth Player::leaf(const Position& position, const Outputs& outputs, Side side, const Spot& spot) const {
  Worth found{to_array(outputs)};
  if (!settings_.cubeful) return found;
  if (in_exact_cube(position, spot) && exact(position, side, spot, found)) return found;
  const CubeModel& model = spot.of(side);
  const int present = model.present();
  const int after = model.doubled(present, 0);
  StateValues values;
  const StateMask mask = StateMask{1} << present | (after >= 0 ? StateMask{1} << after : 0);
  model.undecided(outputs, life_.of(position), 0, mask, values);
  found.utility = values[present];
  if (after >= 0)
    found.utility = std::max(found.utility, std::min(model.taken_value(values[after]), model.passed_value(present, 0)));
  return found;
}

bool Player::worth(const Position& position, const Outputs& outputs, Side side, const Spot& spot, int plies,
                   Interrupt& interrupt, Worth& found) const {
  if (plies <= 0) {
    found = leaf(position, outputs, side, spot);
    return true;
  }
  const CubeModel& model = spot.of(side);
  NodeValue node;
  if (!analyst_.value(position, model, plies, tree(), interrupt, node)) return false;
  found.outputs = node.outputs;
  found.utility = settings_.cubeful ? node.values[model.present()] : 0.0;
  return true;
}

bool Player::cube(const Position& position, const Outputs& outputs, Side side, const Spot& spot, int plies,
                  Interrupt& interrupt, CubeView& view) const {
  const CubeModel& model = spot.of(side);
  const int present = model.present();
  const int after = model.doubled(present, 0);
  double taken;
  if (plies > 0 || in_exact_cube(position, spot)) {
    const CubeWeights weights = analyst_.cube(position, model, model.stakes().owner, plies, tree(), interrupt);
    if (weights.stopped) return false;
    view.no_double = weights.no_double;
    taken = weights.double_take / model.scale();
  } else {
    StateValues values;
    model.undecided(outputs, life_.of(position), 0, StateMask{1} << present | StateMask{1} << after, values);
    view.no_double = values[present];
    taken = values[after];
  }
  view.taken = model.taken_value(taken);
  view.passed = model.passed_value(present, 0);
  view.beaver = view.taken != model.scale() * taken;
  return true;
}

double Player::appeal(const Position& result, const Outputs& outputs, Side mover, const Spot& spot) const {
  const CubeModel& model = spot.of(1 - mover);
  if (settings_.cubeful) return model.undecided(outputs, life_.of(result), 0, model.present());
  return model.is_money() ? outputs.equity() : dead(to_array(outputs), model);
}

bool Player::play(const Position& position, Dice dice, Side side, const Spot& spot, int plies, Interrupt& interrupt,
                  Turn& turn) const {
  if (interrupt.due()) return false;
  const int roll = roll_index(dice);
  const bool lucky = settings_.variance_reduction;
  const bool deep = plies > 0 || in_exact_cube(position, spot);
  if (!deep && (!lucky || luck_ == evaluator_))
    return look(*evaluator_, position, {roll, lucky}, side, spot, interrupt, turn);

  // The luck first, since it is told of the plays that the look at it chooses, not of the one that is made.
  if (lucky && !look(*luck_, position, {-1, true, roll}, side, spot, interrupt, turn)) return false;
  if (!deep) return look(*evaluator_, position, {roll, false}, side, spot, interrupt, turn);
  const RankSettings settings{plies, settings_.filter, tree()};
  const Ranking ranking = analyst_.rank(position, dice, spot.of(side), settings, {}, interrupt);
  if (ranking.stopped) return false;
  turn.result = ranking.results.front().result;
  turn.over = is_over(turn.result);
  turn.judged = true;
  turn.outputs = turn.over ? final_outputs(turn.result, settings_.total_checkers) : evaluator_->evaluate(turn.result);
  return true;
}

bool Player::look(const Evaluator& evaluator, const Position& position, Wanted wanted, Side side, const Spot& spot,
                  Interrupt& interrupt, Turn& turn) const {
  static thread_local Buffers buffers;
  buffers.results.clear();
  buffers.kept.clear();
  struct Range {
    int first;  // in the results, then in what is kept
    int count;
    int over;  // the result that ends the game, -1 for none
  };
  std::array<Range, kRolls> ranges;
  const int first_roll = wanted.lucky ? 0 : wanted.played;
  const int last_roll = wanted.lucky ? kRolls - 1 : wanted.played;
  const auto keep_of = [&](int roll) {
    return roll != wanted.played ? settings_.luck_replies
           : wanted.lucky        ? std::max(settings_.shortlist, settings_.luck_replies)
                                 : settings_.shortlist;
  };
  // With no more results than this, a first look has nothing to leave out and nothing to order.
  const int enough = wanted.lucky ? settings_.luck_replies : 1;

  bool glance = false;
  for (int roll = first_roll; roll <= last_roll; ++roll) {
    Range& range = ranges[roll];
    range.first = static_cast<int>(buffers.results.size());
    append_legal_results(position, kAllRolls[roll], buffers.results);
    if (static_cast<int>(buffers.results.size()) == range.first) buffers.results.push_back(position.swapped());
    range.count = static_cast<int>(buffers.results.size()) - range.first;
    range.over = -1;
    glance |= range.count > enough;
  }
  // Of many results a sketch leaves those that deserve a glance; the few that end games are not its business.
  if (glance && checkers(position.mine) > 4) {
    std::array<RollResults, kRolls> rolls;
    for (int roll = first_roll; roll <= last_roll; ++roll)
      rolls[roll] = {ranges[roll].first, ranges[roll].count, std::max(kGlances, 2 * keep_of(roll))};
    thin_out(evaluator, position, buffers.results, std::span(rolls).subspan(first_roll, last_roll - first_roll + 1));
    for (int roll = first_roll; roll <= last_roll; ++roll) {
      ranges[roll].first = rolls[roll].first;
      ranges[roll].count = rolls[roll].count;
    }
  }
  // Only a side that is all at home with four checkers or fewer can finish at once.
  if (checkers(position.mine) <= 4) {
    for (int roll = first_roll; roll <= last_roll; ++roll)
      for (int i = ranges[roll].first; i < ranges[roll].first + ranges[roll].count; ++i)
        if (is_over(buffers.results[i])) {
          ranges[roll].over = i;
          break;
        }
  }
  // In a race there is no cheaper net than the real one: its answers serve as the first look, and stay.
  const bool known = glance && !in_contact(position);
  if (glance) buffers.glances.resize(buffers.results.size());
  if (known) {
    buffers.known.resize(buffers.results.size());
    evaluator.evaluate_results(position, buffers.results, buffers.known);
    for (std::size_t i = 0; i < buffers.known.size(); ++i) buffers.glances[i] = buffers.known[i].equity();
  } else if (glance) {
    evaluator.glance(position, buffers.results, buffers.glances);
  }
  for (int roll = first_roll; roll <= last_roll; ++roll) {
    Range& range = ranges[roll];
    if (range.over >= 0) continue;
    const int begin = range.first;
    range.first = static_cast<int>(buffers.kept.size());
    int keep = std::min(keep_of(roll), range.count);
    if (range.count <= enough) {
      for (int i = 0; i < range.count; ++i) buffers.kept.push_back(begin + i);
      continue;
    }
    lowest(buffers.glances, begin, range.count, keep, buffers.order);
    if (roll == wanted.played) {
      // Far behind at first sight is behind: most plays need no second look.
      const double limit = buffers.glances[buffers.order[0]] + settings_.shortlist_gap;
      while (keep > enough && buffers.glances[buffers.order[keep - 1]] > limit) --keep;
    }
    for (int i = 0; i < keep; ++i) buffers.kept.push_back(buffers.order[i]);
    range.count = keep;
  }
  turn.judged = true;
  if (!wanted.lucky && !settings_.cubeful && buffers.kept.size() == 1) {
    turn.result = buffers.results[buffers.kept.front()];
    turn.judged = turn.over = false;
    return true;
  }
  buffers.outputs.resize(buffers.kept.size());
  buffers.judged.clear();
  for (const int i : buffers.kept) buffers.judged.push_back(buffers.results[i]);
  if (known) {
    for (std::size_t i = 0; i < buffers.kept.size(); ++i) buffers.outputs[i] = buffers.known[buffers.kept[i]];
  } else if (!buffers.kept.empty()) {
    evaluator.evaluate_results(position, buffers.judged, buffers.outputs);
  }

  // The opponent is on roll in a result, so the least appealing one is best.
  const auto best_of = [&](const Range& range, int count) {
    int best = range.first;
    if (count < 2) return best;
    double least = appeal(buffers.judged[best], buffers.outputs[best], side, spot);
    for (int i = range.first + 1; i < range.first + count; ++i) {
      const double here = appeal(buffers.judged[i], buffers.outputs[i], side, spot);
      if (here < least) {
        best = i;
        least = here;
      }
    }
    return best;
  };

  if (wanted.lucky) {
    const int came = wanted.played >= 0 ? wanted.played : wanted.judged;
    Worth mean;
    Worth actual;
    for (int roll = 0; roll < kRolls; ++roll) {
      const Range& range = ranges[roll];
      Worth after;
      if (range.over >= 0) {
        after = result(buffers.results[range.over], 1 - side, spot);
      } else {
        const int best = best_of(range, std::min(range.count, settings_.luck_replies));
        if (settings_.luck_plies == 0) {
          after = leaf(buffers.judged[best], buffers.outputs[best], 1 - side, spot);
        } else if (!worth(buffers.judged[best], buffers.outputs[best], 1 - side, spot, settings_.luck_plies, interrupt,
                          after)) {
          return false;
        }
      }
      const double weight = kAllRolls[roll].weight();
      for (int i = 0; i < 5; ++i) mean.outputs[i] += weight * after.outputs[i];
      mean.utility += weight * after.utility;
      if (roll == came) actual = after;
    }
    // Differences to the side that rolled: its own wins are the opponent's losses.
    std::array<double, 5> more;
    for (int i = 0; i < 5; ++i) more[i] = actual.outputs[i] - mean.outputs[i] / 36.0;
    turn.luck = {{-more[0], more[3], more[4], more[1], more[2]}, mean.utility / 36.0 - actual.utility};
  }
  if (wanted.played < 0) return true;
  const Range& range = ranges[wanted.played];
  turn.over = range.over >= 0;
  if (turn.over) {
    turn.result = buffers.results[range.over];
    turn.outputs = final_outputs(turn.result, settings_.total_checkers);
  } else {
    const int best = best_of(range, range.count);
    turn.result = buffers.judged[best];
    turn.outputs = buffers.outputs[best];
  }
  return true;
}

}  // namespace kibitz
