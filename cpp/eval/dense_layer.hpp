// A dense layer as the kernels want it, and the memory in which a thread runs a batch through some of them.
#pragma once

#include <cstdint>

#include "board/position.hpp"
#include "eval/features.hpp"
#include "eval/kernels.hpp"
#include "support/aligned.hpp"

namespace kibitz {

inline constexpr int kWeightOne = 4096;  // 1.0 as a weight of a dense layer
inline constexpr int kWeightShift = 12;

inline constexpr int kBatch = kFeatureBatch;  // positions, or rows of a race, that share a pass through the weights

// Plain memory, so that getting at it costs nothing but finding the thread's own.
struct Workspace {
  alignas(64) std::int16_t activations[kBatch * kMaxWidth];
  alignas(64) std::int16_t hidden[kBatch * kMaxWidth];
  alignas(64) std::int32_t sums[kBatch * kMaxWidth];
};
inline thread_local Workspace workspace;

struct DenseLayer {
  // From [inputs][outputs] weights. The kernels want the outputs in multiples of 16.
  DenseLayer(int inputs, int outputs, const std::int16_t* from, const std::int32_t* from_bias)
      : inputs(inputs),
        outputs((outputs + 15) / 16 * 16),
        weights(static_cast<std::size_t>(inputs) * this->outputs),
        bias(from_bias, from_bias + outputs) {
    bias.resize(this->outputs);
    for (int i = 0; i < inputs; ++i)
      for (int o = 0; o < outputs; ++o)
        weights[(static_cast<std::size_t>(i / 2) * this->outputs + o) * 2 + i % 2] =
            from[static_cast<std::size_t>(i) * outputs + o];
  }

  // The sums of a batch of rows, in the workspace.
  void apply(const std::int16_t* in, int count) const {
    kernels().dense(in, count, inputs, weights.data(), bias.data(), outputs, workspace.sums);
  }
  // And the activations, there too.
  void activate(const std::int16_t* in, int count) const {
    apply(in, count);
    kernels().activate(workspace.sums, count * outputs, kWeightShift, workspace.hidden);
  }

  int inputs, outputs;
  AlignedVector<std::int16_t> weights;  // packed by pairs of inputs
  AlignedVector<std::int32_t> bias;
};

// Whether the kernels can do with so wide a first layer, or a later one.
constexpr bool is_first_width(int width) { return width >= 64 && width <= kMaxWidth && width % 64 == 0; }
constexpr bool is_later_width(int width) {
  return width >= 16 && width <= kMaxWidth && width % (width < kManyInputs ? 16 : 32) == 0;
}

inline const std::uint8_t* bytes_of(const Position& position) {
  return reinterpret_cast<const std::uint8_t*>(&position);
}

}  // namespace kibitz
