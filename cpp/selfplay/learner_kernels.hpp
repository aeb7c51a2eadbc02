// The loops of training. Most activations are zero, and zeros are never multiplied: everything is a sum over the few
// that are not. Each is the one for the instruction set in use. Compiled with contraction allowed: these floats never reach a user.
#pragma once

#include <cstdint>

namespace kibitz::learning {

// to = start + sum of values[i] * rows[i], each of `width` floats (a multiple of 16).
extern void (*const sum_rows)(const float* start, const float* const* rows, const float* values, int count, float* to,
                              int width);

// One input of a dense layer, over the `count` rows in which it is active: adds the sum of values[i] * deltas[i] to its
// gradient, and flows[i] is what flows back to it, weights * deltas[i]. Each has `width` floats (a multiple of 16).
extern void (*const flow_back)(const float* const* deltas, const float* values, int count, const float* weights,
                               float* gradient, float* flows, int width);

// The places of the values that are not zero; returns how many there are.
int find_active(const float* values, int count, std::uint16_t* places);

// activations = sums clipped to [0, limit].
extern void (*const clip)(const float* sums, float limit, float* activations, int count);

// to += from
extern void (*const add)(const float* from, float* to, int count);

struct AdamStep {
  float rate, decay1, decay2, correction1, correction2, averaging;
};
extern void (*const adam)(const AdamStep& step, const float* gradient, float* weights, float* first, float* second,
                          float* averaged, int count);

}  // namespace kibitz::learning
