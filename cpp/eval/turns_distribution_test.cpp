#include "eval/turns_distribution.hpp"

#include <algorithm>
#include <cmath>

#include "eval/network.hpp"
#include "support/testing.hpp"
#include "tables/exact.hpp"

using namespace kibitz;

static constexpr int kOne = kActivationOne * kWeightOne;

TEST_CASE("chances are powers of two beside a guess, and none is left for turns that are too few") {
  // A checker outside and fourteen home take sixteen moves: four turns at least, and one turn for the first checker.
  const Row row = Row{5, 3, 3, 1, 1, 1, 1};
  const TurnsGuess guess = TurnsGuess::of(row);
  std::int32_t logits[kAllTurns + kFirstTurns];
  for (int i = 0; i < kAllTurns + kFirstTurns; ++i) logits[i] = -i * kOne / 4;
  const TurnsDistribution distribution = TurnsDistribution::of_logits(row, logits);
  const auto weight = [](int i, float mean, float steepness) {
    const double distance = i + 1 - mean;
    return std::exp2(-i / 4.0 - steepness * distance * distance);
  };
  const auto all = [&](int i) { return weight(i, guess.mean, guess.steepness); };
  const auto first = [&](int i) { return weight(i, guess.first_mean, guess.first_steepness); };
  for (int i = 0; i < 3; ++i) CHECK(distribution.all[i] == 0.0f);
  for (int i = 3; i < kAllTurns; ++i)
    CHECK(std::abs(distribution.all[i] * all(3) - all(i) * distribution.all[3]) < 1e-6);
  for (int i = 0; i < kFirstTurns; ++i)
    CHECK(std::abs(distribution.first[i] * first(0) - first(i) * distribution.first[0]) < 1e-6);
}

TEST_CASE("logits as large as they come do no harm") {
  const Row row = Row{0, 0, 0, 0, 0, 0, 1};
  std::int32_t logits[kAllTurns + kFirstTurns];
  for (int i = 0; i < kAllTurns + kFirstTurns; ++i) logits[i] = i % 2 ? 2147483647 : -2147483647;
  const TurnsDistribution distribution = TurnsDistribution::of_logits(row, logits);
  float most = 0.0f;
  for (int i = 0; i < kAllTurns; ++i) {
    CHECK(distribution.all[i] >= 0.0f && (i % 2 || distribution.all[i] == 0.0f));
    most = std::max(most, distribution.all[i]);
  }
  CHECK(most == 1.0f);
}

TEST_CASE("two sides at home win as the exact tables say") {
  const ExactTables& tables = ExactTables::shared();
  const Row rows[] = {Row{3, 2, 2, 3, 2, 3}, Row{0, 0, 4, 5, 3, 3}, Row{2, 1, 0, 1}};
  for (const Row& mine : rows)
    for (const Row& theirs : rows) {
      const Outputs outputs =
          Racer(TurnsDistribution::of_home_row(mine)).against(TurnsDistribution::of_home_row(theirs));
      const OneSided& table = tables.one_sided();
      const auto [a, b] = std::pair{table.number(mine), table.number(theirs)};
      CHECK(std::abs(outputs.win - chance_to_be_first(table.turns(a), table.turns(b))) < 1e-6);
      CHECK(std::abs(outputs.win_gammon - chance_to_be_first(table.turns(a), table.first_turns(b))) < 1e-6);
      CHECK(std::abs(outputs.lose_gammon - (1 - chance_to_be_first(table.first_turns(a), table.turns(b)))) < 1e-6);
    }
}

TEST_CASE("means are those of the table") {
  const OneSided& table = ExactTables::shared().one_sided();
  const Row row = Row{3, 2, 2, 3, 2, 3};
  const TurnsDistribution distribution = TurnsDistribution::of_home_row(row);
  CHECK(std::abs(distribution.mean() - table.mean(table.number(row))) < 1e-5);
  CHECK(std::abs(distribution.mean_to_first() - table.first_mean(table.number(row))) < 1e-5);
}

TEST_CASE("a first turn that is known replaces the one that was guessed") {
  TurnsDistribution distribution = TurnsDistribution::of_home_row(Row{15});
  distribution.first[0] = 0.5f, distribution.first[1] = 0.3f, distribution.first[2] = 0.2f;
  distribution.set_first_turn(0.75);
  CHECK(distribution.first[0] == 0.75f);
  CHECK(std::abs(distribution.first[1] - 0.15f) < 1e-6f);
  CHECK(std::abs(distribution.first[2] - 0.10f) < 1e-6f);
  distribution.set_first_turn(1.0);
  CHECK(distribution.mean_to_first() == 1.0f);
  distribution.set_first_turn(0.0);
  CHECK(distribution.first[0] == 0.0f);
  CHECK(distribution.first[1] == 1.0f);
}
