#include "eval/race_network.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "board/masks.hpp"
#include "eval/architecture.hpp"

namespace kibitz {
namespace {

// Where a slot of a row stands among those of a position: with the opponent's, who has just played in a result.
constexpr int slot_of_position(int slot) { return slot < kSlots ? kSlots + slot : kTheirOffSlot; }

// The kernel adds the features of each position, and may sort them. Here there are none, and the order stays.
struct NoFeatures {
  std::uint16_t units[kFeatureBatch * kMostFeatures] = {};
  int counts[kFeatureBatch] = {};
  std::uint8_t rows[kFeatureBatch] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
};
constexpr NoFeatures kNoFeatures;

}  // namespace

const char* RaceParameters::defect() const {
  if (!is_first_width(width)) return "the width of the first layer is no multiple of 64";
  if (!is_later_width(hidden)) return "the width of the second layer is no multiple of 16 (above 128, of 32)";
  return "";
}

bool RaceParameters::read(std::string_view payload) {
  Architecture architecture;
  if (!Architecture::take(payload, Architecture::kRow, architecture) || architecture.units != kRowUnits) return false;
  width = static_cast<int>(architecture.width);
  hidden = static_cast<int>(architecture.hidden1);
  const std::size_t wide = architecture.width, narrow = architecture.hidden1;
  return take_numbers(payload, kRowUnits * wide, units) && take_numbers(payload, wide, bias1) &&
         take_numbers(payload, wide * narrow, weights2) && take_numbers(payload, narrow * kRaceOutputs, weights3) &&
         take_numbers(payload, narrow, bias2) && take_numbers(payload, kRaceOutputs, bias3) && payload.empty();
}

RaceNetwork::RaceNetwork(const RaceParameters& parameters)
    : width_(parameters.width),
      units_(static_cast<std::size_t>(kCountUnits) * parameters.width),
      bias1_(parameters.bias1.begin(), parameters.bias1.end()),
      second_(parameters.width, parameters.hidden, parameters.weights2.data(), parameters.bias2.data()),
      last_(parameters.hidden, kRaceOutputs, parameters.weights3.data(), parameters.bias3.data()) {
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(kSlotUnits) * width_;
  for (int slot = 0; slot < kRowSlots; ++slot)
    std::copy_n(parameters.units.data() + slot * size, size, units_.data() + slot_of_position(slot) * size);
}

void RaceNetwork::accumulate(const Row& row, std::int16_t* sums, bool clip) const {
  const std::int16_t* added[kCheckers];  // every checker is on the board or off
  int count = 0;
  const auto add = [&](int slot, int checkers) {
    for (int had = 0; had < checkers; ++had) {
      const int unit = slot_of_position(slot) * kSlotUnits + std::min(had, kSlotUnits - 1);
      added[count++] = units_.data() + static_cast<std::ptrdiff_t>(unit) * width_;
    }
  };
  for (Mask left = occupied(row); left; left &= left - 1) {
    const int slot = std::countr_zero(left);
    add(slot, row[slot]);
  }
  add(kSlots, off_count(row));
  kernels().accumulate(bias1_.data(), added, count, sums, width_, clip);
}

template <typename RowOf>
void RaceNetwork::finish(const std::int16_t* activations, int count, RowOf row_of,
                         TurnsDistribution* distributions) const {
  second_.activate(activations, count);
  last_.apply(workspace.hidden, count);
  for (int i = 0; i < count; ++i)
    distributions[i] = TurnsDistribution::of_logits(row_of(i), workspace.sums + i * kRaceOutputs);
}

void RaceNetwork::distributions(std::span<const Row> rows, TurnsDistribution* distributions) const {
  for (std::size_t start = 0; start < rows.size(); start += kBatch) {
    const int count = static_cast<int>(std::min<std::size_t>(kBatch, rows.size() - start));
    for (int i = 0; i < count; ++i) accumulate(rows[start + i], workspace.activations + i * width_, true);
    finish(workspace.activations, count, [&](int i) -> const Row& { return rows[start + i]; }, distributions + start);
  }
}

void RaceNetwork::distributions_of_results(const Position& before, std::span<const Position> results,
                                           TurnsDistribution* distributions) const {
  alignas(64) std::int16_t sums[kMaxWidth];
  const Position unmoved = before.swapped();
  accumulate(unmoved.theirs, sums, false);
  for (std::size_t start = 0; start < results.size(); start += kBatch) {
    const int count = static_cast<int>(std::min<std::size_t>(kBatch, results.size() - start));
    kernels().neighbours(bytes_of(unmoved), bytes_of(results[start]), count, units_.data(), sums, kNoFeatures.units,
                         kNoFeatures.counts, kNoFeatures.rows, workspace.activations, width_);
    finish(
        workspace.activations, count, [&](int i) -> const Row& { return results[start + i].theirs; },
        distributions + start);
  }
}

}  // namespace kibitz
