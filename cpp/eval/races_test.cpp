#include "eval/races.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "board/dice.hpp"
#include "board/plays.hpp"
#include "support/testing.hpp"

using namespace kibitz;

namespace {

// A net that adds nothing to the guess.
std::shared_ptr<const RaceNetwork> silent_net() {
  RaceParameters net;
  net.width = 64;
  net.hidden = 16;
  net.units.resize(kRowUnits * 64);
  net.bias1.resize(64);
  net.weights2.resize(64 * 16);
  net.weights3.resize(16 * kRaceOutputs);
  net.bias2.resize(16);
  net.bias3.resize(kRaceOutputs);
  return std::make_shared<RaceNetwork>(net);
}

Position long_race() {
  Position position;
  position.mine = {0, 0, 2, 2, 3, 3, 0, 2, 1, 0, 1, 0, 1};
  position.theirs = {0, 0, 2, 2, 3, 3, 0, 2, 2, 1};
  return position;
}

}  // namespace

TEST_CASE("results of a roll are evaluated as they are one by one") {
  const Races races(silent_net());
  const Position before = long_race();
  std::vector<Position> results;
  for (const Dice dice : kAllRolls) append_legal_results(before, dice, results);
  std::vector<Outputs> together(results.size()), alone(results.size());
  races.evaluate_results(before, results, together.data());
  races.evaluate(results, alone.data());
  CHECK(together == alone);
}

TEST_CASE("a prefilter tells roughly how many turns a play saves") {
  const Races races(silent_net());
  const Position before = long_race();
  const float now = races.distribution(before.mine).mean();
  CHECK(Races::can_prefilter(before));
  for (const Dice dice : kAllRolls) {
    std::vector<Position> results;
    legal_results(before, dice, results);
    std::vector<float> turns(results.size());
    races.prefilter(before, results, turns);
    for (std::size_t i = 0; i < results.size(); ++i)
      CHECK(std::abs(turns[i] - (races.distribution(results[i].theirs).mean() - now)) < 0.3f);
  }
}

TEST_CASE("who may lose a gammon soon is not prefiltered") {
  Position position = long_race();
  position.theirs = {2, 1};
  CHECK(!Races::can_prefilter(position));
}
