#include "board/validity.hpp"

#include "support/testing.hpp"

using namespace kibitz;

TEST_CASE("the start is valid, an empty board, a shared point and a sixteenth checker are not") {
  CHECK(is_valid(starting_position()));
  CHECK(!is_valid(Position{}));
  Position shared = starting_position();
  --shared.mine[5];
  ++shared.mine[18];  // the opponent's 6 point
  CHECK(!is_valid(shared));
  Position many = starting_position();
  ++many.mine[5];
  CHECK(!is_valid(many));
}

TEST_CASE("both sides on the bar against closed boards is a position that nobody can leave") {
  Position stuck;
  for (Row* row : {&stuck.mine, &stuck.theirs}) {
    for (int point = 0; point < kHome; ++point) (*row)[point] = 2;
    (*row)[kBar] = 1;
  }
  CHECK(!is_valid(stuck));
  --stuck.mine[0];
  CHECK(is_valid(stuck));
}
