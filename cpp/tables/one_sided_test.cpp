#include "tables/one_sided.hpp"

#include <chrono>
#include <cstdio>

#include "board/dice.hpp"
#include "board/game_over.hpp"
#include "support/testing.hpp"
#include "tables/exact.hpp"

using namespace kibitz;
using kibitz::testing::near;

TEST_CASE("row numbers have no gaps, and moving forward lowers them") {
  for (const Shape shape : {Shape{6, 15}, Shape{11, 4}, Shape{25, 3}, Shape{1, 3}}) {
    const RowNumbers numbers(shape);
    for (std::uint32_t number = 0; number < numbers.size(); ++number) {
      Row row{};
      numbers.row(number, row.data());
      CHECK(numbers.number(row.data()) == number);
      for (int slot = 0; slot < shape.points; ++slot) {
        if (row[slot] == 0) continue;
        Row moved = row;
        --moved[slot];
        CHECK(numbers.number(moved.data()) < number);
        if (slot == 0) continue;
        ++moved[slot - 1];
        CHECK(numbers.number(moved.data()) < number);
      }
    }
  }
}

TEST_CASE("known effective pip counts and turns") {
  const OneSided& table = ExactTables::shared().one_sided();
  CHECK(table.size() == 54264);
  CHECK(near(table.mean(table.number(Row{7})), 3.5509259259, 1e-9));
  CHECK(near(table.mean(table.number(Row{13})) * 49 / 6, 50.0000036, 1e-7));
  CHECK(near(table.mean(table.number(Row{0, 1, 1, 2, 1})), 3.089730, 1e-6));
}

TEST_CASE("means are those of the distributions") {
  const OneSided& table = ExactTables::shared().one_sided();
  for (std::uint32_t number = 0; number < table.size(); ++number) {
    CHECK(near(table.turns(number).mean(), table.mean(number), 1e-11));
    CHECK(near(table.first_turns(number).mean(), table.first_mean(number), 1e-11));
  }
}

TEST_CASE("a table does not depend on the number of threads, and a smaller one is its beginning") {
  const OneSided one = OneSided::build({6, 8}, 1);
  const OneSided three = OneSided::build({6, 8}, 3);
  const OneSided& large = ExactTables::shared().one_sided();
  CHECK(std::equal(one.tails().begin(), one.tails().end(), three.tails().begin(), three.tails().end()));
  for (std::uint32_t number = 0; number < one.size(); ++number) {
    CHECK(one.mean(number) == large.mean(number));
    CHECK(one.mean(number) == three.mean(number));
    CHECK(one.entries()[number].all.offset == three.entries()[number].all.offset);
  }
}

TEST_CASE("finished games are won and lost by as much as the position says") {
  Position position;
  position.theirs[0] = 14;
  CHECK(outcome(position) == 1);
  position.theirs[0] = 15;
  CHECK(outcome(position) == 2);
  position.theirs[17] = 1;
  position.theirs[0] = 14;
  CHECK(outcome(position) == 2);
  position.theirs[18] = 1;
  position.theirs[17] = 0;
  CHECK(outcome(position) == 3);
  CHECK(outcome(position.swapped()) == -3);
  position.theirs[18] = 0;
  position.theirs[kBar] = 1;
  CHECK(outcome(position) == 3);
  position.theirs[kBar] = 0;
  CHECK(outcome(position) == 1);
  CHECK(outcome(position, 14) == 2);
  Outputs outputs;
  CHECK(ExactTables::shared().evaluate(position.swapped(), outputs, 14));
  CHECK((outputs == Outputs{0, 0, 0, 1, 0}));
}

TEST_CASE("bearing off against fifteen checkers counts the gammons") {
  Position position;
  position.mine[0] = 2;
  position.theirs[5] = 15;
  Outputs outputs;
  CHECK(ExactTables::shared().evaluate(position, outputs));
  CHECK(outputs.win == 1 && outputs.win_gammon == 1 && outputs.win_backgammon == 0);
  CHECK(ExactTables::shared().evaluate(position.swapped(), outputs));
  // A six, 5-1, 4-2, 3-3 and 2-2 bear one off first: 17 rolls. Everything else loses a gammon.
  CHECK(near(outputs.win, 0, 1e-7));
  CHECK(near(outputs.lose_gammon, 19.0 / 36, 1e-7));
}

TEST_CASE("the chance to be first is the sum over both distributions") {
  const OneSided& table = ExactTables::shared().one_sided();
  for (std::uint32_t one = 0; one < table.size(); one += 977) {
    for (std::uint32_t other = 0; other < table.size(); other += 1013) {
      const Turns mine = table.turns(one);
      const Turns theirs = table.turns(other);
      double chance = 0;
      for (int m = mine.least; m <= mine.most; ++m)
        for (int n = std::max(m, theirs.least); n <= theirs.most; ++n)
          chance += mine.probability(m) * theirs.probability(n);
      CHECK(near(chance_to_be_first(mine, theirs), chance, 1e-12));
    }
  }
}

TEST_CASE("who leaves the opponent's home board may use any number that is large enough") {
  const OneSided& table = ExactTables::shared().leaving();
  // One checker leaves by every roll from the three points next to the outfield, and from the last by six pips or more.
  CHECK(near(table.mean(table.number(Row{0, 0, 1})), 1.0));
  int stays = 0;
  for (const Dice dice : kAllRolls)
    stays += (dice.is_double() ? 4 * dice.high : dice.high + dice.low) < 6 ? dice.weight() : 0;
  CHECK(near(table.turns(table.number(Row{0, 0, 0, 0, 0, 1})).tail(1), stays / 36.0));
  // A four takes out one of the front ones, which could not be borne off by it while another is behind.
  const std::uint32_t four = table.number(Row{3, 0, 0, 0, 1});
  CHECK(table.mean(four) < ExactTables::shared().one_sided().mean(four) - 0.01);
}

TEST_CASE("a damaged distribution that points beyond the table has no tails") {
  // As in a file that was opened without a look at all of it.
  const OneSided whole = OneSided::build({2, 2});
  std::vector<OneSided::Entry> entries(whole.entries().begin(), whole.entries().end());
  const std::uint32_t row = whole.number(Row{1, 1});
  const auto kept = static_cast<std::uint32_t>(whole.tails().size());
  for (const std::uint32_t offset : {kept, kept - 1, 0xffffffffu}) {
    entries[row].all = {offset, 1, 9, 200, 0};
    const Turns turns = OneSided({2, 2}, entries, whole.tails(), nullptr).turns(row);
    CHECK(turns.stored == 0);
    CHECK(near(turns.mean(), 1.0));
    CHECK(near(chance_to_be_first(turns, whole.turns(row)), 1.0));
  }
}
