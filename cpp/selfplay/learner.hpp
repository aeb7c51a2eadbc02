// Trains a net: the same layers as eval/network.hpp in floating point, with gradients and Adam.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/network.hpp"
#include "support/aligned.hpp"

namespace kibitz {

struct LearnerShape {
  int width;
  int hidden1;
  int hidden2;
};

// Floats are not rounded for other machines here: two machines may train slightly different nets from one seed. What is
// shipped are the integers that quantised() makes.
class Learner {
 public:
  Learner(LearnerShape shape, std::uint64_t seed);

  // One pass of Adam over the samples named by `indices`, in batches. Returns the mean loss (cross entropy above that of
  // the targets themselves).
  double train(const Position* positions, const Outputs* targets, std::span<const std::uint32_t> indices, int batch,
               float rate, float averaging);

  // The raw outputs of the current or the averaged weights.
  void evaluate(std::span<const Position> positions, Outputs* outputs, bool averaged) const;

  NetworkParameters quantised(bool averaged) const;
  void load(const NetworkParameters& parameters);

  LearnerShape shape() const { return shape_; }

  // Weights, both moments of Adam and averaged weights, one after the other: all that a checkpoint needs, with steps().
  std::vector<float> state() const;
  bool set_state(std::span<const float> state, std::uint64_t steps);
  std::uint64_t steps() const { return steps_; }

 private:
  // Where each layer's numbers stand in a vector of all weights.
  struct Layout {
    std::size_t units, bias1, weights2, bias2, weights3, bias3, weights4, bias4, total;
  };
  static Layout layout_of(LearnerShape shape);

  double train_batch(const Position* positions, const Outputs* targets, std::span<const std::uint32_t> indices,
                     float rate, float averaging);
  void clamp_weights();

  LearnerShape shape_;
  Layout at_;
  // A layer's values for every row of a batch; kept from batch to batch, since fresh memory costs more than the sums.
  struct Layer {
    AlignedVector<float> sums, activations, deltas;
    void resize(int rows, int size);
  };
  Layer layers_[3];
  AlignedVector<float> logits_, logit_deltas_, transposed_;

  AlignedVector<float> weights_, first_moment_, second_moment_, averaged_, gradient_;
  std::uint64_t steps_ = 0;
};

}  // namespace kibitz
