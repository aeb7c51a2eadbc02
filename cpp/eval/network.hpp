// A net: sparse first layer kept as an accumulator, two small dense layers, five outputs. Integers throughout.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "board/outputs.hpp"
#include "board/position.hpp"
#include "eval/architecture.hpp"
#include "eval/bucket.hpp"
#include "eval/counts.hpp"
#include "eval/dense_layer.hpp"

namespace kibitz {

// The numbers of a net, as its file holds them.
struct NetworkParameters {
  int width = 0;
  int hidden1 = 0;
  int hidden2 = 0;
  int sets = 1;                        // of later layers: one for all positions, or one for each bucket
  std::vector<std::int16_t> units;     // [kCountUnits, with features kFeatureUnits more][width], 1.0 = kActivationOne
  std::vector<std::int16_t> bias1;     // [width], 1.0 = kActivationOne
  std::vector<std::int16_t> weights2;  // [sets][width][hidden1], 1.0 = kWeightOne
  std::vector<std::int32_t> bias2;     // [sets][hidden1], 1.0 = kActivationOne * kWeightOne
  std::vector<std::int16_t> weights3;  // [sets][hidden1][hidden2]
  std::vector<std::int32_t> bias3;     // [sets][hidden2]
  std::vector<std::int16_t> weights4;  // [sets][hidden2][kOutputs]
  std::vector<std::int32_t> bias4;     // [sets][kOutputs]

  // An empty string, or what is wrong with the sizes.
  const char* defect() const;

  // The architecture, then all arrays one after the other, 16-bit ones first, little-endian: the payload of a net file.
  std::string payload() const;
  // False if there are more or fewer numbers than the architecture says.
  bool read(std::string_view payload);
  bool has_features() const { return units.size() > static_cast<std::size_t>(kCountUnits) * width; }
};

class Network {
 public:
  explicit Network(const NetworkParameters& parameters);

  // Each position for its player on roll. Outputs are the raw probabilities of the net.
  void evaluate(std::span<const Position> positions, Outputs* outputs) const;

  // The first layer of a position, from which those of its neighbours are reached in a few steps.
  struct Accumulator {
    Position position;
    alignas(64) std::int16_t sums[kMaxWidth];
  };
  void start(const Position& position, Accumulator& accumulator) const;
  void evaluate_near(const Accumulator& accumulator, std::span<const Position> positions, Outputs* outputs) const;

  // Both dense layers of each position, one byte an activation: kHiddenOne is 1.0. Positions whose bytes are near each other
  // are alike to the net. Asked of nets with one set of later layers: those of different sets do not compare.
  static constexpr int kHiddenOne = 64;
  void hidden(std::span<const Position> positions, std::uint8_t* bytes) const;
  int hidden_width() const { return later_[0].second.outputs + later_[0].third.outputs; }
  int sets() const { return static_cast<int>(later_.size()); }

  int width() const { return width_; }

 private:
  const std::int16_t* row(int slot, int count) const {
    return rows_.data() + (static_cast<std::size_t>(slot) * kCounts + count) * width_;
  }
  // The features of up to a batch of positions, if the net looks at any.
  struct Features {
    std::uint16_t units[kFeatureBatch * kMostFeatures];
    int counts[kFeatureBatch] = {};
    const std::uint16_t* of(int position) const { return units + position * kMostFeatures; }
  };
  void find(const Position* positions, int count, Features& features) const;
  // The rows of a batch of positions: those that share their later layers stand together.
  struct Rows {
    std::uint8_t of[kFeatureBatch] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};  // each position's row
    std::uint8_t set[kFeatureBatch] = {};                                                     // each row's layers
  };
  static_assert(kFeatureBatch == 16);
  void sort(const Position* positions, int count, Rows& rows) const;
  // The first layer of up to a batch of positions, each in its row.
  void activate_first(const Position* positions, int count, const Rows& rows, std::int16_t* activations) const;
  // The other layers, for a batch of rows of activations.
  void finish(const Rows& rows, const std::int16_t* activations, int count, Outputs* outputs) const;

  struct LaterLayers {
    DenseLayer second, third, last;
  };
  void finish(const LaterLayers& layers, const std::int16_t* activations, int count, Outputs* outputs) const;

  int width_;
  AlignedVector<std::int16_t> rows_;   // [slot][count][width]
  AlignedVector<std::int16_t> units_;  // [slot][unit][width], then the features
  bool features_;                      // whether it has those
  AlignedVector<std::int16_t> bias1_;
  std::vector<LaterLayers> later_;  // by bucket, or one for all
};

}  // namespace kibitz
