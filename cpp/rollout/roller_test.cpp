#include "rollout/roller.hpp"

#include <cmath>
#include <set>

#include "eval/mock_evaluator.hpp"
#include "support/testing.hpp"

namespace kibitz {
namespace {

Roller make(RolloutSettings settings, const MatchState& match = {}, const MatchEquity* table = nullptr) {
  const auto evaluator = std::make_shared<const MockEvaluator>();
  return Roller({evaluator, evaluator}, nullptr, match, table, settings,
                {{starting_position(), 0, false, true}, {starting_position(), 0, true, true}});
}

TEST_CASE("stratified dice show every pair of first rolls once in 1,296 games") {
  const DiceStream dice(5, true);
  std::set<int> pairs;
  for (int game = 0; game < 1296; ++game) pairs.insert(36 * dice.face(game, 0) + dice.face(game, 1));
  CHECK(pairs.size() == 1296);
}

TEST_CASE("an unlimited money game has three cube states, a match as many as its cubes mean something") {
  CHECK(reachable_cube_states({}, nullptr, {}).size() == 3);
  const std::vector<CubeState> states = reachable_cube_states({}, nullptr, {});
  CHECK(states[0].doubled[0] == 1 && states[0].doubled[1] == 2);
  CHECK(states[1].doubled[0] == -1 && states[1].doubled[1] == 2);
  CHECK(states[1].model(1).match().owner == CubeOwner::kMine);
  const MatchEquity even(3, std::vector<double>(9, 0.5), std::vector<double>(3, 0.3));
  MatchState match;
  match.my_away = match.their_away = 2;
  match.jacoby = false;
  const std::vector<CubeState> short_match = reachable_cube_states(match, &even, {});
  CHECK(short_match.size() == 3);
  CHECK(!short_match[0].is_dead() && short_match[1].is_dead() && short_match[2].is_dead());
  match.crawford = true;
  CHECK(reachable_cube_states(match, &even, {}).size() == 1);
}

TEST_CASE("each side chooses its plays for the cube or not, and the cube is there for both") {
  const std::vector<CubeState> states = reachable_cube_states({}, nullptr, {}, {true, false});
  for (const CubeState& state : states) {
    CHECK(state.choosing(0).settings().cubeful && !state.choosing(1).settings().cubeful);
    CHECK(state.leaf(0).settings().cubeful && state.leaf(1).settings().cubeful);
  }
  CHECK(!reachable_cube_states({}, nullptr, {.cubeful = false}, {true, true})[0].choosing(0).settings().cubeful);
}

TEST_CASE("a game is the same in every range and beside every other candidate") {
  RolloutSettings settings;
  settings.truncate = 12;
  const Roller roller = make(settings);
  std::vector<std::int64_t> whole(20 * 2 * kQuantities), part(5 * 2 * kQuantities), given(part);
  std::vector<GameEvents> events(20 * 2);
  CHECK(roller.play(100, 20, {}, whole, events, nullptr));
  const Roller again = make(settings);
  CHECK(again.play(107, 5, {}, part, events, nullptr));
  CHECK(std::equal(part.begin(), part.end(), whole.begin() + 7 * 2 * kQuantities));
  // The same rolls, handed over.
  const DiceStream dice(settings.seed, settings.stratified);
  std::vector<std::uint8_t> faces;
  for (std::uint64_t game = 107; game < 112; ++game)
    for (int turn = 0; turn < kLongestGame; ++turn) faces.push_back(static_cast<std::uint8_t>(dice.face(game, turn)));
  CHECK(again.play(107, 5, faces, given, events, nullptr));
  CHECK(given == part);
}

TEST_CASE("luck changes the games' values but not their mean over a turn's rolls") {
  RolloutSettings settings;
  settings.truncate = 1;
  settings.cubeful = false;
  settings.luck_replies = 1;
  for (SideSettings& side : settings.sides) side.shortlist = 1;
  std::array<double, 2> means{};
  for (const bool luck : {false, true}) {
    settings.variance_reduction = luck;
    const Roller roller = make(settings);
    std::vector<std::int64_t> values(36 * 2 * kQuantities);
    std::vector<GameEvents> events(36 * 2);
    CHECK(roller.play(0, 36, {}, values, events, nullptr));
    for (int game = 0; game < 36; ++game)
      means[luck] += std::ldexp(static_cast<double>(values[game * 2 * kQuantities + 5]), -kValueShift) / 36;
  }
  CHECK(std::abs(means[0] - means[1]) < 1e-6);
}

TEST_CASE("a cancelled rollout says so") {
  const std::atomic<bool> cancelled{true};
  std::vector<std::int64_t> values(2 * kQuantities);
  std::vector<GameEvents> events(2);
  CHECK(!make({}).play(0, 1, {}, values, events, &cancelled));
}

}  // namespace
}  // namespace kibitz
