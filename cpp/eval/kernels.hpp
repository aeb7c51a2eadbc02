// The inner loops of network inference, compiled once for each instruction set. All arithmetic is on integers, so every
// set gives the same bits.
#pragma once

#include <cstdint>

namespace kibitz {

struct Kernels {
  const char* name;

  // out = base + sum of rows, `width` values (a multiple of 64); clipped to [0, kActivationMax] if asked.
  void (*accumulate)(const std::int16_t* base, const std::int16_t* const* rows, int count, std::int16_t* out, int width,
                     bool clip);

  // From the sums of one position to the clipped sums of some that a play leads to. Positions are the bytes of their
  // counts; `units` are rows of `width` values, kUnitsOfSlot for each slot: what the first, second ... checker in it
  // adds. `more` units are added whatever changed: the features, which are not in `sums`, as the kernel below finds
  // them. `rows` says which row of `out` each position goes to.
  void (*neighbours)(const std::uint8_t* before, const std::uint8_t* positions, int count, const std::int16_t* units,
                     const std::int16_t* sums, const std::uint16_t* more, const int* more_counts,
                     const std::uint8_t* rows, std::int16_t* out, int width);

  // The features (features.hpp) of up to kFeatureBatch positions: for each the units that are on, kMostFeatures apart,
  // and how many they are.
  void (*features)(const std::uint8_t* positions, int count, std::uint16_t* units, int* unit_counts);

  // For each of `count` rows: out[o] = bias[o] + sum over inputs of in[i] * weight[i][o]. Rows of `in` are `inputs`
  // apart, rows of `out` `outputs`. Weights are packed by pairs of inputs: weights[i / 2][o][i % 2]. `inputs` is even,
  // from kManyInputs on a multiple of 32; `outputs` is a multiple of 16. Pairs of zeros cost nothing.
  void (*dense)(const std::int16_t* in, int count, int inputs, const std::int16_t* weights, const std::int32_t* bias,
                int outputs, std::int32_t* out);

  // out = clip(in >> shift) as activations.
  void (*activate)(const std::int32_t* in, int count, int shift, std::int16_t* out);
};

// The layout of a position and of the units, told again: what includes functions cannot be included by the kernels.
inline constexpr int kSlotsOfSide = 25;
inline constexpr int kSlotsOnBoard = 2 * kSlotsOfSide;  // then come the two slots of what is borne off
inline constexpr int kUnitsOfSlot = 5;
inline constexpr int kCheckersOfSide = 15;
inline constexpr int kUnitsOfCounts = (kSlotsOnBoard + 2) * kUnitsOfSlot;  // then come the features

inline constexpr int kActivationOne = 1024;                // 1.0 as an activation
inline constexpr int kActivationMax = 4 * kActivationOne;  // activations are clipped to [0, 4]
inline constexpr int kMaxWidth = 2048;
inline constexpr int kManyInputs = 128;  // with fewer inputs, looking for zeros takes longer than multiplying by them

// Those of the instruction set in use.
const Kernels& kernels();

}  // namespace kibitz
