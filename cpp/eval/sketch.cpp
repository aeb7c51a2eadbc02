#include "eval/sketch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "board/masks.hpp"
#include "eval/evaluator.hpp"

namespace kibitz {
namespace {

constexpr float kOne = kActivationOne;
constexpr float kMost = kActivationMax / kOne;
constexpr double kLargestSlope = 8191.0;  // as an integer: finer than the slope is true

float activation(float sum) { return std::min(std::max(sum, 0.0f), kMost); }

// exp() by multiplication alone, so that it has the same bits on every machine; good to some per cent.
float logistic(float logit) {
  float power = 1.0f + std::min(std::max(logit, -12.0f), 12.0f) / 256.0f;
  for (int squaring = 0; squaring < 8; ++squaring) power *= power;
  return power / (1.0f + power);
}

// The slope of the activation, blurred: a play moves the sums, so what counts is the mean slope in the neighbourhood.
float blurred_slope(float sum, float reach) {
  const auto step = [reach](float distance) { return std::min(std::max(distance / (2.0f * reach) + 0.5f, 0.0f), 1.0f); };
  return step(sum) * step(kMost - sum);
}
constexpr float kReach = 0.6f;        // of a play, in the sums of the first layer ...
constexpr float kHiddenReach = 1.6f;  // ... and in those of the others; both found by trying

AlignedVector<float> scaled(const auto& numbers, float one) {
  AlignedVector<float> values;
  for (const auto number : numbers) values.push_back(static_cast<float>(number) / one);
  return values;
}

AlignedVector<float> transposed(const AlignedVector<float>& weights, int rows, int columns) {
  AlignedVector<float> turned(weights.size());
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) turned[column * rows + row] = weights[row * columns + column];
  return turned;
}

// The loops below are compiled for several instruction sets, and the best one runs. Their sums are made in the same order
// by all of them, or of integers.
#if defined(__x86_64__) && defined(__GLIBC__)
#define KIBITZ_CLONES __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define KIBITZ_CLONES
#endif

// sums += sum over inputs of in[i] * weights[i], a row of `outputs` numbers for each input.
KIBITZ_CLONES void add_products(const float* in, int inputs, const float* weights, int outputs, float* sums) {
  for (int i = 0; i < inputs; ++i) {
    if (in[i] == 0.0f) continue;
    const float value = in[i];
    const float* row = weights + static_cast<std::ptrdiff_t>(i) * outputs;
    for (int o = 0; o < outputs; ++o) sums[o] += value * row[o];
  }
}

KIBITZ_CLONES std::int32_t dot(const std::int16_t* a, const std::int16_t* b, int size) {
  std::int32_t sum = 0;
  for (int i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

KIBITZ_CLONES void add_row(const std::int16_t* row, int times, int size, std::int16_t* sums) {
  const auto factor = static_cast<std::int16_t>(times);
  for (int i = 0; i < size; ++i) sums[i] = static_cast<std::int16_t>(sums[i] + factor * row[i]);
}

}  // namespace

Sketch::Sketch(const NetworkParameters& parameters)
    : width_(parameters.width),
      hidden1_(parameters.hidden1),
      hidden2_(parameters.hidden2),
      units_(parameters.units.begin(), parameters.units.end()),
      bias1_(parameters.bias1.begin(), parameters.bias1.end()),
      weights2_(scaled(parameters.weights2, kWeightOne)),
      back2_(transposed(weights2_, width_, hidden1_)),
      bias2_(scaled(parameters.bias2, kOne * kWeightOne)),
      weights3_(scaled(parameters.weights3, kWeightOne)),
      back3_(transposed(weights3_, hidden1_, hidden2_)),
      bias3_(scaled(parameters.bias3, kOne * kWeightOne)),
      weights4_(scaled(parameters.weights4, kWeightOne)),
      bias4_(scaled(parameters.bias4, kOne * kWeightOne)) {
  int largest = 1;
  for (const std::int16_t unit : units_) largest = std::max(largest, std::abs(int{unit}));
  const double most = std::numeric_limits<std::int32_t>::max() / (1.0 * width_ * largest);
  limit_ = static_cast<float>(std::min(kLargestSlope, most));
}

void Sketch::slope(const Position& position, float* slopes) const {
  std::array<std::int16_t, kMaxWidth> sums1;
  std::copy(bias1_.begin(), bias1_.end(), sums1.begin());
  for_each_slot(position, [&](int slot, int count) {
    for (int unit = 0; unit < kSlotUnits; ++unit) {
      const int value = unit_value(unit, count);
      if (value == 0) return;
      add_row(unit_row(slot, unit), value, width_, sums1.data());
    }
  });
  // Forward.
  std::array<float, kMaxWidth> hidden1, sums2, hidden2, sums3, hidden3;
  for (int i = 0; i < width_; ++i) hidden1[i] = activation(sums1[i] * (1.0f / kOne));
  std::copy(bias2_.begin(), bias2_.end(), sums2.begin());
  add_products(hidden1.data(), width_, weights2_.data(), hidden1_, sums2.data());
  for (int i = 0; i < hidden1_; ++i) hidden2[i] = activation(sums2[i]);
  std::copy(bias3_.begin(), bias3_.end(), sums3.begin());
  add_products(hidden2.data(), hidden1_, weights3_.data(), hidden2_, sums3.data());
  for (int i = 0; i < hidden2_; ++i) hidden3[i] = activation(sums3[i]);
  std::array<float, kOutputs> logits;
  std::copy(bias4_.begin(), bias4_.end(), logits.begin());
  add_products(hidden3.data(), hidden2_, weights4_.data(), kOutputs, logits.data());
  // And back: the slope of the equity by the outputs, by the sums of each layer, and by the first.
  constexpr std::array<float, kOutputs> kInEquity{2.0f, 1.0f, 1.0f, -1.0f, -1.0f};
  std::array<float, kOutputs> by_logit;
  for (int o = 0; o < kOutputs; ++o) {
    const float chance = logistic(logits[o]);
    by_logit[o] = kInEquity[o] * chance * (1.0f - chance);
  }
  for (int i = 0; i < hidden2_; ++i) {
    float sum = 0.0f;
    for (int o = 0; o < kOutputs; ++o) sum += by_logit[o] * weights4_[i * kOutputs + o];
    hidden3[i] = sum * blurred_slope(sums3[i], kHiddenReach);
  }
  std::fill_n(hidden2.begin(), hidden1_, 0.0f);
  add_products(hidden3.data(), hidden2_, back3_.data(), hidden1_, hidden2.data());
  for (int i = 0; i < hidden1_; ++i) hidden2[i] *= blurred_slope(sums2[i], kHiddenReach);
  std::fill_n(slopes, width_, 0.0f);
  add_products(hidden2.data(), hidden1_, back2_.data(), width_, slopes);
  for (int i = 0; i < width_; ++i) slopes[i] *= blurred_slope(sums1[i] * (1.0f / kOne), kReach);
}

// Only what a play can change: the player's checkers, the opponent's blots and bar, and what the player bears off.
void Sketch::fill(const Position& position, Table& table) const {
  std::array<float, kMaxWidth> slopes;
  slope(position, slopes.data());
  float steepest = 1e-9f;
  for (int i = 0; i < width_; ++i) steepest = std::max(steepest, std::abs(slopes[i]));
  std::array<std::int16_t, kMaxWidth> whole;
  for (int i = 0; i < width_; ++i) whole[i] = static_cast<std::int16_t>(slopes[i] * (limit_ / steepest));
  const float step = steepest / (limit_ * kOne);
  const auto fill_slot = [&](int slot, int present, int least, int most) {
    std::array<float, kSlotUnits> by_unit{};
    for (int unit = std::min(least, kSlotUnits - 1); unit < kSlotUnits && unit < most; ++unit)
      by_unit[unit] = step * static_cast<float>(dot(unit_row(slot, unit), whole.data(), width_));
    for (int count = least; count <= most; ++count) {
      float sum = 0.0f;
      for (int unit = 0; unit < kSlotUnits; ++unit)
        sum += by_unit[unit] * static_cast<float>(unit_value(unit, count) - unit_value(unit, present));
      table[slot][count] = sum;
    }
  };
  constexpr int kSteps = 4;  // in a turn
  const auto fill_around = [&](int slot, int present) {
    fill_slot(slot, present, std::max(present - kSteps, 0), std::min(present + kSteps, kCheckers));
  };
  for (int slot = 0; slot < kSlots; ++slot) fill_around(kSlots + slot, position.theirs[slot]);
  for (int slot = 0; slot < kPoints; ++slot)
    if (position.mine[slot] == 1) fill_slot(slot, 1, 0, 1);
  fill_around(kBar, position.mine[kBar]);
  fill_around(kTheirOffSlot, off_count(position.theirs));
}

void Sketch::differences(const Position& before, std::span<const Position> results, std::span<float> equities) const {
  const Position base = before.swapped();
  Table table;
  fill(base, table);
  const int rear = rearmost(base.theirs);
  int outside = 0;
  for (int slot = kHome; slot < kSlots; ++slot) outside += base.theirs[slot];
  const bool bears_off = outside < 4;  // a double brings three home and bears off a fourth
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Position& result = results[i];
    if (result.theirs[rear] == 0 && !in_contact(result)) {
      equities[i] = kIncomparable;
      continue;
    }
    float sum = 0.0f;
    for (Mask slots = changed(base.theirs, result.theirs); slots; slots &= slots - 1) {
      const int slot = std::countr_zero(slots);
      sum += table[kSlots + slot][result.theirs[slot]];
    }
    if (bears_off) sum += table[kTheirOffSlot][off_count(result.theirs)];
    if (result.mine[kBar] != base.mine[kBar])
      for (Mask slots = changed(base.mine, result.mine); slots; slots &= slots - 1) {
        const int slot = std::countr_zero(slots);
        sum += table[slot][result.mine[slot]];
      }
    equities[i] = sum;
  }
}

}  // namespace kibitz
