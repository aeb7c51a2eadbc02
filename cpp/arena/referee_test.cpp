#include "arena/referee.hpp"

#include <cmath>

#include "arena/arena_dice.hpp"
#include "eval/mock_evaluator.hpp"
#include "support/testing.hpp"

namespace kibitz {
namespace {

ContestantMaker mock_engine(bool cubeful) {
  EngineSettings settings;
  settings.evaluator = std::make_shared<MockEvaluator>();
  settings.rank.tree.leaf.cubeful = cubeful;
  return engine_maker(settings);
}

std::vector<std::uint64_t> numbers(std::uint64_t count) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(i);
  return all;
}

}  // namespace

TEST_CASE("the dice of a pair are fair, and the same whenever they are asked for") {
  int faces[7] = {};
  for (std::uint64_t pair = 0; pair < 100; ++pair) {
    const ArenaDice dice(7, pair, 3);
    for (std::uint64_t turn = 1; turn <= 60; ++turn) {
      CHECK(dice.roll(turn) == ArenaDice(7, pair, 3).roll(turn));
      ++faces[dice.roll(turn).high];
      ++faces[dice.roll(turn).low];
    }
    const auto [first, second] = dice.opening();
    CHECK(first != second);
  }
  for (int face = 1; face <= 6; ++face) CHECK(std::abs(faces[face] - 2000) < 200);
}

TEST_CASE("the two seatings of a player against itself cancel exactly, on any number of threads") {
  for (const bool cube : {false, true}) {
    ArenaSettings settings;
    settings.rules.cube = cube;
    settings.luck_evaluator = std::make_shared<MockEvaluator>();
    const auto maker = mock_engine(cube);
    const auto alone = play_pairs(maker, maker, settings, 5, numbers(20), 1);
    const auto shared = play_pairs(maker, maker, settings, 5, numbers(20), 3);
    for (std::size_t i = 0; i < alone.size(); ++i) {
      CHECK(alone[i][0].finished);
      CHECK(alone[i][0].result == alone[i][1].result);  // each of seat 0, which changes hands
      CHECK(alone[i][0].luck == alone[i][1].luck);
      CHECK(alone[i][0].luck == shared[i][0].luck);
      CHECK(alone[i][0].result == shared[i][0].result);
    }
  }
}

TEST_CASE("luck has the mean nought over all rolls") {
  const MockEvaluator evaluator;
  LuckMeter meter(evaluator, 1);
  const CubeModel model(MatchState{}, nullptr);
  double total = 0;
  for (const Dice& dice : kAllRolls) total += dice.weight() * meter.luck(starting_position(), dice, model, 0, true);
  CHECK(std::abs(total) < 1e-9);
}

TEST_CASE("without the cube nobody doubles, and gammons count") {
  ArenaSettings settings;
  settings.rules.cube = false;
  Factors weights{};
  weights[kHitsMade] = weights[kPointsMade] = 0.3;
  const auto pairs = play_pairs(random_maker(), ten_factor_maker(weights), settings, 1, numbers(40), 2);
  bool gammons = false;
  for (const PairResult& pair : pairs)
    for (const SessionResult& session : pair) {
      CHECK(session.doubles == 0 && session.cube == 1);
      gammons = gammons || std::abs(session.result) > 1;
    }
  CHECK(gammons);
}

}  // namespace kibitz
