#include "heuristics/shots.hpp"

#include "support/testing.hpp"

using namespace kibitz;

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
