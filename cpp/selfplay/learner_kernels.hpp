// The matrix loops of training. Compiled with contraction allowed: these floats never reach a user.
#pragma once

namespace kibitz::learning {

// out[r] = start + in[r] * weights, for `rows` rows; weights are [inputs][outputs], outputs a multiple of 16.
// `start` may be null for zero.
void multiply(const float* in, int rows, int inputs, const float* weights, const float* start, int outputs, float* out);

// gradient[i][o] += sum over rows of in[r][i] * delta[r][o].
void add_gradient(const float* in, const float* delta, int rows, int inputs, int outputs, float* gradient);

// to += factor * from
void add_scaled(const float* from, float factor, float* to, int count);

// to = start + sum of value[i] * rows[i], each of `width` floats (a multiple of 64).
void sum_rows(const float* start, const float* const* rows, const float* values, int count, float* to, int width);

// activations = sums clipped to [0, limit]; and back: nothing flows where they were clipped.
void clip(const float* sums, float limit, float* activations, int count);
void stop_clipped(const float* sums, float limit, float* deltas, int count);

struct AdamStep {
  float rate, decay1, decay2, correction1, correction2, averaging;
};
void adam(const AdamStep& step, const float* gradient, float* weights, float* first, float* second, float* averaged,
          int count);

}  // namespace kibitz::learning
