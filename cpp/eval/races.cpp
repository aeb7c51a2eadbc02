#include "eval/races.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "tables/exact.hpp"
#include "tables/gammon_race.hpp"

namespace kibitz {
namespace {

bool is_home(const Row& row) { return rearmost(row) < kHome; }

// Where one side bears off its last checkers soon and the other runs from a gammon, the next roll decides: how many of
// them save it is counted, and not left to the net.
bool next_roll_decides(const Row& row, const Row& other) {
  constexpr int kNearTheEnd = 4;  // checkers that may be gone in a turn
  return checkers(other) <= kNearTheEnd && is_home(other) && !is_home(row) && checkers(row) == kCheckers;
}

Turns turns_at_home(const Row& row) { return ExactTables::shared().one_sided().turns(kHomeRows.number(row.data())); }

Turns turns_to_leave(const Row& row) {
  const OneSided& table = ExactTables::shared().leaving();
  return table.turns(kHomeRows.number(row.data() + kPoints - kHome));
}

// Who has a checker in the other's home board while that one is home, as there is no contact, may lose a backgammon.
void add_backgammons(const Position& position, Outputs& outputs) {
  const auto is_caught = [](const Row& row) { return rearmost(row) >= kPoints - kHome && checkers(row) == kCheckers; };
  if (is_caught(position.theirs))
    outputs.win_backgammon =
        static_cast<float>(chance_to_be_first(turns_at_home(position.mine), turns_to_leave(position.theirs)));
  if (is_caught(position.mine))
    outputs.lose_backgammon =
        static_cast<float>(1.0 - chance_to_be_first(turns_to_leave(position.mine), turns_at_home(position.theirs)));
}

Outputs outputs_of(const Position& position, const Racer& mine, TurnsDistribution& theirs) {
  if (next_roll_decides(position.theirs, position.mine)) theirs.set_first_turn(chance_to_bear_off(position.theirs));
  Outputs outputs = mine.against(theirs);
  add_backgammons(position, outputs);
  return outputs;
}

}  // namespace

TurnsDistribution Races::distribution(const Row& row) const {
  if (is_home(row)) return TurnsDistribution::of_home_row(row);
  TurnsDistribution distribution;
  network_->distributions({&row, 1}, &distribution);
  return distribution;
}

void Races::evaluate(std::span<const Position> positions, Outputs* outputs) const {
  constexpr std::size_t kTogether = 16;
  Row outside[2 * kTogether];
  TurnsDistribution distributions[2 * kTogether];
  for (std::size_t start = 0; start < positions.size(); start += kTogether) {
    const auto some = positions.subspan(start, std::min(kTogether, positions.size() - start));
    std::size_t count = 0;
    for (const Position& position : some)
      for (const Row* row : {&position.mine, &position.theirs})
        if (!is_home(*row)) outside[count++] = *row;
    network_->distributions({outside, count}, distributions);
    const TurnsDistribution* next = distributions;
    const auto distribution_of = [&](const Row& row) {
      return is_home(row) ? TurnsDistribution::of_home_row(row) : *next++;
    };
    for (const Position& position : some) {
      TurnsDistribution mine = distribution_of(position.mine);
      TurnsDistribution theirs = distribution_of(position.theirs);
      if (next_roll_decides(position.mine, position.theirs)) mine.set_first_turn(chance_to_bear_off(position.mine));
      *outputs++ = outputs_of(position, Racer(mine), theirs);
    }
  }
}

void Races::evaluate_results(const Position& before, std::span<const Position> results, Outputs* outputs) const {
  if (results.empty()) return;
  thread_local std::vector<Position> outside;
  thread_local std::vector<TurnsDistribution> distributions;
  outside.clear();
  for (const Position& result : results)
    if (!is_home(result.theirs)) outside.push_back(result);
  if (distributions.size() < outside.size()) distributions.resize(outside.size());
  network_->distributions_of_results(before, outside, distributions.data());
  TurnsDistribution mine = distribution(results[0].mine);
  const Racer racer(mine);
  std::optional<Racer> counted;  // the same where the next roll decides
  auto next = distributions.begin();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Position& result = results[i];
    const bool decided = next_roll_decides(result.mine, result.theirs);
    if (decided && !counted) {
      mine.set_first_turn(chance_to_bear_off(result.mine));
      counted.emplace(mine);
    }
    TurnsDistribution theirs = is_home(result.theirs) ? TurnsDistribution::of_home_row(result.theirs) : *next++;
    outputs[i] = outputs_of(result, decided ? *counted : racer, theirs);
  }
}

void Races::prefilter(const Position& before, std::span<const Position> results, std::span<float> turns) const {
  const Row& row = before.mine;
  // Any row has as many checkers as before: what a slot gains or loses comes from a home point or goes there.
  int stock = kHome - 1;
  for (int slot = 0; slot < kHome; ++slot)
    if (row[slot] > row[stock]) stock = slot;
  if (row[stock] == 0) stock = rearmost(row);
  Row tried[2 * kSlots + 1];
  int count = 0;
  const auto moved = [&](int from, int to) {
    Row& other = tried[count++] = row;
    --other[from];
    ++other[to];
  };
  const int rear = rearmost(row);
  tried[count++] = row;
  for (int slot = 0; slot < rear; ++slot) moved(stock, slot);
  for (int slot = 0; slot <= rear; ++slot)
    if (row[slot] > 0) moved(slot, stock);
  float means[2 * kSlots + 1];
  mean_turns({tried, static_cast<std::size_t>(count)}, means);
  float more[kSlots] = {}, less[kSlots] = {};
  const float* next = means + 1;
  for (int slot = 0; slot < rear; ++slot) more[slot] = *next++ - means[0];
  for (int slot = 0; slot <= rear; ++slot)
    if (row[slot] > 0) less[slot] = *next++ - means[0];
  // One table of prices by count for each slot, so that a result is a sum.
  float prices[kSlots][kCheckers + 1];
  for (int slot = 0; slot < kSlots; ++slot)
    for (int now = 0; now <= kCheckers; ++now) {
      const int difference = now - row[slot];
      prices[slot][now] = static_cast<float>(difference) * (difference > 0 ? more[slot] : -less[slot]);
    }
  constexpr float kCheckerOff = -0.46f;  // about two are borne off in a turn
  const int had = checkers(row);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Row& now = results[i].theirs;
    float sum = kCheckerOff * static_cast<float>(had - checkers(now));
    for (int slot = 0; slot <= rear; ++slot) sum += prices[slot][now[slot]];
    turns[i] = sum;
  }
}

void Races::mean_turns(std::span<const Row> rows, float* means) const {
  Row outside[2 * kSlots + 1];
  TurnsDistribution distributions[2 * kSlots + 1];
  std::size_t count = 0;
  for (const Row& row : rows)
    if (!is_home(row)) outside[count++] = row;
  network_->distributions({outside, count}, distributions);
  const OneSided& table = ExactTables::shared().one_sided();
  const TurnsDistribution* next = distributions;
  for (const Row& row : rows)
    *means++ = is_home(row) ? static_cast<float>(table.mean(kHomeRows.number(row.data()))) : (next++)->mean();
}

}  // namespace kibitz
