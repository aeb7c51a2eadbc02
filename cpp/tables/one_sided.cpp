#include "tables/one_sided.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "board/dice.hpp"
#include "support/team.hpp"

namespace kibitz {

double Turns::mean() const {
  double sum = least;
  for (int i = 0; i < stored; ++i) sum += tails[i];
  return sum;
}

double Turns::variance() const {
  // E[N(N-1)] / 2 is the sum of n * P(N > n).
  double sum = 0;
  for (int n = 0; n < least; ++n) sum += n;
  for (int i = 0; i < stored; ++i) sum += (least + i) * tails[i];
  const double average = mean();
  return std::max(0.0, 2 * sum + average - average * average);
}

double chance_to_be_first(const Turns& first, const Turns& second) {
  // As long as the second cannot have finished, every finish of the first wins.
  const double start = first.tail(second.least);
  double chance = 1.0 - start;
  const int from = std::max(second.least + 1, first.least);
  const int both = std::min(first.least + first.stored, second.least + second.stored + 1);
  if (from > both) return chance;
  // Finishes in turn n count as often as the second has not finished in n - 1.
  const auto mine = [&](int n) { return first.tails[n - first.least]; };
  const auto theirs = [&](int n) { return second.tails[n - second.least]; };
  double before = from > second.least + 1 ? 1.0 : start;
  for (int n = from; n < both; ++n) {
    chance += (before - mine(n)) * theirs(n - 1);
    before = mine(n);
  }
  // One turn after the last tail that is kept, the first has finished for certain.
  if (both == first.least + first.stored && both <= second.least + second.stored) chance += before * theirs(both - 1);
  return chance;
}

namespace {

constexpr int kLongest = 96;           // more turns than any row of 11 points can need
constexpr double kNegligible = 1e-13;  // tails below this are not kept
constexpr int kWindow = 7;             // pip levels that one die can reach back, and the level itself

using Entry = OneSided::Entry;

// What is the best row after one, two or three steps with the same die, for two aims. Kept for the last few pip counts.
struct Ahead {
  std::uint32_t all[3][6];
  std::uint32_t first[3][6];
};

struct Built {
  std::vector<Entry> entries;
  std::vector<double> tails;
};

class Builder {
 public:
  Builder(Shape shape, int threads, OneSided::Rules rules)
      : shape_(shape), rules_(rules), numbers_(shape), team_(threads_for(threads, numbers_.size() > 200000)) {
    const std::uint32_t size = numbers_.size();
    built_ = std::make_shared<Built>();
    built_->entries.assign(size, {});
    counts_.resize(size);
    places_.resize(size);
    sort_by_pips();
    for (auto& level : ahead_) level.resize(widest_);
    shares_.resize(static_cast<std::size_t>(team_.size()));
  }

  std::shared_ptr<Built> build(const OneSided::Progress& progress, const OneSided::Keeping* keeping) {
    std::atomic<bool> stopped = false;
    const int from = keeping ? restore(*keeping) : 1;
    team_.run([&](int member) {
      for (int pip = from; pip < static_cast<int>(starts_.size()) - 1; ++pip) {
        const std::size_t width = starts_[pip + 1] - starts_[pip];
        const auto [begin, end] = team_.share(member, width);
        std::vector<double>& tails = shares_[static_cast<std::size_t>(member)];
        tails.clear();
        for (std::size_t i = begin; i < end; ++i) row(pip, static_cast<std::uint32_t>(i), tails);
        team_.meet();
        if (member == 0) {
          collect(pip);
          if (progress && !progress(starts_[pip + 1], numbers_.size())) stopped = true;
          if (keeping && (stopped || keeping->is_due())) keep(*keeping, starts_[pip + 1]);
        }
        team_.meet();
        if (stopped) return;
      }
    });
    if (stopped) return nullptr;
    built_->tails.shrink_to_fit();
    return built_;
  }

 private:
  void sort_by_pips() {
    const int most = shape_.points * shape_.checkers;
    std::vector<std::uint16_t> pips(numbers_.size());
    std::vector<std::size_t> widths(static_cast<std::size_t>(most) + 1, 0);
    Row row{};
    for (std::uint32_t number = 0; number < numbers_.size(); ++number) {
      numbers_.row(number, row.data());
      counts_[number] = static_cast<std::uint8_t>(checkers(row));
      pips[number] = static_cast<std::uint16_t>(kibitz::pips(row));
      places_[number] = static_cast<std::uint32_t>(widths[pips[number]]++);
    }
    starts_.assign(static_cast<std::size_t>(most) + 2, 0);
    for (int pip = 0; pip <= most; ++pip) starts_[pip + 1] = starts_[pip] + widths[pip];
    widest_ = *std::max_element(widths.begin(), widths.end());
    order_.resize(numbers_.size());
    for (std::uint32_t number = 0; number < numbers_.size(); ++number)
      order_[starts_[pips[number]] + places_[number]] = number;
  }

  // Goes on from what was kept; the first pip count that is to be built. What is remembered of the last few pip counts
  // follows from the rows. Three steps look three times as far back as one die does.
  int restore(const OneSided::Keeping& keeping) {
    std::vector<Entry> rows;
    keeping.restore(rows, built_->tails);
    const auto level = std::find(starts_.begin() + 1, starts_.end(), rows.size());
    if (rows.size() < 2 || level == starts_.end()) {
      built_->tails.clear();
      return 1;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) built_->entries[order_[i]] = rows[i];
    kept_rows_ = rows.size();
    kept_tails_ = built_->tails.size();
    const int next = static_cast<int>(level - starts_.begin());
    for (int pip = std::max(1, next - 3 * (kWindow - 1)); pip < next; ++pip)
      for (std::uint32_t place = 0; place < starts_[pip + 1] - starts_[pip]; ++place) {
        BestRows ignored[kRolls];
        look(pip, place, ignored);
      }
    return next;
  }

  void keep(const OneSided::Keeping& keeping, std::size_t rows) {
    std::vector<Entry> since;
    since.reserve(rows - kept_rows_);
    for (std::size_t i = kept_rows_; i < rows; ++i) since.push_back(built_->entries[order_[i]]);
    keeping.keep(since, std::span(built_->tails).subspan(kept_tails_));
    kept_rows_ = rows;
    kept_tails_ = built_->tails.size();
  }

  const Ahead& ahead(int pip, std::uint32_t number) const {
    return ahead_[static_cast<std::size_t>(pip % kWindow)][places_[number]];
  }

  // Further turns to bear off one of `count` checkers: none if that has happened.
  double first_mean(std::uint32_t number, int count) const {
    return counts_[number] < count ? 0.0 : built_->entries[number].first_mean;
  }

  // The candidate that needs fewer further turns; among equals the lower number, so that the order does not matter.
  struct Best {
    double value = 1e9;
    std::uint32_t number = 0;

    void offer(double other_value, std::uint32_t other) {
      if (other_value < value || (other_value == value && other < number)) {
        value = other_value;
        number = other;
      }
    }
  };

  // Where one step with each die can lead.
  struct Step {
    std::uint32_t number;
    const Ahead* ahead;
  };
  struct Steps {
    Step of[6][kSlots];
    int counts[6];
  };
  void find_steps(int pip, std::uint32_t number, Steps& steps) const {
    Row row{};
    numbers_.row(number, row.data());
    const int back = rearmost(row);
    for (int die = 1; die <= 6; ++die) {
      int count = 0;
      for (int source = back; source >= 0; --source) {
        if (row[source] == 0) continue;
        const int target = source - die;
        const bool restricted = rules_ == OneSided::Rules::kBearingOff;
        if (restricted && target < 0 && (back >= kHome || (target < -1 && source != back))) continue;
        --row[source];
        if (target >= 0) ++row[target];
        const std::uint32_t next = numbers_.number(row.data());
        if (target >= 0) --row[target];
        ++row[source];
        steps.of[die - 1][count++] = {next, &ahead(pip - std::min(die, source + 1), next)};
      }
      steps.counts[die - 1] = count;
    }
  }

  // The best rows that some play leads to: for all checkers, and for the first one of `count`. A row in which no
  // checker is left stays as it is; a row that has borne off its first checker is as good as any.
  struct BestRows {
    Best all, first;
  };
  void offer(BestRows& best, std::uint32_t all, std::uint32_t step, std::uint32_t first, int count) const {
    best.all.offer(built_->entries[all].mean, all);
    const std::uint32_t reached = counts_[step] < count ? step : first;
    best.first.offer(first_mean(reached, count), reached);
  }

  void row(int pip, std::uint32_t place, std::vector<double>& tails) {
    BestRows reached[kRolls];
    look(pip, place, reached);
    fill_entry(order_[starts_[pip] + place], reached, tails);
  }

  // The best rows that each roll leads to, and what is remembered for the rows of the next pip counts.
  void look(int pip, std::uint32_t place, BestRows (&reached)[kRolls]) {
    const std::uint32_t number = order_[starts_[pip] + place];
    const int count = counts_[number];
    Steps steps;
    find_steps(pip, number, steps);
    Ahead& mine = ahead_[static_cast<std::size_t>(pip % kWindow)][place];
    for (int die = 0; die < 6; ++die) {
      BestRows best[4];  // by one to four steps
      for (int i = 0; i < steps.counts[die]; ++i) {
        const auto [next, after] = steps.of[die][i];
        offer(best[0], next, next, next, count);
        for (int more = 0; more < 3; ++more)
          offer(best[more + 1], after->all[more][die], next, after->first[more][die], count);
      }
      for (int more = 0; more < 3; ++more) {
        mine.all[more][die] = best[more].all.number;
        mine.first[more][die] = best[more].first.number;
      }
      reached[roll_index(Dice(die + 1, die + 1))] = best[3];
    }
    for (int high = 1; high < 6; ++high)
      for (int low = 0; low < high; ++low)
        for (const auto& [one, other] : {std::pair{high, low}, std::pair{low, high}})
          for (int i = 0; i < steps.counts[one]; ++i) {
            const auto [next, after] = steps.of[one][i];
            offer(reached[roll_index(Dice(high + 1, low + 1))], after->all[0][other], next, after->first[0][other],
                  count);
          }
  }

  void fill_entry(std::uint32_t number, const BestRows (&reached)[kRolls], std::vector<double>& tails) {
    const int count = counts_[number];
    const std::vector<Entry>& entries = built_->entries;
    double mean = 0;
    double mean_to_first = 0;
    OneSided::Distribution all_distributions[kRolls];
    OneSided::Distribution first_distributions[kRolls];
    for (int roll = 0; roll < kRolls; ++roll) {
      const int weight = kAllRolls[roll].weight();
      const std::uint32_t all = reached[roll].all.number;
      const std::uint32_t first = reached[roll].first.number;
      mean += weight * entries[all].mean;
      mean_to_first += weight * first_mean(first, count);
      all_distributions[roll] = entries[all].all;
      first_distributions[roll] = counts_[first] < count ? OneSided::Distribution{} : entries[first].first;
    }
    Entry& entry = built_->entries[number];
    entry.mean = 1 + mean / 36;
    entry.first_mean = 1 + mean_to_first / 36;
    entry.all = mixed(all_distributions, tails);
    entry.first = mixed(first_distributions, tails);
  }

  // One turn more than the distributions after each roll, weighted. The tails are appended; the offset is into the
  // member's own.
  OneSided::Distribution mixed(const OneSided::Distribution (&distributions)[kRolls],
                               std::vector<double>& tails) const {
    int least = 255;
    int most = 0;
    for (const OneSided::Distribution& distribution : distributions) {
      least = std::min<int>(least, distribution.least);
      most = std::max<int>(most, distribution.most);
    }
    double sums[kLongest] = {};  // sums[i]: 36 times the tail at least + i of the mixture, one turn earlier
    for (int roll = 0; roll < kRolls; ++roll) {
      const double weight = kAllRolls[roll].weight();
      const OneSided::Distribution& distribution = distributions[roll];
      const int before = distribution.least - least;
      for (int i = 0; i < before; ++i) sums[i] += weight;
      const double* from = built_->tails.data() + distribution.offset;
      for (int i = 0; i < distribution.stored; ++i) sums[before + i] += weight * from[i];
    }
    int stored = most - least;
    while (stored > 0 && sums[stored - 1] < 36 * kNegligible) --stored;
    OneSided::Distribution distribution{};
    distribution.offset = static_cast<std::uint32_t>(tails.size());
    distribution.least = static_cast<std::uint8_t>(least + 1);
    distribution.most = static_cast<std::uint8_t>(most + 1);
    distribution.stored = static_cast<std::uint8_t>(stored);
    for (int i = 0; i < stored; ++i) tails.push_back(sums[i] / 36);
    return distribution;
  }

  // Puts the members' tails one after the other, in the order of the rows, so that the table does not depend on them.
  void collect(int pip) {
    const std::size_t width = starts_[pip + 1] - starts_[pip];
    for (int member = 0; member < team_.size(); ++member) {
      const auto base = static_cast<std::uint32_t>(built_->tails.size());
      const std::vector<double>& tails = shares_[static_cast<std::size_t>(member)];
      built_->tails.insert(built_->tails.end(), tails.begin(), tails.end());
      const auto [begin, end] = team_.share(member, width);
      for (std::size_t i = begin; i < end; ++i) {
        Entry& entry = built_->entries[order_[starts_[pip] + i]];
        entry.all.offset += base;
        entry.first.offset += base;
      }
    }
  }

  Shape shape_;
  OneSided::Rules rules_;
  RowNumbers numbers_;
  Team team_;
  std::shared_ptr<Built> built_;
  std::vector<std::uint8_t> counts_;   // checkers of each row
  std::vector<std::uint32_t> places_;  // its place among the rows of the same pip count
  std::vector<std::uint32_t> order_;   // all rows by pip count
  std::vector<std::size_t> starts_;    // where each pip count starts in that order
  std::size_t widest_ = 0;
  std::size_t kept_rows_ = 0;          // how many of that order have been kept ...
  std::size_t kept_tails_ = 0;         // ... with so many tails
  std::vector<Ahead> ahead_[kWindow];  // all zero for the empty row, which is where it belongs
  std::vector<std::vector<double>> shares_;
};

}  // namespace

OneSided OneSided::build(Shape shape, int threads, const Progress& progress, Rules rules, const Keeping* keeping) {
  const auto built = Builder(shape, threads, rules).build(progress, keeping);
  if (!built) return {};
  return OneSided(shape, built->entries, built->tails, built);
}

}  // namespace kibitz
