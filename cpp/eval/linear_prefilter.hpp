// The linear prefilter, the cheapest look of all: the slope of a net at a position, by which a result costs a few
// additions.
//
// A net is a smooth enough function of how many checkers stand where that its slope before a play tells roughly what
// each checker's step brings. That is no evaluation, but it leaves out the many plays that nobody would make.
#pragma once

#include <cstdint>
#include <span>

#include "board/position.hpp"
#include "eval/network.hpp"
#include "support/aligned.hpp"

namespace kibitz {

class LinearPrefilter {
 public:
  // Weights such that activations of 1.0 are 1.0, in both orders: towards the outputs and back. The outputs are padded.
  struct Layers {
    int width, hidden1, hidden2;
    AlignedVector<float> weights2, back2, bias2, weights3, back3, bias3, weights4, back4, bias4;
  };

  explicit LinearPrefilter(const NetworkParameters& parameters);

  // Who bears off has few plays, and too small differences decide among them. Races have a prefilter of their own.
  static bool covers(const Position& before) { return rearmost(before.mine) >= kHome && in_contact(before); }

  // How much the equity of the one who is on roll in each result (the opponent of the one who played) differs from that
  // before the play, roughly. `before` is seen by the one who played, and covered. A result in which contact has just
  // been broken is beyond this net, and kIncomparable.
  void differences(const Position& before, std::span<const Position> results, std::span<float> equities) const;

 private:
  class Prices;
  // The slope of the equity by each unit of the first layer, as whole numbers. Returns what one is worth.
  float slopes_at(const Position& position, std::int16_t* slopes) const;

  float limit_;  // of slopes as integers, so that no sum of products is too large for 32 bits
  AlignedVector<std::int16_t> units_, bias1_;
  AlignedVector<std::int16_t> priced_;  // units that have a price: the weights of a layer whose inputs are the slopes
  Layers layers_;
};

}  // namespace kibitz
