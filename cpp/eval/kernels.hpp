// The inner loops of network inference, compiled once for each instruction set. All arithmetic is on integers, so every
// set gives the same bits.
#pragma once

#include <cstdint>

namespace kibitz {

struct Kernels {
  const char* name;

  // out = base + sum of `added` rows - sum of `removed` rows, `width` values (a multiple of 64); clipped to [0, kActivationMax] if asked.
  void (*accumulate)(const std::int16_t* base, const std::int16_t* const* added, int added_count,
                     const std::int16_t* const* removed, int removed_count, std::int16_t* out, int width, bool clip);

  // For each of `count` rows: out[o] = bias[o] + sum over inputs of in[i] * weight[i][o]. Rows of `in` are `inputs` apart,
  // rows of `out` `outputs`. Weights are packed by pairs of inputs: weights[i / 2][o][i % 2]. `inputs` is even, above
  // kFewInputs a multiple of 32; `outputs` is a multiple of 16. Pairs of zeros cost nothing.
  void (*dense)(const std::int16_t* in, int count, int inputs, const std::int16_t* weights, const std::int32_t* bias,
                int outputs, std::int32_t* out);

  // out = clip(in >> shift) as activations.
  void (*activate)(const std::int32_t* in, int count, int shift, std::int16_t* out);
};

inline constexpr int kActivationOne = 1024;               // 1.0 as an activation
inline constexpr int kActivationMax = 4 * kActivationOne;  // activations are clipped to [0, 4]
inline constexpr int kMaxWidth = 2048;
inline constexpr int kFewInputs = 128;  // with so few inputs, looking for zeros takes longer than multiplying by them

// The best kernels this processor runs; the environment variable KIBITZ_ISA (sse2, avx2, avx512) picks others.
const Kernels& kernels();

}  // namespace kibitz
