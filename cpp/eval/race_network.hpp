// The net for races: how many turns one side needs, from its own row of checkers alone. Where there is no contact, the
// two sides have nothing else to do with each other.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "board/position.hpp"
#include "eval/counts.hpp"
#include "eval/dense_layer.hpp"
#include "eval/turns_distribution.hpp"

namespace kibitz {

inline constexpr int kRowSlots = kSlots + 1;  // of the inputs: a row, and what it has borne off
inline constexpr int kRowUnits = kRowSlots * kSlotUnits;
inline constexpr int kRaceOutputs = kAllTurns + kFirstTurns;

// The numbers of a race net, as its file holds them.
struct RaceParameters {
  int width = 0;
  int hidden = 0;
  std::vector<std::int16_t> units;     // [kRowUnits][width], 1.0 = kActivationOne
  std::vector<std::int16_t> bias1;     // [width]
  std::vector<std::int16_t> weights2;  // [width][hidden], 1.0 = kWeightOne
  std::vector<std::int16_t> weights3;  // [hidden][kRaceOutputs], for each turn a logarithm to base 2
  std::vector<std::int32_t> bias2;     // [hidden], 1.0 = kActivationOne * kWeightOne
  std::vector<std::int32_t> bias3;     // [kRaceOutputs]

  // From a payload: the architecture, then all arrays one after the other, little-endian. False if it is none.
  bool read(std::string_view payload);
  // An empty string, or what is wrong with the widths.
  const char* defect() const;
};

class RaceNetwork {
 public:
  explicit RaceNetwork(const RaceParameters& parameters);

  // The distributions of some rows, each of which has a checker outside its home board.
  void distributions(std::span<const Row> rows, TurnsDistribution* distributions) const;

  // The same for the rows of the side that has just played, in results of one roll from `before`.
  void distributions_of_results(const Position& before, std::span<const Position> results,
                                TurnsDistribution* distributions) const;

 private:
  void accumulate(const Row& row, std::int16_t* sums, bool clip) const;
  // The other layers: from activations to the distribution of each of up to kBatch rows.
  template <typename RowOf>
  void finish(const std::int16_t* activations, int count, RowOf row_of, TurnsDistribution* distributions) const;

  int width_;
  AlignedVector<std::int16_t> units_;  // as a position's net has them: those of a row stand where the opponent's are
  AlignedVector<std::int16_t> bias1_;
  DenseLayer second_, last_;
};

}  // namespace kibitz
