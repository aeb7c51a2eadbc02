// Trains a net: the same layers as eval/network.hpp in floating point, with gradients and Adam.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/bucket.hpp"
#include "eval/network.hpp"
#include "support/aligned.hpp"

namespace kibitz {

inline constexpr int kRowsAtOnce = 128;  // rows that go back together: what they need fits the second cache

struct LearnerShape {
  int width;
  int hidden1;
  int hidden2;
  bool features = false;
  int sets = 1;  // of later layers: one for all positions, or one for each bucket

  int units() const { return kCountUnits + (features ? kFeatureUnits : 0); }
};

// Floats are not rounded for other machines here: two machines may train slightly different nets from one seed. What is
// shipped are the integers that quantised() makes.
class Learner {
 public:
  Learner(LearnerShape shape, std::uint64_t seed);

  // One pass of Adam over the samples named by `indices`, in batches. Returns the mean loss (cross entropy above that
  // of the targets themselves).
  double train(const Position* positions, const Outputs* targets, std::span<const std::uint32_t> indices, int batch,
               float rate, float averaging);

  // The raw outputs of the current or the averaged weights.
  void evaluate(std::span<const Position> positions, Outputs* outputs, bool averaged);

  NetworkParameters quantised(bool averaged) const;
  // A net without features may start one with them: theirs have no say yet. One set of later layers may start many.
  void load(const NetworkParameters& parameters);

  LearnerShape shape() const { return shape_; }

  // Weights, both moments of Adam and averaged weights, one after the other: all that a checkpoint needs, with steps().
  std::vector<float> state() const;
  bool set_state(std::span<const float> state, std::uint64_t steps);
  std::uint64_t steps() const { return steps_; }

 private:
  // Where each layer's numbers stand in a vector of all weights; of the later ones, where the first set's stand, and
  // how far it is from one set to the next.
  struct Layout {
    std::size_t units, bias1, weights2, bias2, weights3, bias3, weights4, bias4, set, total;
  };
  static Layout layout_of(LearnerShape shape);

  double train_batch(const Position* positions, const Outputs* targets, std::span<const std::uint32_t> indices,
                     float rate, float averaging);
  void clamp_weights();

  LearnerShape shape_;
  Layout at_;
  // The inputs that a position switches on.
  struct ActiveUnits {
    int count = 0;
    std::uint16_t place[kCountUnits + kMostFeatures];
    float value[kCountUnits + kMostFeatures];
    void find(const Position& position, bool features);
  };
  // A layer's values for every row of a batch; kept from batch to batch, since fresh memory costs more than the sums.
  struct Layer {
    int size = 0;
    AlignedVector<float> sums, activations, deltas;
    std::vector<std::uint16_t> active;  // places of the activations that are not zero, row by row
    std::vector<int> active_count;
    void resize(int rows, int width);
    float* sums_of(int row) { return sums.data() + static_cast<std::size_t>(row) * size; }
    float* activations_of(int row) { return activations.data() + static_cast<std::size_t>(row) * size; }
    float* deltas_of(int row) { return deltas.data() + static_cast<std::size_t>(row) * size; }
    std::uint16_t* active_of(int row) { return active.data() + static_cast<std::size_t>(row) * size; }
  };
  // Sorts what is active by input: for each, the rows in which it is, some part of theirs and its value there.
  class ByInput {
   public:
    // First count what is there, then put it in.
    void begin(int inputs);
    void count(const std::uint16_t* places, int count);
    void counted();
    void put(int input, int row, const float* part, float value) {
      const int place = next_[input]++;
      rows_[place] = row;
      parts_[place] = part;
      values_[place] = value;
    }
    struct Rows {
      int count;
      const int* rows;
      const float* const* parts;
      const float* values;
    };
    Rows of(int input) const {
      const int start = starts_[input];
      return {starts_[input + 1] - start, rows_.data() + start, parts_.data() + start, values_.data() + start};
    }

   private:
    std::vector<int> starts_, next_, rows_;
    std::vector<const float*> parts_;
    std::vector<float> values_;
  };

  int set_of(const Position& position) const { return shape_.sets > 1 ? bucket_of(position) : 0; }
  // Puts the samples of each set together, in the order they have.
  void sort_by_set(const Position* positions, std::span<const std::uint32_t> indices);
  // Everything about one row up to its logits, with these weights.
  void forward(const Position& position, int row, const float* weights);
  // Adds the gradients of some rows of one set whose logit deltas are known.
  void backward(int start, int end, int set);

  std::vector<std::uint32_t> sorted_;  // the samples of a batch ...
  std::vector<int> set_ends_;          // ... and where each set's end among them
  std::vector<ActiveUnits> units_;     // of every row of a batch
  Layer layers_[3];
  ByInput by_input_;
  AlignedVector<float> logits_, logit_deltas_;
  float flows_[kRowsAtOnce];

  AlignedVector<float> weights_, first_moment_, second_moment_, averaged_, gradient_;
  std::uint64_t steps_ = 0;
};

}  // namespace kibitz
