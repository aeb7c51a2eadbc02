#include "selfplay/race_teacher.hpp"

#include <algorithm>

#include "board/plays.hpp"
#include "tables/exact.hpp"

namespace kibitz {
namespace {

// Adds a distribution one turn later; what comes after the last turn that is told apart counts as that.
void add_later(const float* distribution, int turns, double weight, float* target) {
  double sum = 0;
  for (int i = 0; i < turns; ++i) sum += distribution[i];
  const double factor = weight / sum;
  for (int i = 0; i < turns; ++i) target[std::min(i + 1, turns - 1)] += static_cast<float>(factor * distribution[i]);
}

}  // namespace

void RaceTeacher::reach(const Row& row) {
  Position position;
  position.mine = row;
  results_.clear();
  for (int roll = 0; roll < kRolls; ++roll) {
    starts_[roll] = static_cast<int>(results_.size());
    append_legal_results(position, kAllRolls[roll], results_);
    if (starts_[roll] == static_cast<int>(results_.size())) results_.push_back(position.swapped());
  }
  starts_[kRolls] = static_cast<int>(results_.size());
  distributions_.resize(results_.size());
  network_->distributions_of_results(position, results_, distributions_.data());

  const OneSided& table = ExactTables::shared().one_sided();
  const int count = checkers(row);
  reached_.resize(results_.size());
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const Row& after = results_[i].theirs;
    if (rearmost(after) < kHome) {
      const std::uint32_t number = kHomeRows.number(after.data());
      distributions_[i] = TurnsDistribution::of_home_row(after);
      reached_[i] = {static_cast<float>(table.mean(number)), static_cast<float>(table.first_mean(number))};
    } else {
      reached_[i] = {distributions_[i].mean(), distributions_[i].mean_to_first()};
    }
    if (checkers(after) < count) reached_[i].mean_to_first = 0;
  }
}

std::size_t RaceTeacher::best(int roll, float Reached::* mean) const {
  const auto best = std::min_element(reached_.begin() + starts_[roll], reached_.begin() + starts_[roll + 1],
                                     [mean](const Reached& a, const Reached& b) { return a.*mean < b.*mean; });
  return static_cast<std::size_t>(best - reached_.begin());
}

Row RaceTeacher::next(bool has_all) {
  const int roll = [&] {
    int number = static_cast<int>(random_() % 36);
    int found = 0;
    while ((number -= kAllRolls[found].weight()) >= 0) ++found;
    return found;
  }();
  const auto kind = random_() % 10;
  if (kind < 2) return results_[starts_[roll] + random_() % (starts_[roll + 1] - starts_[roll])].theirs;
  return results_[best(roll, kind < 4 && has_all ? &Reached::mean_to_first : &Reached::mean)].theirs;
}

void RaceTeacher::teach(std::span<Row> rows, float* targets) {
  for (Row& row : rows) {
    std::fill_n(targets, kRaceOutputs, 0.0f);
    reach(row);
    const bool has_all = checkers(row) == kCheckers;
    float* to_first = targets + kAllTurns;
    for (int roll = 0; roll < kRolls; ++roll) {
      const double weight = kAllRolls[roll].weight() / 36.0;
      const std::size_t all = best(roll, &Reached::mean);
      if (reached_[all].mean == 0) {
        targets[0] += static_cast<float>(weight);
      } else {
        add_later(distributions_[all].all, kAllTurns, weight, targets);
      }
      if (!has_all) continue;
      const std::size_t first = best(roll, &Reached::mean_to_first);
      if (reached_[first].mean_to_first == 0) {
        to_first[0] += static_cast<float>(weight);
      } else {
        add_later(distributions_[first].first, kFirstTurns, weight, to_first);
      }
    }
    row = next(has_all);
    targets += kRaceOutputs;
  }
}

}  // namespace kibitz
