#include "search/tree.hpp"

#include <algorithm>
#include <ranges>

namespace kibitz {

Tree::Tree(const Evaluator& evaluator, const CubeModel& model, const TreeSettings& settings, int plies,
           StateMask states, Interrupt& interrupt)
    : evaluator_(evaluator),
      leaf_(model, settings.leaf, states, model.closure(states)),
      settings_(settings),
      plies_(plies),
      interrupt_(interrupt) {
  // Who may follow several roots follows the first; a root, itself.
  for (const int root : std::views::reverse(leaf_.roots()))
    for (int state = 0; state < kMaxStates; ++state)
      if (model.closure(only(root)) >> state & 1) root_of_[state] = root;
  for (const int root : leaf_.roots()) root_of_[root] = root;
}

bool Tree::value(const Position& position, int plies, Side on_roll, PositionValue& value) const {
  if (leaf_.settled(position, on_roll, value)) return true;
  if (!undecided(position, plies, on_roll, value)) return false;
  leaf_.decide(on_roll, value);
  return true;
}

bool Tree::undecided(const Position& position, int plies, Side on_roll, PositionValue& value) const {
  Replies replies;
  return undecided(position, plies, on_roll, replies, value);
}

bool Tree::undecided(const Position& position, int plies, Side on_roll, Replies& replies, PositionValue& value) const {
  if (leaf_.knows(position)) {
    leaf_.exact_undecided(position, on_roll, value);
    return true;
  }
  if (plies <= 0) {
    leaf_.undecided(position, evaluator_.evaluate(position), on_roll, value);
    return true;
  }
  if (replies.of.empty() && !choose(position, plies, on_roll, replies)) return false;
  std::vector<PositionValue> after(replies.of.size());
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!reply_value(replies.of[i], plies - 1, 1 - on_roll, after[i])) return false;
  combine(replies, after, value);
  return true;
}

void Replies::choose(int root, int roll, const Reply& reply) {
  std::size_t i = 0;
  while (i < of.size() && !(of[i].position == reply.position)) ++i;
  if (i == of.size()) of.push_back(reply);
  chosen[root][roll] = static_cast<short>(i);
}

bool Tree::choose(const Position& position, int plies, Side on_roll, Replies& replies) const {
  if (interrupt_.due()) return false;
  // A node is done with it before it looks at its replies, so one a thread is enough.
  static thread_local ReplyChooser chooser;
  chooser.look(evaluator_, position, all_rolls(limits(plies)), plies <= 1, settings_.leaf.total_checkers);
  replies.of.reserve(kRolls);
  std::array<int, kMaxStates> best;
  for (int roll = 0; roll < kRolls; ++roll) {
    chooser.best(roll, leaf_, on_roll, best);
    for (const int root : leaf_.roots()) replies.choose(root, roll, chooser.reply(roll, best[root]));
  }
  return true;
}

ReplyLimits Tree::limits(int plies) const {
  constexpr int kPrefiltered = 8;
  constexpr int kManyLeaves = 3;       // plies from which on the leaves are so many that their errors hardly count
  constexpr float kFarBehind = 0.02f;  // of the best reply, for each reply that may be evaluated
  const bool last = plies <= 1;
  const bool careful = plies > 2 || plies_ < kManyLeaves;
  int replies = std::max(1, last && plies_ > 1 ? settings_.last_replies : settings_.replies);
  if (!careful) replies = last ? (replies + 2) / 3 : (replies + 1) / 2;
  const int prefiltered = last && !careful ? kPrefiltered / 3 + 1 : kPrefiltered;
  return {std::max(prefiltered, 2 * replies), replies, kFarBehind * static_cast<float>(replies)};
}

bool Tree::reply_value(const Reply& reply, int plies, Side replier, PositionValue& value) const {
  if (plies > 0) return this->value(reply.position, plies, replier, value);
  leaf_.value(reply.position, reply.outputs, replier, value);
  return true;
}

void Tree::combine(const Replies& replies, std::span<const PositionValue> after, PositionValue& value) const {
  MeanOutputs outputs;
  StateValues values{};
  const int shown = leaf_.roots().front();
  for (int roll = 0; roll < kRolls; ++roll) {
    const double weight = kAllRolls[roll].weight();
    outputs += after[replies.chosen[shown][roll]].outputs * weight;
    for (int state = 0; state < kMaxStates; ++state)
      if (leaf_.states() >> state & 1)
        values[state] -= weight * after[replies.chosen[root_of_[state]][roll]].values[state];
  }
  value.outputs = (outputs / 36.0).swapped();
  for (int state = 0; state < kMaxStates; ++state) value.values[state] = values[state] / 36.0;
}

}  // namespace kibitz
