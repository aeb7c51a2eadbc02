#include "tables/hypergammon.hpp"

#include <algorithm>
#include <cmath>

#include "board/plays.hpp"
#include "support/testing.hpp"

using namespace kibitz;

TEST_CASE("an index is the number of my row, then of theirs") {
  const Hypergammon table = Hypergammon::build(2);
  const RowNumbers& numbers = table.numbers();
  for (std::uint32_t mine = 0; mine < numbers.size(); ++mine) {
    Position position;
    numbers.row(mine, position.mine.data());
    numbers.row(numbers.size() - 1 - mine, position.theirs.data());
    CHECK(table.index(position) == static_cast<std::size_t>(mine) * numbers.size() + numbers.size() - 1 - mine);
  }
}

TEST_CASE("hypergammon is solved: every equity is the best over the legal plays, one roll ahead") {
  const Hypergammon table = Hypergammon::build(2);
  const RowNumbers& numbers = table.numbers();
  std::vector<Position> results;
  for (std::uint32_t mine = 1; mine < numbers.size(); mine += 5) {
    for (std::uint32_t theirs = 1; theirs < numbers.size(); theirs += 7) {
      Position position;
      numbers.row(mine, position.mine.data());
      numbers.row(theirs, position.theirs.data());
      if (!table.holds(position)) continue;
      double cubeless = 0, unavailable = 0, centred = 0;
      for (const Dice dice : kAllRolls) {
        legal_results(position, dice, results);
        if (results.empty()) results.push_back(position.swapped());
        float best[3] = {-9, -9, -9};
        for (const Position& result : results) {
          const Hypergammon::Equities& after = table.equities(table.index(result));
          best[0] = std::max(best[0], -after.cubeless);
          best[1] = std::max(best[1], -after.owned);
          best[2] = std::max(best[2], -after.centred);
        }
        cubeless += dice.weight() * best[0] / 36.0;
        unavailable += dice.weight() * best[1] / 36.0;
        centred += dice.weight() * best[2] / 36.0;
      }
      const Hypergammon::Equities& found = table.equities(table.index(position));
      const Outputs outputs = table.outputs(table.index(position));
      CHECK(std::abs(found.cubeless - cubeless) < 1e-6);
      CHECK(std::abs(found.unavailable - unavailable) < 1e-6);
      CHECK(std::abs(found.centred - std::max(centred, std::min(2 * unavailable, 1.0))) < 1e-6);
      CHECK(std::abs(found.cubeless - outputs.equity()) < 2e-6);
    }
  }
}
