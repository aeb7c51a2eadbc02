#include "selfplay/learner_kernels.hpp"

#include <cmath>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define KIBITZ_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define KIBITZ_CLONES
#endif

namespace kibitz::learning {
namespace {

// Sixteen floats: one AVX-512 register, or as many smaller ones as the processor needs. Aligned as plain floats.
typedef float Floats __attribute__((vector_size(64), aligned(4)));
constexpr int kFloats = 16;
constexpr int kTileRows = 4;

const Floats& at(const float* pointer) { return *reinterpret_cast<const Floats*>(pointer); }
Floats& at(float* pointer) { return *reinterpret_cast<Floats*>(pointer); }

}  // namespace

KIBITZ_CLONES
void multiply(const float* in, int rows, int inputs, const float* weights, const float* start, int outputs,
              float* out) {
  constexpr int kWide = 4;
  for (int row = 0; row < rows; row += kTileRows) {
    const int tall = rows - row < kTileRows ? rows - row : kTileRows;
    for (int column = 0; column < outputs;) {
      if (tall == kTileRows && outputs - column >= kWide * kFloats) {
        Floats sums[kTileRows][kWide];
        for (int r = 0; r < kTileRows; ++r)
          for (int c = 0; c < kWide; ++c) sums[r][c] = start ? at(start + column + c * kFloats) : Floats{};
        const float* from = in + static_cast<long>(row) * inputs;
        for (int i = 0; i < inputs; ++i) {
          const float* weight = weights + static_cast<long>(i) * outputs + column;
          for (int c = 0; c < kWide; ++c) {
            const Floats values = at(weight + c * kFloats);
            for (int r = 0; r < kTileRows; ++r) sums[r][c] += from[static_cast<long>(r) * inputs + i] * values;
          }
        }
        for (int r = 0; r < kTileRows; ++r)
          for (int c = 0; c < kWide; ++c) at(out + static_cast<long>(row + r) * outputs + column + c * kFloats) = sums[r][c];
        column += kWide * kFloats;
      } else {
        for (int r = 0; r < tall; ++r) {
          Floats sum = start ? at(start + column) : Floats{};
          const float* from = in + static_cast<long>(row + r) * inputs;
          for (int i = 0; i < inputs; ++i) sum += from[i] * at(weights + static_cast<long>(i) * outputs + column);
          at(out + static_cast<long>(row + r) * outputs + column) = sum;
        }
        column += kFloats;
      }
    }
  }
}

KIBITZ_CLONES
void add_gradient(const float* in, const float* delta, int rows, int inputs, int outputs, float* gradient) {
  constexpr int kWide = 4;
  for (int input = 0; input < inputs; input += kTileRows) {
    const int tall = inputs - input < kTileRows ? inputs - input : kTileRows;
    for (int column = 0; column < outputs;) {
      if (tall == kTileRows && outputs - column >= kWide * kFloats) {
        Floats sums[kTileRows][kWide] = {};
        for (int row = 0; row < rows; ++row) {
          const float* from = in + static_cast<long>(row) * inputs + input;
          const float* change = delta + static_cast<long>(row) * outputs + column;
          for (int c = 0; c < kWide; ++c) {
            const Floats values = at(change + c * kFloats);
            for (int r = 0; r < kTileRows; ++r) sums[r][c] += from[r] * values;
          }
        }
        for (int r = 0; r < kTileRows; ++r)
          for (int c = 0; c < kWide; ++c)
            at(gradient + static_cast<long>(input + r) * outputs + column + c * kFloats) += sums[r][c];
        column += kWide * kFloats;
      } else {
        for (int r = 0; r < tall; ++r) {
          Floats sum = {};
          for (int row = 0; row < rows; ++row)
            sum += in[static_cast<long>(row) * inputs + input + r] * at(delta + static_cast<long>(row) * outputs + column);
          at(gradient + static_cast<long>(input + r) * outputs + column) += sum;
        }
        column += kFloats;
      }
    }
  }
}

KIBITZ_CLONES
void add_scaled(const float* from, float factor, float* to, int count) {
  for (int i = 0; i < count; ++i) to[i] += factor * from[i];
}

KIBITZ_CLONES
void sum_rows(const float* start, const float* const* rows, const float* values, int count, float* to, int width) {
  constexpr int kWide = 4;
  for (int column = 0; column < width; column += kWide * kFloats) {
    Floats sums[kWide];
    for (int c = 0; c < kWide; ++c) sums[c] = at(start + column + c * kFloats);
    for (int i = 0; i < count; ++i)
      for (int c = 0; c < kWide; ++c) sums[c] += values[i] * at(rows[i] + column + c * kFloats);
    for (int c = 0; c < kWide; ++c) at(to + column + c * kFloats) = sums[c];
  }
}

KIBITZ_CLONES
void clip(const float* sums, float limit, float* activations, int count) {
  for (int i = 0; i < count; ++i) {
    const float value = sums[i] > 0.0f ? sums[i] : 0.0f;
    activations[i] = value < limit ? value : limit;
  }
}

KIBITZ_CLONES
void stop_clipped(const float* sums, float limit, float* deltas, int count) {
  for (int i = 0; i < count; ++i) deltas[i] = sums[i] > 0.0f && sums[i] < limit ? deltas[i] : 0.0f;
}

KIBITZ_CLONES
void adam(const AdamStep& step, const float* gradient, float* weights, float* first, float* second, float* averaged,
          int count) {
  constexpr float kEpsilon = 1e-8f;
  for (int i = 0; i < count; ++i) {
    const float slope = gradient[i];
    const float mean = step.decay1 * first[i] + (1.0f - step.decay1) * slope;
    const float square = step.decay2 * second[i] + (1.0f - step.decay2) * slope * slope;
    first[i] = mean;
    second[i] = square;
    weights[i] -= step.rate * (mean * step.correction1) / (std::sqrt(square * step.correction2) + kEpsilon);
    averaged[i] += step.averaging * (weights[i] - averaged[i]);
  }
}

}  // namespace kibitz::learning
