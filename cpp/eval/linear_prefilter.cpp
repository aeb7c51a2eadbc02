#include "eval/linear_prefilter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "eval/evaluator.hpp"
#include "support/clones.hpp"

namespace kibitz {
namespace {

constexpr float kOne = kActivationOne;
constexpr float kMost = kActivationMax / kOne;
constexpr double kLargestSlope = 8191.0;  // as an integer: finer than the slope is true
constexpr int kPaddedOutputs = 16;

KIBITZ_INLINE float activation(float sum) { return std::min(std::max(sum, 0.0f), kMost); }

// exp() by multiplication alone, so that it has the same bits on every machine; good to some per cent.
KIBITZ_INLINE float logistic(float logit) {
  float power = 1.0f + std::min(std::max(logit, -12.0f), 12.0f) / 256.0f;
  for (int squaring = 0; squaring < 8; ++squaring) power *= power;
  return power / (1.0f + power);
}

// The slope of the activation, blurred: a play moves the sums, so what counts is the mean slope in the neighbourhood.
KIBITZ_INLINE float blurred_slope(float sum, float reach) {
  const auto step = [reach](float distance) {
    return std::min(std::max(distance * (0.5f / reach) + 0.5f, 0.0f), 1.0f);
  };
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

// Rows of the outputs' weights, each filled up with zeros.
AlignedVector<float> padded(const AlignedVector<float>& weights) {
  AlignedVector<float> wider(weights.size() / kOutputs * kPaddedOutputs);
  for (std::size_t i = 0; i < weights.size(); ++i) wider[i / kOutputs * kPaddedOutputs + i % kOutputs] = weights[i];
  return wider;
}

// Inputs go in turn to `kChains` independent sums: a single one would wait for every addition.
template <int kWide, int kChains>
KIBITZ_INLINE void multiply_columns(const float* in, int inputs, const float* weights, int outputs, float* sums) {
  Floats totals[kChains][kWide] = {};
  const auto add = [&](int i, int chain) __attribute__((always_inline)) {
    const float* row = weights + static_cast<std::ptrdiff_t>(i) * outputs;
    for (int c = 0; c < kWide; ++c) totals[chain][c] += in[i] * floats(row + c * kFloats);
  };
  int i = 0;
  for (; i + kChains <= inputs; i += kChains)
    for (int chain = 0; chain < kChains; ++chain) add(i + chain, chain);
  for (; i < inputs; ++i) add(i, 0);
  for (int chain = 0; chain < kChains; ++chain)
    for (int c = 0; c < kWide; ++c) floats(sums + c * kFloats) += totals[chain][c];
}

// sums += sum over inputs of in[i] * weights[i], a row of `outputs` numbers (a multiple of 16) for each input.
KIBITZ_INLINE void add_products(const float* in, int inputs, const float* weights, int outputs, float* sums) {
  int column = 0;
  for (; outputs - column >= 8 * kFloats; column += 8 * kFloats)
    multiply_columns<8, 1>(in, inputs, weights + column, outputs, sums + column);
  for (; outputs - column >= 2 * kFloats; column += 2 * kFloats)
    multiply_columns<2, 4>(in, inputs, weights + column, outputs, sums + column);
  for (; column < outputs; column += kFloats)
    multiply_columns<1, 4>(in, inputs, weights + column, outputs, sums + column);
}

// The slope of the equity by each unit of the first layer, at a position for which it has these sums: as whole numbers
// up to `limit`. Returns what one is worth.
KIBITZ_INLINE float find_slopes_body(const LinearPrefilter::Layers& net, const std::int16_t* first, float limit,
                                     std::int16_t* slopes) {
  const auto& [width, hidden1, hidden2, weights2, back2, bias2, weights3, back3, bias3, weights4, back4, bias4] = net;
  float sums1[kMaxWidth], sums2[kMaxWidth], sums3[kMaxWidth], values[kMaxWidth], slopes2[kMaxWidth],
      logits[kPaddedOutputs];
  // Forward.
  for (int i = 0; i < width; ++i) sums1[i] = static_cast<float>(first[i]) * (1.0f / kOne);
  for (int i = 0; i < width; ++i) values[i] = activation(sums1[i]);
  for (int i = 0; i < hidden1; ++i) sums2[i] = bias2[i];
  add_products(values, width, weights2.data(), hidden1, sums2);
  for (int i = 0; i < hidden1; ++i) values[i] = activation(sums2[i]);
  for (int i = 0; i < hidden2; ++i) sums3[i] = bias3[i];
  add_products(values, hidden1, weights3.data(), hidden2, sums3);
  for (int i = 0; i < hidden2; ++i) values[i] = activation(sums3[i]);
  for (int i = 0; i < kPaddedOutputs; ++i) logits[i] = bias4[i];
  add_products(values, hidden2, weights4.data(), kPaddedOutputs, logits);
  // And back: the slope of the equity by the logits, by the sums of each layer, and by the first.
  constexpr float kInEquity[kOutputs] = {2.0f, 1.0f, 1.0f, -1.0f, -1.0f};
  for (int o = 0; o < kOutputs; ++o) {
    const float chance = logistic(logits[o]);
    logits[o] = kInEquity[o] * chance * (1.0f - chance);
  }
  const auto back = [&](const float* from, int inputs, const float* weights, const float* sums, int outputs,
                        float reach, float* to) __attribute__((always_inline)) {
    for (int i = 0; i < outputs; ++i) to[i] = 0.0f;
    add_products(from, inputs, weights, outputs, to);
    for (int i = 0; i < outputs; ++i) to[i] *= blurred_slope(sums[i], reach);
  };
  back(logits, kOutputs, back4.data(), sums3, hidden2, kHiddenReach, values);
  back(values, hidden2, back3.data(), sums2, hidden1, kHiddenReach, slopes2);
  back(slopes2, hidden1, back2.data(), sums1, width, kReach, values);
  Floats steepest = {};
  for (int i = 0; i < width; i += kFloats) {
    const Floats here = floats(values + i);
    const Floats size = here < 0.0f ? -here : here;
    steepest = size > steepest ? size : steepest;
  }
  float most = 1e-9f;
  for (int i = 0; i < kFloats; ++i) most = std::max(most, steepest[i]);
  const float scale = limit / most;
  for (int i = 0; i < width; ++i) slopes[i] = static_cast<std::int16_t>(values[i] * scale);
  return most / (limit * kOne);
}
const auto find_slopes = cloned<find_slopes_body>();

// The units whose slopes have a price: those of the one who plays, of the other's bar, and the first one of each of the
// other's points, which a hit takes away. As outputs of a layer, padded.
constexpr int kTheirUnits = 0;
constexpr int kTheirOffUnits = kTheirUnits + kSlots * kSlotUnits;
constexpr int kMyBarUnits = kTheirOffUnits + kSlotUnits;
constexpr int kMyBlotUnits = kMyBarUnits + kSlotUnits;
constexpr int kPricedUnits = (kMyBlotUnits + kPoints + 15) / 16 * 16;

// The same as rows of the first layer.
std::array<int, kMyBlotUnits + kPoints> priced_units() {
  std::array<int, kMyBlotUnits + kPoints> rows{};
  for (int i = 0; i < kSlots * kSlotUnits; ++i) rows[kTheirUnits + i] = kSlots * kSlotUnits + i;
  for (int i = 0; i < kSlotUnits; ++i) rows[kTheirOffUnits + i] = kTheirOffSlot * kSlotUnits + i;
  for (int i = 0; i < kSlotUnits; ++i) rows[kMyBarUnits + i] = kBar * kSlotUnits + i;
  for (int point = 0; point < kPoints; ++point) rows[kMyBlotUnits + point] = point * kSlotUnits;
  return rows;
}

}  // namespace

LinearPrefilter::LinearPrefilter(const NetworkParameters& parameters)
    : units_(parameters.units.begin(), parameters.units.end()),
      bias1_(parameters.bias1.begin(), parameters.bias1.end()),
      priced_(static_cast<std::size_t>(parameters.width) * kPricedUnits) {
  const int width = parameters.width, hidden1 = parameters.hidden1, hidden2 = parameters.hidden2;
  const auto weights2 = scaled(parameters.weights2, kWeightOne), weights3 = scaled(parameters.weights3, kWeightOne),
             weights4 = scaled(parameters.weights4, kWeightOne);
  layers_ = {width,
             hidden1,
             hidden2,
             weights2,
             transposed(weights2, width, hidden1),
             scaled(parameters.bias2, kOne * kWeightOne),
             weights3,
             transposed(weights3, hidden1, hidden2),
             scaled(parameters.bias3, kOne * kWeightOne),
             padded(weights4),
             transposed(weights4, hidden2, kOutputs),
             padded(scaled(parameters.bias4, kOne * kWeightOne))};
  int largest = 1;
  for (const std::int16_t unit : units_) largest = std::max(largest, std::abs(int{unit}));
  const double most = std::numeric_limits<std::int32_t>::max() / (1.0 * width * largest);
  limit_ = static_cast<float>(std::min(kLargestSlope, most));
  const auto rows = priced_units();
  for (int i = 0; i < width; ++i)
    for (std::size_t unit = 0; unit < rows.size(); ++unit)
      priced_[(static_cast<std::size_t>(i / 2) * kPricedUnits + unit) * 2 + i % 2] =
          units_[static_cast<std::size_t>(rows[unit]) * width + i];
}

// What each count in each slot brings, less what the present count brings: whole numbers, as far as a play may lead.
class LinearPrefilter::Prices {
 public:
  Prices(const LinearPrefilter& prefilter, const Position& base) {
    std::int16_t slopes[kMaxWidth];
    worth_ = kRounding * prefilter.slopes_at(base, slopes);
    static constexpr std::int32_t kNothing[kPricedUnits] = {};
    std::int32_t units[kPricedUnits];
    kernels().dense(slopes, 1, prefilter.layers_.width, prefilter.priced_.data(), kNothing, kPricedUnits, units);
    // Up to four steps of the one who plays end or begin in a slot, and up to four checkers are hit.
    for (int slot = 0; slot < kSlots; ++slot)
      fill(units + kTheirUnits + slot * kSlotUnits, base.theirs[slot], theirs_[slot]);
    fill(units + kTheirOffUnits, off_count(base.theirs), off_);
    fill(units + kMyBarUnits, base.mine[kBar], mine_[kBar]);
    for (int point = 0; point < kPoints; ++point) {
      mine_[point][base.mine[point]] = 0;
      if (base.mine[point] == 1) mine_[point][0] = -(units[kMyBlotUnits + point] / kRounding);
    }
  }

  float of(const Position& result, bool hits, bool bears_off) const {
    std::int32_t sum = 0;
#pragma GCC unroll 25  // a loop takes twice as long
    for (int slot = 0; slot < kSlots; ++slot) sum += theirs_[slot][result.theirs[slot]];
    if (hits)
      for (int slot = 0; slot < kSlots; ++slot) sum += mine_[slot][result.mine[slot]];
    if (bears_off) sum += off_[off_count(result.theirs)];
    return worth_ * static_cast<float>(sum);
  }

 private:
  using PriceOfCount = std::int32_t[kCounts];
  static constexpr int kRounding = 16;  // so that no sum is too large
  static constexpr int kSteps = 4;      // of a play, at most

  // `units`: what the first, second, third, fourth and each further checker bring.
  static void fill(const std::int32_t* units, int present, std::int32_t* prices) {
    const auto unit = [&](int count) { return units[std::min(count, kSlotUnits - 1)] / kRounding; };
    prices[present] = 0;
    for (int count = present; count < std::min(present + kSteps, kCheckers); ++count)
      prices[count + 1] = prices[count] + unit(count);
    for (int count = present; count > std::max(present - kSteps, 0); --count)
      prices[count - 1] = prices[count] - unit(count - 1);
  }

  float worth_;
  // Only where a play may lead.
  PriceOfCount theirs_[kSlots];
  PriceOfCount mine_[kSlots];
  PriceOfCount off_;
};

float LinearPrefilter::slopes_at(const Position& position, std::int16_t* slopes) const {
  const std::int16_t* rows[2 * kCheckers];  // every checker is on the board, on the bar or off
  int count = 0;
  for_each_slot(position, [&](int slot, int checkers) {
    for (int had = 0; had < checkers; ++had) {
      const int unit = slot * kSlotUnits + std::min(had, kSlotUnits - 1);
      rows[count++] = units_.data() + static_cast<std::ptrdiff_t>(unit) * layers_.width;
    }
  });
  std::int16_t sums[kMaxWidth];
  kernels().accumulate(bias1_.data(), rows, count, sums, layers_.width, false);
  return find_slopes(layers_, sums, limit_, slopes);
}

void LinearPrefilter::differences(const Position& before, std::span<const Position> results,
                                  std::span<float> equities) const {
  const Position base = before.swapped();
  const Prices prices(*this, base);
  const int rear = rearmost(base.theirs);
  int outside = 0;
  for (int slot = kHome; slot < kSlots; ++slot) outside += base.theirs[slot];
  const bool may_bear_off = outside < 4;  // a double brings three home and bears off a fourth
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Position& result = results[i];
    equities[i] = result.theirs[rear] == 0 && !in_contact(result)
                      ? kIncomparable
                      : prices.of(result, result.mine[kBar] != base.mine[kBar], may_bear_off);
  }
}

}  // namespace kibitz
