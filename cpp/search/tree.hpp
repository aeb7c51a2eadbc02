// The search tree: over the 21 rolls with their weights, the best reply to each, again and again.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "board/dice.hpp"
#include "cube/cube_life.hpp"
#include "cube/cube_model.hpp"
#include "cube/cubeful_table.hpp"
#include "eval/evaluator.hpp"
#include "eval/shortlist.hpp"
#include "search/interrupt.hpp"

namespace kibitz {

struct TreeSettings {
  bool cubeful = true;   // replies are chosen by cubeful value, else by the value with a dead cube
  int replies = 8;       // how many replies to a roll at most a first look leaves for a real evaluation ...
  int last_replies = 3;  // ... and at the last ply of two or more, where nearly all of the time goes
  CubeLife life;
  int total_checkers = kCheckers;
};

// A position's outputs, and its value in every cube state that was asked for, both for the player on roll.
struct NodeValue {
  std::array<double, 5> outputs{};
  StateValues values{};
};

// The best reply to each roll by the lights of each leader: a cube state that chooses for itself and for those that only later
// doubles lead to. With a cube that is doubled now other plays are right, at some scores many of them.
struct Replies {
  struct Reply {
    Position position;  // seen by the opponent
    Outputs outputs;    // of that position, where they were needed
    bool over = false;
  };
  std::vector<Reply> of;                                     // different positions: rolls that cannot enter share one
  std::array<std::array<short, kRolls>, kMaxStates> chosen;  // by each leader for each roll

  void choose(int leader, int roll, const Reply& reply);
};

// One search at a time in each thread; the tree itself holds no state and may be shared by many.
class Tree {
 public:
  // `plies` is how deep the whole look is: where many leaves are averaged, each deserves less care. `states` are the ones
  // whose values are wanted; each of them has its replies chosen for its own sake.
  Tree(const Evaluator& evaluator, const CubeModel& model, const CubefulTable* table, const TreeSettings& settings,
       int plies, StateMask states, Interrupt& interrupt);

  Interrupt& interrupt() const { return interrupt_; }

  // The value of a position after looking `plies` ahead, with the best cube decision of the player on roll. False if
  // interrupted: then the value means nothing.
  bool value(const Position& position, int plies, Side on_roll, NodeValue& node) const;

  // The same before the player on roll has thought of doubling.
  bool undecided(const Position& position, int plies, Side on_roll, NodeValue& node) const;

  // The same with replies that are kept for a deeper look, which chooses alike; empty ones are chosen here.
  bool undecided(const Position& position, int plies, Side on_roll, Replies& replies, NodeValue& node) const;

  // Whether a position needs no search in this game, and then its value.
  bool settled(const Position& position, Side on_roll, NodeValue& node) const;

  // The parts of undecided(), for those who share the work among threads: choose replies to every roll (with outputs if
  // they are leaves), value each of them, and add up.
  bool choose(const Position& position, int plies, Side on_roll, Replies& replies) const;
  bool reply_value(const Replies::Reply& reply, int plies, Side replier, NodeValue& node) const;
  void combine(const Replies& replies, std::span<const NodeValue> after, NodeValue& node) const;
  void decide(Side on_roll, NodeValue& node) const { model_.decide(on_roll, states_, node.values); }

  // The value of a position by its own outputs alone.
  void leaf(const Position& position, const Outputs& outputs, Side on_roll, bool decided, NodeValue& node) const;

  // Whether exact values are known for the position and this game; then they need no search.
  bool exact(const Position& position, Side on_roll, NodeValue& node) const;

 private:
  // How many replies to a roll get a real evaluation, and how many a glance before that where a sketch chooses them.
  struct Care {
    int replies;
    int glances;
  };
  Care care(int plies) const;
  using Forced = std::array<Replies::Reply, kRolls>;  // the replies of rolls that leave no choice
  void gather(const Position& position, Care care, Forced& forced, std::span<RollResults, kRolls> rolls) const;
  void shortlist(const Position& position, Care care, bool last, Forced& forced,
                 std::span<RollResults, kRolls> rolls) const;
  // How good a result is for its player on roll, by its outputs, to each leader: what replies are chosen by.
  void appeal(const Position& result, const Outputs& outputs, Side on_roll, StateValues& appeals) const;
  void exact_undecided(const Position& position, Side on_roll, NodeValue& node) const;

  const Evaluator& evaluator_;
  const CubeModel& model_;
  const CubefulTable* table_;
  TreeSettings settings_;
  int plies_;
  StateMask asked_;
  StateMask states_;
  std::vector<int> leaders_;  // the states asked for
  std::array<int, kMaxStates> leader_of_{};
  Interrupt& interrupt_;
};

}  // namespace kibitz
