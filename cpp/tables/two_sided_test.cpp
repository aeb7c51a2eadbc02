#include "tables/two_sided.hpp"

#include <algorithm>

#include "board/plays.hpp"
#include "support/testing.hpp"
#include "tables/exact.hpp"

using namespace kibitz;
using kibitz::testing::near;

TEST_CASE("two rolls against one: no double, and a take that may be beavered") {
  Position position;
  position.mine[0] = 4;
  position.theirs[0] = 2;
  const TwoSidedCube cube = ExactTables::shared().two_sided().cube(position);
  CHECK(near(cube.win, 1.0 / 6, 1e-8));
  CHECK(near(cube.no_double, -2.0 / 3, 1e-8));
  CHECK(near(cube.double_take, -4.0 / 3, 1e-8));
}

TEST_CASE("every equity is the best over the legal plays, one roll ahead") {
  const TwoSided& table = ExactTables::shared().two_sided();
  const std::uint32_t rows = table.numbers().size();
  std::vector<Position> results;
  for (std::uint32_t mine = 1; mine < rows; mine += 53) {
    for (std::uint32_t theirs = 1; theirs < rows; theirs += 47) {
      Position position;
      table.numbers().row(mine, position.mine.data());
      table.numbers().row(theirs, position.theirs.data());
      double cubeless = 0, centred = 0, owned = 0, unavailable = 0;
      for (const Dice dice : kAllRolls) {
        legal_results(position, dice, results);
        double best[4] = {-1, -1, -1, -1};
        for (const Position& result : results) {
          const TwoSidedEquities after = table.equities(result);
          best[0] = std::max(best[0], -after.cubeless);
          best[1] = std::max(best[1], -after.centred);
          best[2] = std::max(best[2], -after.unavailable);
          best[3] = std::max(best[3], -after.owned);
        }
        cubeless += dice.weight() * best[0] / 36;
        centred += dice.weight() * best[1] / 36;
        owned += dice.weight() * best[2] / 36;
        unavailable += dice.weight() * best[3] / 36;
      }
      const TwoSidedEquities found = table.equities(position);
      CHECK(near(found.cubeless, cubeless, 1e-8));
      CHECK(near(found.unavailable, unavailable, 1e-8));
      CHECK(near(found.centred, std::max(centred, std::min(2 * unavailable, 1.0)), 1e-8));
      CHECK(near(found.owned, std::max(owned, std::min(2 * unavailable, 1.0)), 1e-8));
    }
  }
}

TEST_CASE("a two-sided table does not depend on the number of threads") {
  const TwoSided one = TwoSided::build({7, 3}, 1);
  const TwoSided four = TwoSided::build({7, 3}, 4);
  CHECK(
      std::equal(one.entries().begin(), one.entries().end(), four.entries().begin(), [](const auto& a, const auto& b) {
        return a.cubeless == b.cubeless && a.centred == b.centred && a.owned == b.owned &&
               a.unavailable == b.unavailable;
      }));
}
