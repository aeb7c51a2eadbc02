#include "heuristics/tabula.hpp"

#include <random>

#include "board/plays.hpp"
#include "heuristics/tabula_replies.hpp"
#include "support/testing.hpp"

using namespace kibitz;

namespace {

// The sums over a roll's replies, one finished position after the other.
ReplySums plain_sums(const Position& position, Dice dice, const TabulaWeights& weights) {
  std::vector<Position> results;
  legal_results(position, dice, results);
  if (results.empty()) results.push_back(position.swapped());
  ReplySums sums;
  for (const Position& result : results) {
    const TabulaParts parts = tabula_parts(position, result, weights);
    sums.pips += static_cast<std::int64_t>(parts.pips);
    sums.blots += static_cast<std::int64_t>(parts.blots);
    sums.hits += static_cast<std::int64_t>(parts.hits);
    ++sums.count;
  }
  return sums;
}

}  // namespace

TEST_CASE("replies scored on the way add up to the same as finished positions") {
  std::mt19937 random(7);
  std::vector<Position> results;
  TabulaWeights weights;
  Position position = starting_position();
  for (int turn = 0; turn < 4000; ++turn) {
    weights.opponent_spaces = turn % 3 == 0;
    ReplyScorer scorer(position, weights);
    for (const Dice dice : kAllRolls) {
      const ReplySums fast = scorer.replies(dice);
      const ReplySums plain = plain_sums(position, dice, weights);
      CHECK(fast.count == plain.count);
      CHECK(fast.pips == plain.pips);
      CHECK(fast.blots == plain.blots);
      CHECK(fast.hits == plain.hits);
    }
    legal_results(position, kAllRolls[random() % kRolls], results);
    position = results.empty() ? position.swapped() : results[random() % results.size()];
    if (checkers(position.mine) == 0 || checkers(position.theirs) == 0) position = starting_position();
  }
}

TEST_CASE("the number of threads does not change a digit") {
  const auto one = tabula_analyze(starting_position(), Dice(4, 4), {}, 1);
  const auto three = tabula_analyze(starting_position(), Dice(4, 4), {}, 3);
  CHECK(one.size() == three.size());
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i].score == three[i].score);
}

TEST_CASE("a race is scored by the player's pips alone") {
  Position race;
  race.mine[5] = 2;
  race.theirs[0] = 2;
  for (const TabulaPlay& play : tabula_analyze(race, Dice(2, 1), {}, 1)) {
    CHECK(play.past);
    CHECK(play.replies == 0);
    CHECK(play.score == play.player.pips);
  }
}

TEST_CASE("many positions at once have the analyses that they have alone") {
  const std::vector<Position> positions(3, starting_position());
  const std::vector<Dice> dice = {{3, 1}, {6, 6}, {5, 2}};
  const auto analyses = tabula_analyze_many(positions, dice, {}, 2);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto alone = tabula_analyze(positions[i], dice[i], {}, 1);
    CHECK(alone.size() == analyses[i].size());
    for (std::size_t j = 0; j < alone.size(); ++j) CHECK(alone[j].score == analyses[i][j].score);
  }
}
