// Races: positions without contact, evaluated by how many turns each side needs. The exact tables answer for a side
// that is home, the race net for one that is not.
#pragma once

#include <memory>
#include <span>

#include "board/outputs.hpp"
#include "board/position.hpp"
#include "eval/race_network.hpp"

namespace kibitz {

class Races {
 public:
  explicit Races(std::shared_ptr<const RaceNetwork> network) : network_(std::move(network)) {}

  // Positions without contact in which both sides have checkers left, and one of them some outside its home board.
  void evaluate(std::span<const Position> positions, Outputs* outputs) const;

  // The same for such results of one roll, played from `before`: one side is the same in all of them.
  void evaluate_results(const Position& before, std::span<const Position> results, Outputs* outputs) const;

  // A cheap look at results of many rolls: how many turns more than now the side that has played needs, roughly. Each
  // slot has a price for a checker more and one for a checker less, found by trying.
  void prefilter(const Position& before, std::span<const Position> results, std::span<float> turns) const;

  // A prefilter needs a checker outside, else there is little to choose. Who runs from a gammon has to count exactly.
  static bool can_prefilter(const Position& before) {
    return rearmost(before.mine) >= kHome && checkers(before.theirs) == kCheckers;
  }

  // Of a row with any checkers left.
  TurnsDistribution distribution(const Row& row) const;

 private:
  // The mean turns that some rows need, those of a prefilter at most.
  void mean_turns(std::span<const Row> rows, float* means) const;

  std::shared_ptr<const RaceNetwork> network_;
};

}  // namespace kibitz
