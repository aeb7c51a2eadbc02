#include "heuristics/shots.hpp"

#include <random>
#include <vector>

#include "board/plays.hpp"
#include "support/testing.hpp"

using namespace kibitz;

namespace {

Position random_position(std::mt19937& random) {
  Position position;
  const auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  const int mine = 1 + below(15);
  const int theirs = 1 + below(15);
  const int mine_from = below(3) ? kPoints : kHome + 4;
  for (int i = 0; i < mine; ++i) ++position.mine[below(12) ? below(mine_from) : kBar];
  for (int i = 0; i < theirs; ++i) {
    const int point = below(16) ? below(kPoints) : kBar;
    if (point == kBar || position.mine[mirrored(point)] == 0) ++position.theirs[point];
  }
  return position;
}

PointMask plainly_hit(const Position& position, Dice dice) {
  std::vector<Position> results;
  legal_results(position, dice, results);
  PointMask hit = 0;
  for (const Position& result : results)
    for (int point = 0; point < kPoints; ++point)
      if (position.theirs[mirrored(point)] == 1 && result.mine[mirrored(point)] == 0) hit |= PointMask{1} << point;
  return hit;
}

}  // namespace

TEST_CASE("shots are those that the move generator finds") {
  std::mt19937 random(5);
  for (int i = 0; i < 20000; ++i) {
    const Position position = random_position(random);
    for (const Dice dice : kAllRolls) CHECK(blots_hit(position, dice) == plainly_hit(position, dice));
  }
}

TEST_CASE("a direct six away from one checker is hit by 17 rolls") {
  Position position;
  position.mine[23] = 2;  // a checker on my 24 point
  position.mine[5] = 13;
  position.theirs[mirrored(17)] = 1;  // a blot six pips away
  position.theirs[0] = 0;
  position.theirs[23] = 14;
  CHECK(count_shots(position).rolls[17] == 17);
  CHECK(count_shots(position).any == 17);
}
