#include "search/tree.hpp"

#include <algorithm>
#include <ranges>

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
  node.outputs = {outputs.win, outputs.win_gammon, outputs.win_backgammon, outputs.lose_gammon,
                  outputs.lose_backgammon};
}

}  // namespace

Tree::Tree(const Evaluator& evaluator, const CubeModel& model, const CubefulTable* table, const TreeSettings& settings,
           int plies, StateMask states, Interrupt& interrupt)
    : evaluator_(evaluator),
      model_(model),
      table_(table),
      settings_(settings),
      plies_(plies),
      asked_(states),
      states_(model.closure(states)),
      interrupt_(interrupt) {
  for (int state = 0; state < kMaxStates; ++state)
    if (asked_ >> state & 1) leaders_.push_back(state);
  // Who may follow several follows the first; who leads, himself.
  for (const int leader : std::views::reverse(leaders_))
    for (int state = 0; state < kMaxStates; ++state)
      if (model.closure(StateMask{1} << leader) >> state & 1) leader_of_[state] = leader;
  for (const int leader : leaders_) leader_of_[leader] = leader;
}

void Tree::leaf(const Position& position, const Outputs& outputs, Side on_roll, bool decided, NodeValue& node) const {
  set_outputs(outputs, node);
  model_.undecided(outputs, settings_.life.of(position), on_roll, states_, node.values);
  if (decided) decide(on_roll, node);
}

void Tree::appeal(const Position& result, const Outputs& outputs, Side on_roll, StateValues& appeals) const {
  if (settings_.cubeful) {
    // Without the decision: a result that the opponent cashes anyway should still be the best of those.
    model_.undecided(outputs, settings_.life.of(result), on_roll, asked_, appeals);
  } else {
    for (const int leader : leaders_) appeals[leader] = model_.dead(outputs, on_roll, leader);
  }
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
  if (settled(position, on_roll, node)) return true;
  if (!undecided(position, plies, on_roll, node)) return false;
  decide(on_roll, node);
  return true;
}

bool Tree::settled(const Position& position, Side on_roll, NodeValue& node) const {
  if (!is_over(position)) return exact(position, on_roll, node);
  leaf(position, final_outputs(position, settings_.total_checkers), on_roll, false, node);
  return true;
}

bool Tree::undecided(const Position& position, int plies, Side on_roll, NodeValue& node) const {
  Replies replies;
  return undecided(position, plies, on_roll, replies, node);
}

bool Tree::undecided(const Position& position, int plies, Side on_roll, Replies& replies, NodeValue& node) const {
  if (NodeValue known; exact(position, on_roll, known)) {
    exact_undecided(position, on_roll, node);
    return true;
  }
  if (plies <= 0) {
    leaf(position, evaluator_.evaluate(position), on_roll, false, node);
    return true;
  }
  if (replies.of.empty() && !choose(position, plies, on_roll, replies)) return false;
  std::vector<NodeValue> after(replies.of.size());
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!reply_value(replies.of[i], plies - 1, 1 - on_roll, after[i])) return false;
  combine(replies, after, node);
  return true;
}

void Replies::choose(int leader, int roll, const Reply& reply) {
  std::size_t i = 0;
  while (i < of.size() && !(of[i].position == reply.position)) ++i;
  if (i == of.size()) of.push_back(reply);
  chosen[leader][roll] = static_cast<short>(i);
}

bool Tree::choose(const Position& position, int plies, Side on_roll, Replies& replies) const {
  if (interrupt_.due()) return false;
  const bool last = plies <= 1;
  const Care care = this->care(plies);
  Scratch& buffers = scratch();
  std::array<RollResults, kRolls> rolls;
  Forced forced;
  gather(position, care, forced, rolls);
  shortlist(position, care, last, forced, rolls);
  buffers.outputs.resize(buffers.shortlist.size());
  evaluator_.evaluate_results(position, buffers.shortlist, buffers.outputs);
  replies.of.reserve(kRolls);
  for (int roll = 0; roll < kRolls; ++roll) {
    const auto [first, count, _] = rolls[roll];
    std::array<int, kMaxStates> best;
    best.fill(first);
    if (count > 1) {
      // The opponent is on roll in a result, so the least appealing one is best; equal ones by cubeless equity.
      StateValues least, here;
      appeal(buffers.shortlist[first], buffers.outputs[first], 1 - on_roll, least);
      for (int i = first + 1; i < first + count; ++i) {
        appeal(buffers.shortlist[i], buffers.outputs[i], 1 - on_roll, here);
        for (const int leader : leaders_) {
          if (here[leader] < least[leader] ||
              (here[leader] == least[leader] && buffers.outputs[i].equity() < buffers.outputs[best[leader]].equity())) {
            best[leader] = i;
            least[leader] = here[leader];
          }
        }
      }
    }
    for (const int leader : leaders_) {
      if (count == 0) {
        replies.choose(leader, roll, forced[roll]);
      } else {
        replies.choose(leader, roll, {buffers.shortlist[best[leader]], buffers.outputs[best[leader]]});
      }
    }
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
  const int replies =
      plies > 1 ? (std::max(1, settings_.replies) + 1) / 2 : (std::max(1, settings_.last_replies) + 2) / 3;
  return {replies, std::max(plies > 1 ? kGlances : kGlances / 3 + 1, 2 * replies)};
}

// The results of all rolls that leave a choice; the others are answered at once.
void Tree::gather(const Position& position, Care care, Forced& forced, std::span<RollResults, kRolls> rolls) const {
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
    Replies::Reply& reply = forced[roll];
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
void Tree::shortlist(const Position& position, Care care, bool last, Forced& forced,
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
    Replies::Reply& reply = forced[roll];
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

void Tree::combine(const Replies& replies, std::span<const NodeValue> after, NodeValue& node) const {
  std::array<double, 5> outputs{};
  StateValues values{};
  for (int roll = 0; roll < kRolls; ++roll) {
    const double weight = kAllRolls[roll].weight();
    const NodeValue& shown = after[replies.chosen[leaders_.front()][roll]];
    for (int i = 0; i < 5; ++i) outputs[i] += weight * shown.outputs[i];
    for (int state = 0; state < kMaxStates; ++state) {
      if (!(states_ >> state & 1)) continue;
      values[state] -= weight * after[replies.chosen[leader_of_[state]][roll]].values[state];
    }
  }
  for (double& output : outputs) output /= 36.0;
  node.outputs = {1.0 - outputs[0], outputs[3], outputs[4], outputs[1], outputs[2]};
  for (int state = 0; state < kMaxStates; ++state) node.values[state] = values[state] / 36.0;
}

}  // namespace kibitz
