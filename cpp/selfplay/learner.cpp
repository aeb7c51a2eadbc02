#include "selfplay/learner.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "selfplay/learner_kernels.hpp"

namespace kibitz {
namespace {

constexpr int kPaddedOutputs = 16;  // the last layer is as wide as a register
constexpr float kActivationLimit = static_cast<float>(kActivationMax) / kActivationOne;
// The unit that counts checkers beyond four is scaled down for training, so that one step of Adam moves no row far.
constexpr float kCountUnitScale = 0.25f;
// Winning counts twice in the equity.
constexpr float kOutputWeights[kOutputs] = {2.0f, 1.0f, 1.0f, 1.0f, 1.0f};
constexpr float kUnitLimit = 3.9f;    // so that sums of rows stay far inside 16 bits
constexpr float kWeightLimit = 7.9f;  // so that a weight fits 16 bits

struct ActiveUnits {
  int count = 0;
  int unit[kFeatureSlots * kSlotUnits];
  float value[kFeatureSlots * kSlotUnits];
};

void find_units(const Position& position, ActiveUnits& active) {
  active.count = 0;
  for_each_slot(position, [&](int slot, int count) {
    for (int unit = 0; unit < kSlotUnits && unit < count; ++unit) {
      active.unit[active.count] = slot * kSlotUnits + unit;
      active.value[active.count] =
          static_cast<float>(unit_value(unit, count)) * (unit == kSlotUnits - 1 ? kCountUnitScale : 1.0f);
      ++active.count;
    }
  });
}

constexpr int kLossRows = 16;  // every so many rows the loss is computed: its logarithms are slow and it is only shown

void transpose(const float* weights, int inputs, int outputs, AlignedVector<float>& turned) {
  turned.resize(static_cast<std::size_t>(inputs) * outputs);
  for (int i = 0; i < inputs; ++i)
    for (int o = 0; o < outputs; ++o) turned[static_cast<std::size_t>(o) * inputs + i] = weights[i * outputs + o];
}

float logistic(float value) { return 1.0f / (1.0f + std::exp(-value)); }

double entropy_loss(float target, float estimate) {
  const auto part = [](double p, double q) { return p > 0 ? p * std::log(p / std::max(q, 1e-12)) : 0.0; };
  return part(target, estimate) + part(1.0 - target, 1.0 - estimate);
}

}  // namespace

Learner::Layout Learner::layout_of(LearnerShape shape) {
  Layout at;
  std::size_t next = 0;
  const auto take = [&](std::size_t size) {
    const std::size_t start = next;
    next += size;
    return start;
  };
  at.units = take(static_cast<std::size_t>(kFeatureUnits) * shape.width);
  at.bias1 = take(shape.width);
  at.weights2 = take(static_cast<std::size_t>(shape.width) * shape.hidden1);
  at.bias2 = take(shape.hidden1);
  at.weights3 = take(static_cast<std::size_t>(shape.hidden1) * shape.hidden2);
  at.bias3 = take(shape.hidden2);
  at.weights4 = take(static_cast<std::size_t>(shape.hidden2) * kPaddedOutputs);
  at.bias4 = take(kPaddedOutputs);
  at.total = next;
  return at;
}

Learner::Learner(LearnerShape shape, std::uint64_t seed) : shape_(shape), at_(layout_of(shape)) {
  weights_.resize(at_.total);
  gradient_.resize(at_.total);
  first_moment_.resize(at_.total);
  second_moment_.resize(at_.total);
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  const auto fill = [&](std::size_t start, std::size_t count, float spread) {
    for (std::size_t i = 0; i < count; ++i) weights_[start + i] = spread * normal(random);
  };
  // About 28 units are active at a time.
  fill(at_.units, static_cast<std::size_t>(kFeatureUnits) * shape.width, std::sqrt(1.0f / 28.0f));
  fill(at_.weights2, static_cast<std::size_t>(shape.width) * shape.hidden1, std::sqrt(2.0f / shape.width));
  fill(at_.weights3, static_cast<std::size_t>(shape.hidden1) * shape.hidden2, std::sqrt(2.0f / shape.hidden1));
  for (int i = 0; i < shape.hidden2; ++i)
    for (int o = 0; o < kOutputs; ++o)
      weights_[at_.weights4 + i * kPaddedOutputs + o] = 0.1f * normal(random) / std::sqrt(static_cast<float>(shape.hidden2));
  // Gammons are rare: start there.
  const float start_bias[kOutputs] = {0.0f, -1.5f, -4.0f, -1.5f, -4.0f};
  std::copy(start_bias, start_bias + kOutputs, weights_.begin() + at_.bias4);
  averaged_ = weights_;
}

void Learner::Layer::resize(int rows, int size) {
  for (AlignedVector<float>* values : {&sums, &activations, &deltas}) values->resize(static_cast<std::size_t>(rows) * size);
}

double Learner::train(const Position* positions, const Outputs* targets, std::span<const std::uint32_t> indices,
                      int batch, float rate, float averaging) {
  double loss = 0;
  std::size_t batches = 0;
  for (std::size_t start = 0; start + batch <= indices.size(); start += batch) {
    loss += train_batch(positions, targets, indices.subspan(start, batch), rate, averaging);
    ++batches;
  }
  clamp_weights();
  return batches ? loss / static_cast<double>(batches) : 0.0;
}

double Learner::train_batch(const Position* positions, const Outputs* targets, std::span<const std::uint32_t> indices,
                            float rate, float averaging) {
  using namespace learning;
  const int rows = static_cast<int>(indices.size());
  const auto [width, hidden1, hidden2] = shape_;
  const int sizes[3] = {width, hidden1, hidden2};
  thread_local std::vector<ActiveUnits> active;
  active.resize(rows);
  for (int i = 0; i < 3; ++i) layers_[i].resize(rows, sizes[i]);
  logits_.resize(static_cast<std::size_t>(rows) * kPaddedOutputs);
  logit_deltas_.assign(logits_.size(), 0.0f);
  auto& [first, second, third] = layers_;
  const float* weights = weights_.data();
  const auto activate = [](Layer& layer) {
    clip(layer.sums.data(), kActivationLimit, layer.activations.data(), static_cast<int>(layer.sums.size()));
  };

  for (int row = 0; row < rows; ++row) {
    find_units(positions[indices[row]], active[row]);
    float* sums = first.sums.data() + static_cast<std::size_t>(row) * width;
    const float* rows_of_units[kFeatureUnits];
    for (int i = 0; i < active[row].count; ++i)
      rows_of_units[i] = weights + at_.units + static_cast<std::size_t>(active[row].unit[i]) * width;
    sum_rows(weights + at_.bias1, rows_of_units, active[row].value, active[row].count, sums, width);
  }
  activate(first);
  multiply(first.activations.data(), rows, width, weights + at_.weights2, weights + at_.bias2, hidden1, second.sums.data());
  activate(second);
  multiply(second.activations.data(), rows, hidden1, weights + at_.weights3, weights + at_.bias3, hidden2, third.sums.data());
  activate(third);
  multiply(third.activations.data(), rows, hidden2, weights + at_.weights4, weights + at_.bias4, kPaddedOutputs, logits_.data());

  double loss = 0;
  for (int row = 0; row < rows; ++row) {
    const float* target = &targets[indices[row]].win;
    for (int o = 0; o < kOutputs; ++o) {
      const float estimate = logistic(logits_[row * kPaddedOutputs + o]);
      logit_deltas_[row * kPaddedOutputs + o] = kOutputWeights[o] * (estimate - target[o]) / static_cast<float>(rows);
      if (row % kLossRows == 0) loss += kOutputWeights[o] * entropy_loss(target[o], estimate);
    }
  }

  std::fill(gradient_.begin(), gradient_.end(), 0.0f);
  float* gradient = gradient_.data();
  // A dense layer's gradients, and what flows back through it to the layer before.
  const auto back = [&](const AlignedVector<float>& deltas, int outputs, Layer& before, int inputs, std::size_t weights_at,
                        std::size_t bias_at) {
    add_gradient(before.activations.data(), deltas.data(), rows, inputs, outputs, gradient + weights_at);
    for (int row = 0; row < rows; ++row)
      add_scaled(deltas.data() + static_cast<std::size_t>(row) * outputs, 1.0f, gradient + bias_at, outputs);
    transpose(weights + weights_at, inputs, outputs, transposed_);
    multiply(deltas.data(), rows, outputs, transposed_.data(), nullptr, inputs, before.deltas.data());
    stop_clipped(before.sums.data(), kActivationLimit, before.deltas.data(), static_cast<int>(before.sums.size()));
  };
  back(logit_deltas_, kPaddedOutputs, third, hidden2, at_.weights4, at_.bias4);
  back(third.deltas, hidden2, second, hidden1, at_.weights3, at_.bias3);
  back(second.deltas, hidden1, first, width, at_.weights2, at_.bias2);
  for (int row = 0; row < rows; ++row) {
    const float* delta = first.deltas.data() + static_cast<std::size_t>(row) * width;
    add_scaled(delta, 1.0f, gradient + at_.bias1, width);
    for (int i = 0; i < active[row].count; ++i)
      add_scaled(delta, active[row].value[i], gradient + at_.units + static_cast<std::size_t>(active[row].unit[i]) * width, width);
  }

  ++steps_;
  constexpr float kDecay1 = 0.9f;
  constexpr float kDecay2 = 0.999f;
  AdamStep step;
  step.rate = rate;
  step.decay1 = kDecay1;
  step.decay2 = kDecay2;
  step.correction1 = 1.0f / (1.0f - std::pow(kDecay1, static_cast<float>(steps_)));
  step.correction2 = 1.0f / (1.0f - std::pow(kDecay2, static_cast<float>(steps_)));
  // Early on, the average must not be held back by the random start.
  step.averaging = std::max(averaging, 1.0f / static_cast<float>(std::min<std::uint64_t>(steps_, 1000000)));
  adam(step, gradient, weights_.data(), first_moment_.data(), second_moment_.data(), averaged_.data(), static_cast<int>(at_.total));
  return loss * kLossRows / rows;
}

void Learner::clamp_weights() {
  for (AlignedVector<float>* weights : {&weights_, &averaged_}) {
    for (std::size_t i = at_.units; i < at_.weights2; ++i) (*weights)[i] = std::clamp((*weights)[i], -kUnitLimit, kUnitLimit);
    for (std::size_t i = at_.weights2; i < at_.total; ++i) (*weights)[i] = std::clamp((*weights)[i], -kWeightLimit, kWeightLimit);
  }
}

void Learner::evaluate(std::span<const Position> positions, Outputs* outputs, bool averaged) const {
  using namespace learning;
  const float* weights = averaged ? averaged_.data() : weights_.data();
  const auto [width, hidden1, hidden2] = shape_;
  AlignedVector<float> sums1(width), sums2(hidden1), sums3(hidden2), logits(kPaddedOutputs);
  ActiveUnits active;
  for (const Position& position : positions) {
    find_units(position, active);
    std::copy_n(weights + at_.bias1, width, sums1.begin());
    for (int i = 0; i < active.count; ++i)
      add_scaled(weights + at_.units + static_cast<std::size_t>(active.unit[i]) * width, active.value[i], sums1.data(), width);
    clip(sums1.data(), kActivationLimit, sums1.data(), width);
    multiply(sums1.data(), 1, width, weights + at_.weights2, weights + at_.bias2, hidden1, sums2.data());
    clip(sums2.data(), kActivationLimit, sums2.data(), hidden1);
    multiply(sums2.data(), 1, hidden1, weights + at_.weights3, weights + at_.bias3, hidden2, sums3.data());
    clip(sums3.data(), kActivationLimit, sums3.data(), hidden2);
    multiply(sums3.data(), 1, hidden2, weights + at_.weights4, weights + at_.bias4, kPaddedOutputs, logits.data());
    *outputs++ = {logistic(logits[0]), logistic(logits[1]), logistic(logits[2]), logistic(logits[3]), logistic(logits[4])};
  }
}

NetworkParameters Learner::quantised(bool averaged) const {
  const AlignedVector<float>& weights = averaged ? averaged_ : weights_;
  NetworkParameters out;
  out.width = shape_.width;
  out.hidden1 = shape_.hidden1;
  out.hidden2 = shape_.hidden2;
  const auto rounded = [](float value, float scale) { return std::lround(value * scale); };
  const auto shorts = [&](std::size_t start, std::size_t count, float scale) {
    std::vector<std::int16_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int16_t>(rounded(weights[start + i], scale));
    return values;
  };
  const auto ints = [&](std::size_t start, std::size_t count) {
    std::vector<std::int32_t> values(count);
    for (std::size_t i = 0; i < count; ++i)
      values[i] = static_cast<std::int32_t>(rounded(weights[start + i], static_cast<float>(kActivationOne) * kWeightOne));
    return values;
  };
  out.units = shorts(at_.units, static_cast<std::size_t>(kFeatureUnits) * shape_.width, kActivationOne);
  for (int slot = 0; slot < kFeatureSlots; ++slot) {
    const std::size_t start = static_cast<std::size_t>(slot * kSlotUnits + kSlotUnits - 1) * shape_.width;
    for (int i = 0; i < shape_.width; ++i)
      out.units[start + i] =
          static_cast<std::int16_t>(rounded(weights[at_.units + start + i], kActivationOne * kCountUnitScale));
  }
  out.bias1 = shorts(at_.bias1, shape_.width, kActivationOne);
  out.weights2 = shorts(at_.weights2, static_cast<std::size_t>(shape_.width) * shape_.hidden1, kWeightOne);
  out.bias2 = ints(at_.bias2, shape_.hidden1);
  out.weights3 = shorts(at_.weights3, static_cast<std::size_t>(shape_.hidden1) * shape_.hidden2, kWeightOne);
  out.bias3 = ints(at_.bias3, shape_.hidden2);
  out.weights4.resize(static_cast<std::size_t>(shape_.hidden2) * kOutputs);
  for (int i = 0; i < shape_.hidden2; ++i)
    for (int o = 0; o < kOutputs; ++o)
      out.weights4[i * kOutputs + o] = static_cast<std::int16_t>(rounded(weights[at_.weights4 + i * kPaddedOutputs + o], kWeightOne));
  out.bias4 = ints(at_.bias4, kOutputs);
  return out;
}

void Learner::load(const NetworkParameters& from) {
  const float unit = 1.0f / kActivationOne;
  const float weight = 1.0f / kWeightOne;
  std::fill(weights_.begin(), weights_.end(), 0.0f);
  for (std::size_t i = 0; i < from.units.size(); ++i) {
    const bool counts = i / shape_.width % kSlotUnits == kSlotUnits - 1;
    weights_[at_.units + i] = from.units[i] * unit / (counts ? kCountUnitScale : 1.0f);
  }
  for (std::size_t i = 0; i < from.bias1.size(); ++i) weights_[at_.bias1 + i] = from.bias1[i] * unit;
  for (std::size_t i = 0; i < from.weights2.size(); ++i) weights_[at_.weights2 + i] = from.weights2[i] * weight;
  for (std::size_t i = 0; i < from.bias2.size(); ++i) weights_[at_.bias2 + i] = from.bias2[i] * unit * weight;
  for (std::size_t i = 0; i < from.weights3.size(); ++i) weights_[at_.weights3 + i] = from.weights3[i] * weight;
  for (std::size_t i = 0; i < from.bias3.size(); ++i) weights_[at_.bias3 + i] = from.bias3[i] * unit * weight;
  for (std::size_t i = 0; i < from.weights4.size(); ++i)
    weights_[at_.weights4 + i / kOutputs * kPaddedOutputs + i % kOutputs] = from.weights4[i] * weight;
  for (std::size_t i = 0; i < from.bias4.size(); ++i) weights_[at_.bias4 + i] = from.bias4[i] * unit * weight;
  averaged_ = weights_;
  std::fill(first_moment_.begin(), first_moment_.end(), 0.0f);
  std::fill(second_moment_.begin(), second_moment_.end(), 0.0f);
  steps_ = 0;
}

std::vector<float> Learner::state() const {
  std::vector<float> all;
  all.reserve(4 * at_.total);
  for (const AlignedVector<float>* part : {&weights_, &first_moment_, &second_moment_, &averaged_})
    all.insert(all.end(), part->begin(), part->end());
  return all;
}

bool Learner::set_state(std::span<const float> state, std::uint64_t steps) {
  if (state.size() != 4 * at_.total) return false;
  std::size_t from = 0;
  for (AlignedVector<float>* part : {&weights_, &first_moment_, &second_moment_, &averaged_}) {
    std::copy_n(state.begin() + from, at_.total, part->begin());
    from += at_.total;
  }
  steps_ = steps;
  return true;
}

}  // namespace kibitz
