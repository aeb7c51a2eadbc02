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
  bool cubeful = true;    // replies are chosen by cubeful value, else by the value with a dead cube
  int replies = 8;        // how many replies to a roll at most a first look leaves for a real evaluation ...
  int last_replies = 3;   // ... and at the last ply of two or more, where nearly all of the time goes
  CubeLife life;
  int total_checkers = kCheckers;
};

// A position's outputs, and its value in every cube state that was asked for, both for the player on roll.
struct NodeValue {
  std::array<double, 5> outputs{};
  StateValues values{};
};

// The best reply to each roll.
struct Replies {
  struct Reply {
    Position position;  // seen by the opponent
    Outputs outputs;    // of that position, where they were needed
    bool over = false;
  };
  std::array<Reply, kRolls> of{};

  // The first roll that leads to the same position as this one, mostly itself: rolls that cannot enter all do. What is known of
  // that one is known of this one.
  int first_like(int roll) const {
    int first = 0;
    while (!(of[first].position == of[roll].position)) ++first;
    return first;
  }
};

// One search at a time in each thread; the tree itself holds no state and may be shared by many.
class Tree {
 public:
  // `plies` is how deep the whole look is: where many leaves are averaged, each deserves less care.
  Tree(const Evaluator& evaluator, const CubeModel& model, const CubefulTable* table, const TreeSettings& settings,
       int plies, StateMask states, Interrupt& interrupt);

  const CubeModel& model() const { return model_; }
  const TreeSettings& settings() const { return settings_; }
  StateMask states() const { return states_; }
  Interrupt& interrupt() const { return interrupt_; }

  // The value of a position after looking `plies` ahead, with the best cube decision of the player on roll. False if
  // interrupted: then the value means nothing.
  bool value(const Position& position, int plies, Side on_roll, NodeValue& node) const;

  // The same before the player on roll has thought of doubling.
  bool undecided(const Position& position, int plies, Side on_roll, NodeValue& node) const;

  // The parts of undecided(), for those who share the work among threads: choose a reply to every roll (with outputs if
  // it is a leaf), value each, and add them up.
  bool choose(const Position& position, int plies, Side on_roll, Replies& replies) const;
  bool reply_value(const Replies::Reply& reply, int plies, Side replier, NodeValue& node) const;
  void combine(std::span<const NodeValue, kRolls> after, NodeValue& node) const;
  void decide(Side on_roll, NodeValue& node) const { model_.decide(on_roll, states_, node.values); }

  // The value of a position by its own outputs alone.
  void leaf(const Position& position, const Outputs& outputs, Side on_roll, bool decided, NodeValue& node) const;

  // Whether exact values are known for the position and this game; then they need no search.
  bool exact(const Position& position, Side on_roll, NodeValue& node) const;

  // How good a result is for its player on roll, by its outputs: what replies are chosen by.
  double appeal(const Position& result, const Outputs& outputs, Side on_roll) const;

 private:
  // How many replies to a roll get a real evaluation, and how many a glance before that where a sketch chooses them.
  struct Care {
    int replies;
    int glances;
  };
  Care care(int plies) const;
  void gather(const Position& position, Care care, Replies& replies, std::span<RollResults, kRolls> rolls) const;
  void shortlist(const Position& position, Care care, bool last, Replies& replies,
                 std::span<RollResults, kRolls> rolls) const;
  void exact_undecided(const Position& position, Side on_roll, NodeValue& node) const;

  const Evaluator& evaluator_;
  const CubeModel& model_;
  const CubefulTable* table_;
  TreeSettings settings_;
  int plies_;
  StateMask states_;
  Interrupt& interrupt_;
};

}  // namespace kibitz
