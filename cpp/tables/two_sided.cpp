#include "tables/two_sided.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#include "board/plays.hpp"
#include "support/team.hpp"

namespace kibitz {
namespace {

using Entry = TwoSided::Entry;
constexpr std::int32_t kOne = TwoSided::kOne;

// The rows that one side can reach with every roll. Without contact every die can be played until no checker is left.
class Reach {
 public:
  explicit Reach(const RowNumbers& numbers) : numbers_(numbers) {
    starts_.reserve(static_cast<std::size_t>(numbers.size()) * kRolls + 1);
    for (std::uint32_t number = 0; number < numbers.size(); ++number) add(number);
    starts_.push_back(static_cast<std::uint32_t>(rows_.size()));
  }

  std::span<const std::uint32_t> rows(std::uint32_t number, int roll) const {
    const std::size_t at = static_cast<std::size_t>(number) * kRolls + static_cast<std::size_t>(roll);
    return {rows_.data() + starts_[at], rows_.data() + starts_[at + 1]};
  }

  static std::vector<std::uint32_t> of(const RowNumbers& numbers, const Row& row, Dice dice) {
    static thread_local std::vector<Position> results;
    legal_results({row, {}}, dice, results);
    if (results.empty()) return {numbers.number(row.data())};
    std::vector<std::uint32_t> found;
    for (const Position& result : results) found.push_back(numbers.number(result.theirs.data()));
    return found;
  }

 private:
  void add(std::uint32_t number) {
    Row row{};
    numbers_.row(number, row.data());
    for (const Dice dice : kAllRolls) {
      starts_.push_back(static_cast<std::uint32_t>(rows_.size()));
      const auto found = of(numbers_, row, dice);
      rows_.insert(rows_.end(), found.begin(), found.end());
    }
  }

  const RowNumbers& numbers_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> rows_;
};

// The opponent's least equities after a roll, for each state of the cube, summed over the 36 rolls.
struct Sums {
  std::int64_t values[4] = {};

  void add(int weight, std::span<const std::uint32_t> reached, const Entry* opponents) {
    std::int32_t least[4] = {kOne, kOne, kOne, kOne};
    for (const std::uint32_t next : reached) {
      const std::int32_t* entry = &opponents[next].cubeless;
      for (int state = 0; state < 4; ++state) least[state] = std::min(least[state], entry[state]);
    }
    for (int state = 0; state < 4; ++state) values[state] += std::int64_t{weight} * least[state];
  }

  // My average, to the nearest unit.
  std::int32_t average(int state) const {
    const std::int64_t sum = -values[state];
    return static_cast<std::int32_t>((sum >= 0 ? sum + 18 : sum - 18) / 36);
  }
};

enum State { kCubeless, kCentred, kOwned, kUnavailable };

Sums look_ahead(const Reach& reach, std::uint32_t mine, const Entry* opponents) {
  Sums sums;
  for (int roll = 0; roll < kRolls; ++roll) sums.add(kAllRolls[roll].weight(), reach.rows(mine, roll), opponents);
  return sums;
}

// The better of doubling and not doubling. What I own is not available to the opponent, and the other way round.
Entry decided(const Sums& sums) {
  Entry entry;
  entry.cubeless = sums.average(kCubeless);
  entry.unavailable = sums.average(kOwned);
  const std::int32_t doubled = std::min<std::int64_t>(2 * static_cast<std::int64_t>(entry.unavailable), kOne);
  entry.centred = std::max(sums.average(kCentred), doubled);
  entry.owned = std::max(sums.average(kUnavailable), doubled);
  return entry;
}

double real(std::int64_t value) { return static_cast<double>(value) / kOne; }

}  // namespace

std::uint64_t TwoSided::entries_of(Shape shape) {
  const std::uint64_t rows = RowNumbers(shape).size();
  return rows * rows;
}

bool TwoSided::build_into(Shape shape, std::span<Entry> entries, int threads, const Progress& progress,
                          std::uint64_t first, const Checkpoint& checkpoint) {
  const RowNumbers numbers(shape);
  const std::uint32_t rows = numbers.size();
  const Reach reach(numbers);
  const auto at = [&](std::uint32_t mine, std::uint32_t theirs) -> Entry& {
    return entries[static_cast<std::size_t>(mine) * rows + theirs];
  };
  const auto solve = [&](std::uint32_t mine, std::uint32_t theirs) {
    at(mine, theirs) = decided(look_ahead(reach, mine, &at(theirs, 0)));
  };
  at(0, 0) = {0, 0, 0, 0};
  // Both rows up to a number: first the higher one is mine, which needs earlier numbers alone, then it is theirs.
  Team team(threads_for(threads, rows > 2000));
  std::atomic<bool> stopped = false;
  team.run([&](int member) {
    for (auto top = static_cast<std::uint32_t>(std::max<std::uint64_t>(first, 1)); top < rows; ++top) {
      const auto [begin, end] = team.share(member, top);
      for (std::size_t other = begin; other < end; ++other) {
        if (other == 0) {
          at(top, 0) = {-kOne, -kOne, -kOne, -kOne};
        } else {
          solve(top, static_cast<std::uint32_t>(other));
        }
      }
      team.meet();
      for (std::size_t other = begin; other < end; ++other) {
        if (other == 0) {
          at(0, top) = {kOne, kOne, kOne, kOne};
          solve(top, top);
        } else {
          solve(static_cast<std::uint32_t>(other), top);
        }
      }
      const bool often_enough = member == 0 && (top % 64 == 0 || top + 1 == rows);
      if (often_enough && checkpoint) checkpoint(top);  // others may still be at this row
      const bool tell = often_enough && progress;
      if (tell && !progress(static_cast<std::uint64_t>(top + 1) * (top + 1), static_cast<std::uint64_t>(rows) * rows))
        stopped = true;
      team.meet();
      if (stopped) return;
    }
  });
  return !stopped;
}

TwoSided TwoSided::build(Shape shape, int threads, const Progress& progress) {
  const std::uint64_t size = entries_of(shape);
  const std::shared_ptr<Entry[]> entries = std::make_shared_for_overwrite<Entry[]>(size);
  if (!build_into(shape, {entries.get(), size}, threads, progress)) return {};
  return TwoSided(shape, {entries.get(), size}, entries);
}

TwoSidedEquities TwoSided::equities(const Position& position) const {
  const Entry& found = entry(position);
  return {real(found.cubeless), real(found.centred), real(found.owned), real(found.unavailable)};
}

TwoSidedCube TwoSided::cube(const Position& position) const {
  const Entry* opponents = &entries_[numbers_.number(position.theirs.data()) * rows_];
  Sums sums;
  for (const Dice dice : kAllRolls) sums.add(dice.weight(), Reach::of(numbers_, position.mine, dice), opponents);
  const auto mean = [&](int state) { return -real(sums.values[state]) / 36; };
  return {(mean(kCubeless) + 1) / 2, mean(kCentred), mean(kUnavailable), 2 * mean(kOwned)};
}

}  // namespace kibitz
