#include "selfplay/learner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "selfplay/learner_kernels.hpp"

namespace kibitz {
namespace {

constexpr int kPaddedOutputs = 16;  // the last layer is as wide as a register
constexpr float kActivationLimit = static_cast<float>(kActivationMax) / kActivationOne;
// The unit that counts checkers beyond four is scaled down for training, so that one step of Adam moves no row far.
constexpr float kCountUnitScale = 0.25f;
// What an output adds to the equity.
constexpr float kOutputValue[kOutputs] = {2.0f, 1.0f, 1.0f, -1.0f, -1.0f};
// The loss is a mixture. Cross entropy alone spends most of a net on rare outcomes, whose errors cost little equity;
// squared errors of the outputs and of the equity follow what plays are chosen by.
constexpr float kCrossEntropy = 0.3f;
constexpr float kSquaredError = 1.0f - kCrossEntropy;
constexpr float kEquityError = 0.5f;
constexpr float kUnitLimit = 3.9f;    // so that sums of rows stay far inside 16 bits
constexpr float kWeightLimit = 7.9f;  // so that a weight fits 16 bits

constexpr int kLossRows = 16;  // every so many rows the loss is computed: its logarithms are slow and it is only shown

float logistic(float value) { return 1.0f / (1.0f + std::exp(-value)); }

bool counts_beyond_four(int unit) { return unit < kCountUnits && unit % kSlotUnits == kSlotUnits - 1; }

double entropy_loss(float target, float estimate) {
  const auto part = [](double p, double q) { return p > 0 ? p * std::log(p / std::max(q, 1e-12)) : 0.0; };
  return part(target, estimate) + part(1.0 - target, 1.0 - estimate);
}

}  // namespace

void Learner::ActiveUnits::find(const Position& position, bool features) {
  count = 0;
  for_each_slot(position, [&](int slot, int checkers) {
    for (int unit = 0; unit < kSlotUnits && unit < checkers; ++unit) {
      place[count] = static_cast<std::uint16_t>(slot * kSlotUnits + unit);
      value[count] = static_cast<float>(unit_value(unit, checkers)) * (unit == kSlotUnits - 1 ? kCountUnitScale : 1.0f);
      ++count;
    }
  });
  if (!features) return;
  std::uint16_t found[kMostFeatures];
  int found_count;
  kernels().features(position.mine.data(), 1, found, &found_count);
  for (int i = 0; i < found_count; ++i) {
    place[count] = static_cast<std::uint16_t>(kCountUnits + found[i]);
    value[count++] = 1.0f;
  }
}

void Learner::ByInput::begin(int inputs) { starts_.assign(inputs + 1, 0); }

void Learner::ByInput::count(const std::uint16_t* places, int count) {
  for (int i = 0; i < count; ++i) ++starts_[places[i] + 1];
}

void Learner::ByInput::counted() {
  for (std::size_t input = 1; input < starts_.size(); ++input) starts_[input] += starts_[input - 1];
  next_.assign(starts_.begin(), starts_.end() - 1);
  rows_.resize(starts_.back());
  parts_.resize(starts_.back());
  values_.resize(starts_.back());
}

Learner::Layout Learner::layout_of(LearnerShape shape) {
  Layout at;
  std::size_t next = 0;
  const auto take = [&](std::size_t size) {
    const std::size_t start = next;
    next += size;
    return start;
  };
  at.units = take(static_cast<std::size_t>(shape.units()) * shape.width);
  at.bias1 = take(shape.width);
  at.weights2 = take(static_cast<std::size_t>(shape.width) * shape.hidden1);
  at.bias2 = take(shape.hidden1);
  at.weights3 = take(static_cast<std::size_t>(shape.hidden1) * shape.hidden2);
  at.bias3 = take(shape.hidden2);
  at.weights4 = take(static_cast<std::size_t>(shape.hidden2) * kPaddedOutputs);
  at.bias4 = take(kPaddedOutputs);
  at.set = next - at.weights2;
  at.total = at.weights2 + at.set * shape.sets;
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
  fill(at_.units, static_cast<std::size_t>(kCountUnits) * shape.width, std::sqrt(1.0f / 28.0f));
  fill(at_.weights2, static_cast<std::size_t>(shape.width) * shape.hidden1, std::sqrt(2.0f / shape.width));
  fill(at_.weights3, static_cast<std::size_t>(shape.hidden1) * shape.hidden2, std::sqrt(2.0f / shape.hidden1));
  for (int i = 0; i < shape.hidden2; ++i)
    for (int o = 0; o < kOutputs; ++o)
      weights_[at_.weights4 + i * kPaddedOutputs + o] =
          0.1f * normal(random) / std::sqrt(static_cast<float>(shape.hidden2));
  // Gammons are rare: start there.
  const float start_bias[kOutputs] = {0.0f, -1.5f, -4.0f, -1.5f, -4.0f};
  std::copy(start_bias, start_bias + kOutputs, weights_.begin() + at_.bias4);
  for (int set = 1; set < shape.sets; ++set)
    std::copy_n(weights_.begin() + at_.weights2, at_.set, weights_.begin() + at_.weights2 + set * at_.set);
  averaged_ = weights_;
}

void Learner::Layer::resize(int rows, int width) {
  size = width;
  const std::size_t total = static_cast<std::size_t>(rows) * width;
  for (AlignedVector<float>* values : {&sums, &activations, &deltas}) values->resize(total);
  active.resize(total);
  active_count.resize(rows);
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

void Learner::sort_by_set(const Position* positions, std::span<const std::uint32_t> indices) {
  std::vector<int> next(shape_.sets + 1);
  for (const std::uint32_t index : indices) ++next[set_of(positions[index]) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  sorted_.resize(indices.size());
  for (const std::uint32_t index : indices) sorted_[next[set_of(positions[index])]++] = index;
  set_ends_.assign(next.begin(), next.end() - 1);
}

double Learner::train_batch(const Position* positions, const Outputs* targets, std::span<const std::uint32_t> indices,
                            float rate, float averaging) {
  using namespace learning;
  const int rows = static_cast<int>(indices.size());
  const auto [width, hidden1, hidden2, features, sets] = shape_;
  const int sizes[3] = {width, hidden1, hidden2};
  for (int i = 0; i < 3; ++i) layers_[i].resize(rows, sizes[i]);
  units_.resize(rows);
  logits_.resize(static_cast<std::size_t>(rows) * kPaddedOutputs);
  logit_deltas_.assign(logits_.size(), 0.0f);
  std::fill(gradient_.begin(), gradient_.end(), 0.0f);
  double loss = 0;
  sort_by_set(positions, indices);
  for (int row = 0; row < rows; ++row) {
    forward(positions[sorted_[row]], row, weights_.data());
    const float* target = &targets[sorted_[row]].win;
    float estimates[kOutputs];
    float equity_error = 0.0f;
    for (int o = 0; o < kOutputs; ++o) {
      estimates[o] = logistic(logits_[row * kPaddedOutputs + o]);
      equity_error += kOutputValue[o] * (estimates[o] - target[o]);
    }
    for (int o = 0; o < kOutputs; ++o) {
      const float error = estimates[o] - target[o];
      const float slope = 4.0f * estimates[o] * (1.0f - estimates[o]);  // of the output by its logit, at most 1
      const float own = std::abs(kOutputValue[o]) * error * (kCrossEntropy + kSquaredError * slope);
      const float shared = kEquityError * equity_error * kOutputValue[o] * slope;
      logit_deltas_[row * kPaddedOutputs + o] = (own + shared) / static_cast<float>(rows);
      if (row % kLossRows == 0) loss += std::abs(kOutputValue[o]) * entropy_loss(target[o], estimates[o]);
    }
  }
  for (int set = 0, start = 0; set < sets; ++set)
    for (; start < set_ends_[set]; start = std::min(start + kRowsAtOnce, set_ends_[set]))
      backward(start, std::min(start + kRowsAtOnce, set_ends_[set]), set);

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
  adam(step, gradient_.data(), weights_.data(), first_moment_.data(), second_moment_.data(), averaged_.data(),
       static_cast<int>(at_.total));
  return loss * kLossRows / rows;
}

void Learner::forward(const Position& position, int row, const float* weights) {
  using namespace learning;
  const auto [width, hidden1, hidden2, features, sets] = shape_;
  auto& [first, second, third] = layers_;
  const float* rows[kMaxWidth];
  float values[kMaxWidth];

  units_[row].find(position, shape_.features);
  const ActiveUnits& units = units_[row];
  for (int i = 0; i < units.count; ++i)
    rows[i] = weights + at_.units + static_cast<std::size_t>(units.place[i]) * width;
  sum_rows(weights + at_.bias1, rows, units.value, units.count, first.sums_of(row), width);

  const float* later = weights + set_of(position) * at_.set;
  const auto next = [&](Layer& from, std::size_t weights_at, std::size_t bias_at, int outputs, float* to) {
    float* activations = from.activations_of(row);
    clip(from.sums_of(row), kActivationLimit, activations, from.size);
    std::uint16_t* active = from.active_of(row);
    const int count = from.active_count[row] = find_active(activations, from.size, active);
    for (int i = 0; i < count; ++i) {
      rows[i] = later + weights_at + static_cast<std::size_t>(active[i]) * outputs;
      values[i] = activations[active[i]];
    }
    sum_rows(later + bias_at, rows, values, count, to, outputs);
  };
  next(first, at_.weights2, at_.bias2, hidden1, second.sums_of(row));
  next(second, at_.weights3, at_.bias3, hidden2, third.sums_of(row));
  next(third, at_.weights4, at_.bias4, kPaddedOutputs, logits_.data() + static_cast<std::size_t>(row) * kPaddedOutputs);
}

void Learner::backward(int start, int end, int set) {
  using namespace learning;
  const auto [width, hidden1, hidden2, features, sets] = shape_;
  auto& [first, second, third] = layers_;
  const float* weights = weights_.data() + set * at_.set;
  float* gradient = gradient_.data() + set * at_.set;
  // A dense layer's gradients, and what flows back through it to the layer before.
  const auto back = [&](const float* deltas, int outputs, Layer& before, std::size_t weights_at, std::size_t bias_at) {
    by_input_.begin(before.size);
    for (int row = start; row < end; ++row) by_input_.count(before.active_of(row), before.active_count[row]);
    by_input_.counted();
    for (int row = start; row < end; ++row) {
      const float* delta = deltas + static_cast<std::size_t>(row) * outputs;
      add(delta, gradient + bias_at, outputs);
      std::fill_n(before.deltas_of(row), before.size, 0.0f);
      const std::uint16_t* active = before.active_of(row);
      const float* activations = before.activations_of(row);
      for (int i = 0; i < before.active_count[row]; ++i) by_input_.put(active[i], row, delta, activations[active[i]]);
    }
    for (int input = 0; input < before.size; ++input) {
      const auto [count, rows, parts, values] = by_input_.of(input);
      const std::size_t place = static_cast<std::size_t>(input) * outputs;
      flow_back(parts, values, count, weights + weights_at + place, gradient + weights_at + place, flows_, outputs);
      // Nothing flows where the activation was clipped.
      for (int i = 0; i < count; ++i)
        if (values[i] < kActivationLimit) before.deltas_of(rows[i])[input] = flows_[i];
    }
  };
  back(logit_deltas_.data(), kPaddedOutputs, third, at_.weights4, at_.bias4);
  back(third.deltas.data(), hidden2, second, at_.weights3, at_.bias3);
  back(second.deltas.data(), hidden1, first, at_.weights2, at_.bias2);
  by_input_.begin(shape_.units());
  for (int row = start; row < end; ++row) by_input_.count(units_[row].place, units_[row].count);
  by_input_.counted();
  for (int row = start; row < end; ++row) {
    const float* delta = first.deltas_of(row);
    add(delta, gradient_.data() + at_.bias1, width);
    const ActiveUnits& units = units_[row];
    for (int i = 0; i < units.count; ++i) by_input_.put(units.place[i], row, delta, units.value[i]);
  }
  for (int unit = 0; unit < shape_.units(); ++unit) {
    const auto [count, rows, parts, values] = by_input_.of(unit);
    float* sums = gradient_.data() + at_.units + static_cast<std::size_t>(unit) * width;
    sum_rows(sums, parts, values, count, sums, width);
  }
}

void Learner::clamp_weights() {
  for (AlignedVector<float>* weights : {&weights_, &averaged_}) {
    for (std::size_t i = at_.units; i < at_.weights2; ++i)
      (*weights)[i] = std::clamp((*weights)[i], -kUnitLimit, kUnitLimit);
    for (std::size_t i = at_.weights2; i < at_.total; ++i)
      (*weights)[i] = std::clamp((*weights)[i], -kWeightLimit, kWeightLimit);
  }
}

void Learner::evaluate(std::span<const Position> positions, Outputs* outputs, bool averaged) {
  const int sizes[3] = {shape_.width, shape_.hidden1, shape_.hidden2};
  for (int i = 0; i < 3; ++i) layers_[i].resize(1, sizes[i]);
  units_.resize(1);
  logits_.resize(kPaddedOutputs);
  for (const Position& position : positions) {
    forward(position, 0, averaged ? averaged_.data() : weights_.data());
    *outputs++ = {logistic(logits_[0]), logistic(logits_[1]), logistic(logits_[2]), logistic(logits_[3]),
                  logistic(logits_[4])};
  }
}

NetworkParameters Learner::quantised(bool averaged) const {
  const AlignedVector<float>& weights = averaged ? averaged_ : weights_;
  const auto [width, hidden1, hidden2, features, sets] = shape_;
  NetworkParameters out;
  out.width = width;
  out.hidden1 = hidden1;
  out.hidden2 = hidden2;
  out.sets = sets;
  const auto append = [&](auto& values, std::size_t start, std::size_t count, float scale) {
    for (std::size_t i = start; i < start + count; ++i)
      values.push_back(static_cast<std::remove_reference_t<decltype(values[0])>>(std::lround(weights[i] * scale)));
  };
  for (int unit = 0; unit < shape_.units(); ++unit) {
    const float scale = counts_beyond_four(unit) ? kActivationOne * kCountUnitScale : kActivationOne;
    append(out.units, at_.units + static_cast<std::size_t>(unit) * width, width, scale);
  }
  append(out.bias1, at_.bias1, width, kActivationOne);
  constexpr float kSumOne = static_cast<float>(kActivationOne) * kWeightOne;
  for (int set = 0; set < sets; ++set) {
    const std::size_t later = set * at_.set;
    append(out.weights2, later + at_.weights2, static_cast<std::size_t>(width) * hidden1, kWeightOne);
    append(out.bias2, later + at_.bias2, hidden1, kSumOne);
    append(out.weights3, later + at_.weights3, static_cast<std::size_t>(hidden1) * hidden2, kWeightOne);
    append(out.bias3, later + at_.bias3, hidden2, kSumOne);
    for (int i = 0; i < hidden2; ++i)
      append(out.weights4, later + at_.weights4 + i * kPaddedOutputs, kOutputs, kWeightOne);
    append(out.bias4, later + at_.bias4, kOutputs, kSumOne);
  }
  return out;
}

void Learner::load(const NetworkParameters& from) {
  const auto [width, hidden1, hidden2, features, sets] = shape_;
  std::fill(weights_.begin(), weights_.end(), 0.0f);
  const auto copy = [&](const auto& values, std::size_t first, std::size_t start, std::size_t count, float one) {
    for (std::size_t i = 0; i < count; ++i) weights_[start + i] = static_cast<float>(values[first + i]) / one;
  };
  for (std::size_t unit = 0; unit < from.units.size() / width; ++unit) {
    const float one = counts_beyond_four(static_cast<int>(unit)) ? kActivationOne * kCountUnitScale : kActivationOne;
    copy(from.units, unit * width, at_.units + unit * width, width, one);
  }
  copy(from.bias1, 0, at_.bias1, width, kActivationOne);
  constexpr float kSumOne = static_cast<float>(kActivationOne) * kWeightOne;
  for (int set = 0; set < sets; ++set) {
    const std::size_t given = from.sets > 1 ? set : 0;
    const std::size_t later = set * at_.set;
    const auto take = [&](const auto& values, std::size_t start, std::size_t count, float one) {
      copy(values, given * count, later + start, count, one);
    };
    take(from.weights2, at_.weights2, static_cast<std::size_t>(width) * hidden1, kWeightOne);
    take(from.bias2, at_.bias2, hidden1, kSumOne);
    take(from.weights3, at_.weights3, static_cast<std::size_t>(hidden1) * hidden2, kWeightOne);
    take(from.bias3, at_.bias3, hidden2, kSumOne);
    for (int i = 0; i < hidden2; ++i)
      copy(from.weights4, (given * hidden2 + i) * kOutputs, later + at_.weights4 + i * kPaddedOutputs, kOutputs,
           kWeightOne);
    take(from.bias4, at_.bias4, kOutputs, kSumOne);
  }
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
