#include "selfplay/learner_kernels.hpp"

#include <cmath>

#include "support/clones.hpp"

namespace kibitz::learning {
namespace {

// Sixteen floats: one AVX-512 register, or as many smaller ones as the processor needs. Aligned as plain floats.
typedef float Floats __attribute__((vector_size(64), aligned(4)));
constexpr int kFloats = 16;
KIBITZ_INLINE const Floats& at(const float* pointer) { return *reinterpret_cast<const Floats*>(pointer); }
KIBITZ_INLINE Floats& at(float* pointer) { return *reinterpret_cast<Floats*>(pointer); }

typedef float Eight __attribute__((vector_size(32)));
typedef float Four __attribute__((vector_size(16)));

// The sum of sixteen floats by halves: a plain loop would wait for every addition.
KIBITZ_INLINE float total(const Floats& values) {
  const Eight eight = __builtin_shufflevector(values, values, 0, 1, 2, 3, 4, 5, 6, 7) +
                      __builtin_shufflevector(values, values, 8, 9, 10, 11, 12, 13, 14, 15);
  const Four four =
      __builtin_shufflevector(eight, eight, 0, 1, 2, 3) + __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
  const Four two = four + __builtin_shufflevector(four, four, 2, 3, 0, 1);
  return two[0] + two[1];
}

template <int kWide>
KIBITZ_INLINE void sum_columns(const float* start, const float* const* rows, const float* values, int count, float* to,
                               int column) {
  Floats sums[kWide];
  for (int c = 0; c < kWide; ++c) sums[c] = at(start + column + c * kFloats);
  for (int i = 0; i < count; ++i) {
    const float* row = rows[i] + column;
    const float value = values[i];
    for (int c = 0; c < kWide; ++c) sums[c] += value * at(row + c * kFloats);
  }
  for (int c = 0; c < kWide; ++c) at(to + column + c * kFloats) = sums[c];
}

template <int kWide>
KIBITZ_INLINE void flow_back_columns(const float* const* deltas, const float* values, int count, const float* weights,
                                     float* gradient, float* flows, int column) {
  Floats sums[kWide], fixed[kWide];
  for (int c = 0; c < kWide; ++c) {
    sums[c] = at(gradient + column + c * kFloats);
    fixed[c] = at(weights + column + c * kFloats);
  }
  for (int i = 0; i < count; ++i) {
    const float* delta = deltas[i] + column;
    const float value = values[i];
    Floats even = {}, odd = {};
    for (int c = 0; c < kWide; ++c) {
      const Floats here = at(delta + c * kFloats);
      sums[c] += value * here;
      (c % 2 ? odd : even) += fixed[c] * here;
    }
    flows[i] += total(even + odd);
  }
  for (int c = 0; c < kWide; ++c) at(gradient + column + c * kFloats) = sums[c];
}

KIBITZ_INLINE void sum_rows_body(const float* start, const float* const* rows, const float* values, int count,
                                 float* to, int width) {
  int column = 0;
  for (; width - column >= 8 * kFloats; column += 8 * kFloats) sum_columns<8>(start, rows, values, count, to, column);
  for (; width - column >= 4 * kFloats; column += 4 * kFloats) sum_columns<4>(start, rows, values, count, to, column);
  for (; column < width; column += kFloats) sum_columns<1>(start, rows, values, count, to, column);
}

KIBITZ_INLINE void flow_back_body(const float* const* deltas, const float* values, int count, const float* weights,
                                  float* gradient, float* flows, int width) {
  for (int i = 0; i < count; ++i) flows[i] = 0.0f;
  int column = 0;
  for (; width - column >= 8 * kFloats; column += 8 * kFloats)
    flow_back_columns<8>(deltas, values, count, weights, gradient, flows, column);
  for (; width - column >= 4 * kFloats; column += 4 * kFloats)
    flow_back_columns<4>(deltas, values, count, weights, gradient, flows, column);
  for (; column < width; column += kFloats)
    flow_back_columns<1>(deltas, values, count, weights, gradient, flows, column);
}

KIBITZ_INLINE void clip_body(const float* sums, float limit, float* activations, int count) {
  for (int i = 0; i < count; ++i) {
    const float value = sums[i] > 0.0f ? sums[i] : 0.0f;
    activations[i] = value < limit ? value : limit;
  }
}

KIBITZ_INLINE void add_body(const float* from, float* to, int count) {
  for (int i = 0; i < count; ++i) to[i] += from[i];
}

KIBITZ_INLINE void adam_body(const AdamStep& step, const float* __restrict gradient, float* __restrict weights,
                             float* __restrict first, float* __restrict second, float* __restrict averaged, int count) {
  constexpr float kEpsilon = 1e-8f;
  const AdamStep by = step;
  for (int i = 0; i < count; ++i) {
    const float slope = gradient[i];
    const float mean = by.decay1 * first[i] + (1.0f - by.decay1) * slope;
    const float square = by.decay2 * second[i] + (1.0f - by.decay2) * slope * slope;
    first[i] = mean;
    second[i] = square;
    weights[i] -= by.rate * (mean * by.correction1) / (std::sqrt(square * by.correction2) + kEpsilon);
    averaged[i] += by.averaging * (weights[i] - averaged[i]);
  }
}

}  // namespace

const decltype(sum_rows) sum_rows = cloned<sum_rows_body>();
const decltype(flow_back) flow_back = cloned<flow_back_body>();
const decltype(clip) clip = cloned<clip_body>();
const decltype(add) add = cloned<add_body>();
const decltype(adam) adam = cloned<adam_body>();

int find_active(const float* values, int count, std::uint16_t* places) {
  int found = 0;
  for (int i = 0; i < count; ++i) {
    places[found] = static_cast<std::uint16_t>(i);
    found += values[i] != 0.0f;
  }
  return found;
}

}  // namespace kibitz::learning
