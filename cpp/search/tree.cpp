#include "search/tree.hpp"

#include <algorithm>

#include "board/plays.hpp"
#include "search/game_over.hpp"

namespace kibitz {
namespace {

// A reply that a glance puts further behind the best one than this, for each reply that may be evaluated, is not.
constexpr float kFarBehind = 0.02f;

// Buffers of one node. A node is done with them before it looks at its replies, so one set a thread is enough.
struct Scratch {
  std::vector<Position> results;    // of all rolls that leave a choice, one after the other
  std::vector<float> equities;      // the first look at them
  std::vector<int> best;            // indices of the best results of one roll
  std::vector<Position> shortlist;  // what gets a real evaluation
  std::vector<Outputs> outputs;
};

Scratch& scratch() {
  static thread_local Scratch buffers;
  return buffers;
}

void set_outputs(const Outputs& outputs, NodeValue& node) {
  node.outputs = {outputs.win, outputs.win_gammon, outputs.win_backgammon, outputs.lose_gammon, outputs.lose_backgammon};
}

}  // namespace

Tree::Tree(const Evaluator& evaluator, const CubeModel& model, const CubefulTable* table, const TreeSettings& settings,
           int plies, StateMask states, Interrupt& interrupt)
    : evaluator_(evaluator),
      model_(model),
      table_(table),
      settings_(settings),
      plies_(plies),
      states_(model.closure(states)),
      interrupt_(interrupt) {}

void Tree::leaf(const Position& position, const Outputs& outputs, Side on_roll, bool decided, NodeValue& node) const {
  set_outputs(outputs, node);
  model_.undecided(outputs, settings_.life.of(position), on_roll, states_, node.values);
  if (decided) decide(on_roll, node);
}

double Tree::appeal(const Position& result, const Outputs& outputs, Side on_roll) const {
  if (!settings_.cubeful) return model_.dead(outputs, on_roll, model_.present());
  // Without the decision: a result that the opponent cashes anyway should still be the best of those.
  return model_.undecided(outputs, settings_.life.of(result), on_roll, model_.present());
}

bool Tree::exact(const Position& position, Side on_roll, NodeValue& node) const {
  CubefulEquities equities;
  if (table_ == nullptr || !model_.is_unlimited_money() || classify(position) != PositionClass::kBearoffTwoSided ||
      checkers(position.mine) >= settings_.total_checkers || checkers(position.theirs) >= settings_.total_checkers ||
      !table_->look_up(position, equities))
    return false;
  set_outputs(evaluator_.evaluate(position), node);
  for (int state = 0; state < kMaxStates; ++state) {
    if (!(states_ >> state & 1)) continue;
    const int owner = state % 3;
    node.values[state] = owner == 0 ? equities.centred : owner == 1 + on_roll ? equities.mine : equities.theirs;
  }
  return true;
}

// Exact values before the decision, one step back from the table: every state chooses its own best reply.
void Tree::exact_undecided(const Position& position, Side on_roll, NodeValue& node) const {
  set_outputs(evaluator_.evaluate(position), node);
  node.values.fill(0.0);
  std::vector<Position> results;
  for (const Dice& dice : kAllRolls) {
    legal_results(position, dice, results);
    if (results.empty()) results.push_back(position.swapped());
    StateValues best;
    best.fill(-1e9);
    for (const Position& result : results) {
      NodeValue after;
      if (is_over(result)) {
        leaf(result, final_outputs(result, settings_.total_checkers), 1 - on_roll, false, after);
      } else {
        exact(result, 1 - on_roll, after);
      }
      for (int state = 0; state < kMaxStates; ++state) best[state] = std::max(best[state], -after.values[state]);
    }
    for (int state = 0; state < kMaxStates; ++state) node.values[state] += dice.weight() * best[state] / 36.0;
  }
}

bool Tree::value(const Position& position, int plies, Side on_roll, NodeValue& node) const {
  if (is_over(position)) {
    leaf(position, final_outputs(position, settings_.total_checkers), on_roll, false, node);
    return true;
  }
  if (exact(position, on_roll, node)) return true;
  if (!undecided(position, plies, on_roll, node)) return false;
  decide(on_roll, node);
  return true;
}

bool Tree::undecided(const Position& position, int plies, Side on_roll, NodeValue& node) const {
  if (NodeValue known; exact(position, on_roll, known)) {
    exact_undecided(position, on_roll, node);
    return true;
  }
  if (plies <= 0) {
    leaf(position, evaluator_.evaluate(position), on_roll, false, node);
    return true;
  }
  Replies replies;
  if (!choose(position, plies, on_roll, replies)) return false;
  std::array<NodeValue, kRolls> after;
  for (int roll = 0; roll < kRolls; ++roll) {
    if (const int like = replies.first_like(roll); like < roll) {
      after[roll] = after[like];
    } else if (!reply_value(replies.of[roll], plies - 1, 1 - on_roll, after[roll])) {
      return false;
    }
  }
  combine(after, node);
  return true;
}

bool Tree::choose(const Position& position, int plies, Side on_roll, Replies& replies) const {
  if (interrupt_.due()) return false;
  const bool last = plies <= 1;
  const Care care = this->care(plies);
  Scratch& buffers = scratch();
  std::array<RollResults, kRolls> rolls;
  gather(position, care, replies, rolls);
  shortlist(position, care, last, replies, rolls);
  if (buffers.shortlist.empty()) return true;
  buffers.outputs.resize(buffers.shortlist.size());
  evaluator_.evaluate_results(position, buffers.shortlist, buffers.outputs);
  for (int roll = 0; roll < kRolls; ++roll) {
    if (rolls[roll].count == 0) continue;
    int best = rolls[roll].first;
    if (rolls[roll].count > 1) {
      // The opponent is on roll in a result, so the least appealing one is best; equal ones by cubeless equity.
      double best_appeal = appeal(buffers.shortlist[best], buffers.outputs[best], 1 - on_roll);
      for (int i = best + 1; i < rolls[roll].first + rolls[roll].count; ++i) {
        const double here = appeal(buffers.shortlist[i], buffers.outputs[i], 1 - on_roll);
        if (here < best_appeal ||
            (here == best_appeal && buffers.outputs[i].equity() < buffers.outputs[best].equity())) {
          best = i;
          best_appeal = here;
        }
      }
    }
    replies.of[roll].position = buffers.shortlist[best];
    replies.of[roll].outputs = buffers.outputs[best];
  }
  return true;
}

Tree::Care Tree::care(int plies) const {
  constexpr int kGlances = 8;
  constexpr int kManyLeaves = 3;  // plies from which on the leaves are so many that their errors hardly count
  if (plies > 2 || plies_ < kManyLeaves) {
    const bool few_leaves = plies_ == 1;
    const int replies = std::max(1, plies > 1 || few_leaves ? settings_.replies : settings_.last_replies);
    return {replies, std::max(kGlances, 2 * replies)};
  }
  const int replies = plies > 1 ? (std::max(1, settings_.replies) + 1) / 2 : (std::max(1, settings_.last_replies) + 2) / 3;
  return {replies, std::max(plies > 1 ? kGlances : kGlances / 3 + 1, 2 * replies)};
}

// The results of all rolls that leave a choice; the others are answered at once.
void Tree::gather(const Position& position, Care care, Replies& replies, std::span<RollResults, kRolls> rolls) const {
  std::vector<Position>& results = scratch().results;
  results.clear();
  const bool may_end = checkers(position.mine) <= 4;  // as many as one roll can bear off
  for (int roll = 0; roll < kRolls; ++roll) {
    const std::size_t start = results.size();
    append_legal_results(position, kAllRolls[roll], results);
    const auto begin = results.begin() + static_cast<std::ptrdiff_t>(start);
    const auto over = may_end ? std::find_if(begin, results.end(), is_over) : results.end();
    const int found = static_cast<int>(results.size() - start);
    rolls[roll] = {static_cast<int>(start), found, care.glances};
    Replies::Reply& reply = replies.of[roll];
    reply.over = over != results.end();
    if (reply.over) {
      reply.position = *over;
      reply.outputs = final_outputs(*over, settings_.total_checkers);
    } else if (found > 1) {
      continue;
    } else {
      reply.position = found == 1 ? results.back() : position.swapped();
    }
    results.resize(start);
    rolls[roll].count = 0;
  }
}

// The few results of each roll that get a real evaluation.
void Tree::shortlist(const Position& position, Care care, bool last, Replies& replies,
                     std::span<RollResults, kRolls> rolls) const {
  Scratch& buffers = scratch();
  buffers.shortlist.clear();
  thin_out(evaluator_, position, buffers.results, rolls);
  const auto is_long = [&](const RollResults& one) { return one.count > care.replies; };
  const bool look = std::any_of(rolls.begin(), rolls.end(), is_long);
  if (look) {
    buffers.equities.resize(buffers.results.size());
    evaluator_.glance(position, buffers.results, buffers.equities);
  }
  for (int roll = 0; roll < kRolls; ++roll) {
    auto& [first, count, glances] = rolls[roll];
    Replies::Reply& reply = replies.of[roll];
    const int start = static_cast<int>(buffers.shortlist.size());
    if (count == 0) {
      // No choice, but at the last ply the outputs are still wanted.
      if (last && !reply.over) buffers.shortlist.push_back(reply.position);
    } else if (look) {
      lowest(buffers.equities, first, count, care.replies, buffers.best);
      const float limit = buffers.equities[buffers.best.front()] + kFarBehind * static_cast<float>(care.replies);
      for (const int i : buffers.best)
        if (buffers.equities[i] <= limit) buffers.shortlist.push_back(buffers.results[i]);
    } else {
      const auto begin = buffers.results.begin() + first;
      buffers.shortlist.insert(buffers.shortlist.end(), begin, begin + count);
    }
    first = start;
    count = static_cast<int>(buffers.shortlist.size()) - start;
    if (count == 1 && !last) {
      reply.position = buffers.shortlist.back();
      buffers.shortlist.pop_back();
      count = 0;
    }
  }
}

bool Tree::reply_value(const Replies::Reply& reply, int plies, Side replier, NodeValue& node) const {
  if (reply.over) {
    leaf(reply.position, reply.outputs, replier, false, node);
    return true;
  }
  if (plies > 0) return value(reply.position, plies, replier, node);
  if (!exact(reply.position, replier, node)) leaf(reply.position, reply.outputs, replier, true, node);
  return true;
}

void Tree::combine(std::span<const NodeValue, kRolls> after, NodeValue& node) const {
  std::array<double, 5> outputs{};
  StateValues values{};
  for (int roll = 0; roll < kRolls; ++roll) {
    const double weight = kAllRolls[roll].weight();
    for (int i = 0; i < 5; ++i) outputs[i] += weight * after[roll].outputs[i];
    for (int state = 0; state < kMaxStates; ++state) values[state] -= weight * after[roll].values[state];
  }
  for (double& output : outputs) output /= 36.0;
  node.outputs = {1.0 - outputs[0], outputs[3], outputs[4], outputs[1], outputs[2]};
  for (int state = 0; state < kMaxStates; ++state) node.values[state] = values[state] / 36.0;
}

}  // namespace kibitz
