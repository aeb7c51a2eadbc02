// The search tree: over the 21 rolls with their weights, the best reply to each, again and again.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "board/dice.hpp"
#include "cube/cube_model.hpp"
#include "decide/leaf.hpp"
#include "decide/reply_chooser.hpp"
#include "eval/evaluator.hpp"
#include "search/interrupt.hpp"

namespace kibitz {

struct TreeSettings {
  int replies = 8;       // how many replies to a roll at most a first look leaves for a real evaluation ...
  int last_replies = 3;  // ... and at the last ply of two or more, where nearly all of the time goes
  LeafSettings leaf;
};

// The best reply to each roll for each root cube state, which chooses for itself and for those that only later doubles
// lead to. With a cube that is doubled now other plays are right, at some scores many of them.
struct Replies {
  std::vector<Reply> of;                                     // different positions: rolls that cannot enter share one
  std::array<std::array<short, kRolls>, kMaxStates> chosen;  // by each root for each roll

  void choose(int root, int roll, const Reply& reply);
};

// One search at a time in each thread; the tree itself holds no state and may be shared by many.
class Tree {
 public:
  // `plies` is how deep the whole look is: where many leaves are averaged, each deserves less care. `states` are the
  // ones whose values are wanted; each of them has its replies chosen for its own sake.
  Tree(const Evaluator& evaluator, const CubeModel& model, const TreeSettings& settings, int plies, StateMask states,
       Interrupt& interrupt);

  Interrupt& interrupt() const { return interrupt_; }
  const LeafModel& leaf() const { return leaf_; }

  // The value of a position after looking `plies` ahead, with the best cube decision of the player on roll. False if
  // interrupted: then the value means nothing.
  bool value(const Position& position, int plies, Side on_roll, PositionValue& value) const;

  // The same before the player on roll has thought of doubling.
  bool undecided(const Position& position, int plies, Side on_roll, PositionValue& value) const;

  // The same with replies that are kept for a deeper look, which chooses alike; empty ones are chosen here.
  bool undecided(const Position& position, int plies, Side on_roll, Replies& replies, PositionValue& value) const;

  // The parts of undecided(), for those who share the work among threads: choose replies to every roll (with outputs if
  // they are leaves), value each of them, and add up.
  bool choose(const Position& position, int plies, Side on_roll, Replies& replies) const;
  bool reply_value(const Reply& reply, int plies, Side replier, PositionValue& value) const;
  void combine(const Replies& replies, std::span<const PositionValue> after, PositionValue& value) const;

 private:
  ReplyLimits limits(int plies) const;

  const Evaluator& evaluator_;
  LeafModel leaf_;
  TreeSettings settings_;
  int plies_;
  std::array<int, kMaxStates> root_of_{};  // who chooses for each state
  Interrupt& interrupt_;
};

}  // namespace kibitz
