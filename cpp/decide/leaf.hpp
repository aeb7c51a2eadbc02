// The value of a position that nobody looks into: a finished game, one that the exact tables know, or one that is known
// by its outputs.
#pragma once

#include <span>
#include <vector>

#include "board/outputs.hpp"
#include "board/position.hpp"
#include "cube/cube_efficiency.hpp"
#include "cube/cube_model.hpp"

namespace kibitz {

struct LeafSettings {
  bool cubeful = true;  // replies are chosen by cubeful value, else by the value with a dead cube
  CubeEfficiency efficiency{};
  int total_checkers = kCheckers;
  bool exact = true;  // the tables are asked
};

// A position's outputs, and its value in every cube state that was asked for, both for the player on roll.
struct PositionValue {
  MeanOutputs outputs;
  StateValues values;
};

constexpr StateMask only(int state) { return StateMask{1} << state; }

class LeafModel {
 public:
  // `roots` are the root cube states: each has its replies chosen for its own sake. `states` are those whose values are
  // told, and must be all that a decision in them looks at.
  LeafModel(const CubeModel& model, const LeafSettings& settings, StateMask roots, StateMask states);

  // The present state alone, and what one double leads to.
  LeafModel(const CubeModel& model, const LeafSettings& settings);

  const CubeModel& model() const { return model_; }
  const LeafSettings& settings() const { return settings_; }
  std::span<const int> roots() const { return roots_; }
  StateMask states() const { return states_; }

  // The value before the player on roll has thought of doubling, and the same with the best decision.
  void undecided(const Position& position, const Outputs& outputs, Side on_roll, PositionValue& value) const;
  void decide(Side on_roll, PositionValue& value) const { model_.decide(on_roll, states_, value.values); }

  // The value of a finished game.
  void finished(const Position& position, Side on_roll, PositionValue& value) const;

  // Whether the tables know the position in this game, and then its value with the best decision.
  bool knows(const Position& position) const;
  bool exact(const Position& position, Side on_roll, PositionValue& value) const;
  // The same before the decision, one step back from the tables: every state chooses its own best reply.
  void exact_undecided(const Position& position, Side on_roll, PositionValue& value) const;

  // Whether a position needs no search, and then its value.
  bool settled(const Position& position, Side on_roll, PositionValue& value) const;

  // The value with the best decision, whatever the position, by its outputs where nothing better is known.
  void value(const Position& position, const Outputs& outputs, Side on_roll, PositionValue& value) const;

  // How good a result is for its player on roll, to each root: what replies are chosen by.
  void scores(const Position& result, const Outputs& outputs, Side on_roll, StateValues& scores) const;

 private:
  CubeModel model_;
  LeafSettings settings_;
  std::vector<int> roots_;
  StateMask root_mask_;
  StateMask states_;
};

}  // namespace kibitz
