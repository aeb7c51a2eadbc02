#include "eval/network.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace kibitz {
namespace {

// The logistic function from a table with straight lines between. The table is made by multiplication alone, not by a
// library's exp(), so that it has the same bits on every machine.
class Logistic {
 public:
  static constexpr int kPerUnit = 256;
  static constexpr int kRange = 16;

  Logistic() {
    double power = 1.0;  // exp(i / kPerUnit)
    for (int i = 0; i <= kRange * kPerUnit; ++i) {
      const double value = power / (1.0 + power);
      table_[kRange * kPerUnit + i] = static_cast<float>(value);
      table_[kRange * kPerUnit - i] = static_cast<float>(1.0 / (1.0 + power));
      power *= 1.00391388933834757344;  // exp(1 / 256)
    }
    table_[2 * kRange * kPerUnit + 1] = table_[2 * kRange * kPerUnit];
  }

  // `logit` in units of 1 / (kActivationOne * kWeightOne).
  float operator()(std::int32_t logit) const {
    constexpr std::int32_t kOne = kActivationOne * kWeightOne;
    constexpr std::int32_t kStep = kOne / kPerUnit;
    const std::int32_t limit = kRange * kOne;
    const std::int32_t shifted = (logit < -limit ? -limit : logit > limit ? limit : logit) + limit;
    const std::uint32_t index = static_cast<std::uint32_t>(shifted) / kStep;
    const float part =
        static_cast<float>(static_cast<std::int32_t>(static_cast<std::uint32_t>(shifted) % kStep)) * (1.0f / kStep);
    return table_[index] + (table_[index + 1] - table_[index]) * part;
  }

 private:
  std::array<float, 2 * kRange * kPerUnit + 2> table_{};
};

const Logistic kLogistic;

static_assert(kSlotsOfSide == kSlots && kUnitsOfSlot == kSlotUnits && kCheckersOfSide == kCheckers &&
              kMyOffSlot == kSlotsOnBoard && kTheirOffSlot == kSlotsOnBoard + 1 && kUnitsOfCounts == kCountUnits &&
              kFeaturePoints == kPoints);

}  // namespace

const char* NetworkParameters::defect() const {
  const auto is = [](const auto& values, int size) { return static_cast<int>(values.size()) == size; };
  if (!is_first_width(width)) return "the width of the first layer is no multiple of 64";
  if (!is_later_width(hidden1) || !is_later_width(hidden2))
    return "the width of a later layer is no multiple of 16 (above 128, of 32)";
  if ((!is(units, kCountUnits * width) && !is(units, (kCountUnits + kFeatureUnits) * width)) || !is(bias1, width))
    return "the size of the first layer";
  if (sets != 1 && sets != kBuckets) return "the number of sets of later layers is neither 1 nor 16";
  if (!is(weights2, sets * width * hidden1) || !is(bias2, sets * hidden1)) return "the size of the second layer";
  if (!is(weights3, sets * hidden1 * hidden2) || !is(bias3, sets * hidden2)) return "the size of the third layer";
  if (!is(weights4, sets * hidden2 * kOutputs) || !is(bias4, sets * kOutputs)) return "the size of the last layer";
  return "";
}

std::string NetworkParameters::payload() const {
  const auto number = [](auto value) { return static_cast<std::uint32_t>(value); };
  const std::uint32_t inputs = number(kCountUnits + (has_features() ? kFeatureUnits : 0));
  std::string bytes =
      Architecture{Architecture::kPositions, inputs, number(width), number(hidden1), number(hidden2), number(sets)}
          .bytes();
  const auto append = [&](const auto& values) {
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  };
  for (const auto* values : {&units, &bias1, &weights2, &weights3, &weights4}) append(*values);
  for (const auto* values : {&bias2, &bias3, &bias4}) append(*values);
  return bytes;
}

bool NetworkParameters::read(std::string_view payload) {
  Architecture architecture;
  if (!Architecture::take(payload, Architecture::kPositions, architecture)) return false;
  width = static_cast<int>(architecture.width);
  hidden1 = static_cast<int>(architecture.hidden1);
  hidden2 = static_cast<int>(architecture.hidden2);
  sets = static_cast<int>(architecture.sets);
  const std::size_t wide = architecture.width, first = architecture.hidden1, second = architecture.hidden2,
                    later = architecture.sets;
  return take_numbers(payload, architecture.units * wide, units) && take_numbers(payload, wide, bias1) &&
         take_numbers(payload, later * wide * first, weights2) &&
         take_numbers(payload, later * first * second, weights3) &&
         take_numbers(payload, later * second * kOutputs, weights4) && take_numbers(payload, later * first, bias2) &&
         take_numbers(payload, later * second, bias3) && take_numbers(payload, later * kOutputs, bias4) &&
         payload.empty();
}

Network::Network(const NetworkParameters& parameters)
    : width_(parameters.width),
      rows_(static_cast<std::size_t>(kCountSlots) * kCounts * parameters.width),
      units_(parameters.units.begin(), parameters.units.end()),
      features_(parameters.has_features()),
      bias1_(parameters.bias1.begin(), parameters.bias1.end()) {
  for (std::size_t set = 0; set < static_cast<std::size_t>(parameters.sets); ++set) {
    const auto layer = [set](int inputs, int outputs, const auto& weights, const auto& bias) {
      return DenseLayer(inputs, outputs, weights.data() + set * inputs * outputs, bias.data() + set * outputs);
    };
    later_.push_back({layer(parameters.width, parameters.hidden1, parameters.weights2, parameters.bias2),
                      layer(parameters.hidden1, parameters.hidden2, parameters.weights3, parameters.bias3),
                      layer(parameters.hidden2, kOutputs, parameters.weights4, parameters.bias4)});
  }
  for (int slot = 0; slot < kCountSlots; ++slot)
    for (int count = 1; count < kCounts; ++count)
      for (int unit = 0; unit < kSlotUnits; ++unit) {
        const int value = unit_value(unit, count);
        const std::int16_t* from =
            parameters.units.data() + static_cast<std::size_t>(slot * kSlotUnits + unit) * width_;
        std::int16_t* to = rows_.data() + (static_cast<std::size_t>(slot) * kCounts + count) * width_;
        for (int i = 0; i < width_; ++i) to[i] = static_cast<std::int16_t>(to[i] + value * from[i]);
      }
}

void Network::sort(const Position* positions, int count, Rows& rows) const {
  if (later_.size() == 1) return;
  int order[kBatch];  // the position in each row, sorted by insertion: there are few
  for (int i = 0; i < count; ++i) {
    const auto set = static_cast<std::uint8_t>(bucket_of(positions[i]));
    int row = i;
    for (; row > 0 && rows.set[row - 1] > set; --row) {
      rows.set[row] = rows.set[row - 1];
      order[row] = order[row - 1];
    }
    rows.set[row] = set;
    order[row] = i;
  }
  for (int row = 0; row < count; ++row) rows.of[order[row]] = static_cast<std::uint8_t>(row);
}

void Network::finish(const Rows& rows, const std::int16_t* activations, int count, Outputs* outputs) const {
  if (later_.size() == 1) return finish(later_[0], activations, count, outputs);
  Outputs found[kBatch];
  for (int start = 0; start < count;) {
    const int set = rows.set[start];
    int end = start + 1;
    while (end < count && rows.set[end] == set) ++end;
    finish(later_[set], activations + static_cast<std::ptrdiff_t>(start) * width_, end - start, found + start);
    start = end;
  }
  for (int i = 0; i < count; ++i) outputs[i] = found[rows.of[i]];
}

void Network::finish(const LaterLayers& layers, const std::int16_t* activations, int count, Outputs* outputs) const {
  layers.second.activate(activations, count);
  layers.third.activate(workspace.hidden, count);
  layers.last.apply(workspace.hidden, count);
  for (int row = 0; row < count; ++row) {
    const std::int32_t* logits = workspace.sums + row * layers.last.outputs;
    outputs[row] = {kLogistic(logits[0]), kLogistic(logits[1]), kLogistic(logits[2]), kLogistic(logits[3]),
                    kLogistic(logits[4])};
  }
}

void Network::find(const Position* positions, int count, Features& features) const {
  if (features_) kernels().features(bytes_of(*positions), count, features.units, features.counts);
}

void Network::activate_first(const Position* positions, int count, const Rows& rows, std::int16_t* activations) const {
  Features features;
  find(positions, count, features);
  for (int i = 0; i < count; ++i) {
    const std::int16_t* added[kCountSlots + kMostFeatures];
    int terms = 0;
    for_each_slot(positions[i], [&](int slot, int checkers) { added[terms++] = row(slot, checkers); });
    for (int k = 0; k < features.counts[i]; ++k)
      added[terms++] = units_.data() + static_cast<std::size_t>(kCountUnits + features.of(i)[k]) * width_;
    kernels().accumulate(bias1_.data(), added, terms, activations + rows.of[i] * width_, width_, true);
  }
}

void Network::evaluate(std::span<const Position> positions, Outputs* outputs) const {
  Rows rows;
  for (std::size_t start = 0; start < positions.size(); start += kBatch) {
    const int count = static_cast<int>(std::min<std::size_t>(kBatch, positions.size() - start));
    sort(&positions[start], count, rows);
    activate_first(&positions[start], count, rows, workspace.activations);
    finish(rows, workspace.activations, count, outputs + start);
  }
}

void Network::hidden(std::span<const Position> positions, std::uint8_t* bytes) const {
  const LaterLayers& layers = later_[0];
  const Rows rows;
  for (std::size_t start = 0; start < positions.size(); start += kBatch) {
    const int count = static_cast<int>(std::min<std::size_t>(kBatch, positions.size() - start));
    activate_first(&positions[start], count, rows, workspace.activations);
    const std::int16_t* in = workspace.activations;
    int offset = 0;
    for (const DenseLayer* layer : {&layers.second, &layers.third}) {
      layer->activate(in, count);
      in = workspace.hidden;
      for (int i = 0; i < count; ++i)
        for (int o = 0; o < layer->outputs; ++o)
          bytes[(start + i) * hidden_width() + offset + o] =
              static_cast<std::uint8_t>(std::min(in[i * layer->outputs + o] / (kActivationOne / kHiddenOne), 255));
      offset += layer->outputs;
    }
  }
}

void Network::evaluate_near(const Accumulator& accumulator, std::span<const Position> positions,
                            Outputs* outputs) const {
  std::int16_t* activations = workspace.activations;
  Features features;
  Rows rows;
  for (std::size_t start = 0; start < positions.size(); start += kBatch) {
    const int count = static_cast<int>(std::min<std::size_t>(kBatch, positions.size() - start));
    find(&positions[start], count, features);
    sort(&positions[start], count, rows);
    kernels().neighbours(bytes_of(accumulator.position), bytes_of(positions[start]), count, units_.data(),
                         accumulator.sums, features.units, features.counts, rows.of, activations, width_);
    finish(rows, activations, count, outputs + start);
  }
}

void Network::start(const Position& position, Accumulator& accumulator) const {
  accumulator.position = position;
  const std::int16_t* added[kCountSlots];
  int count = 0;
  for_each_slot(position, [&](int slot, int checkers) { added[count++] = row(slot, checkers); });
  kernels().accumulate(bias1_.data(), added, count, accumulator.sums, width_, false);
}

}  // namespace kibitz
