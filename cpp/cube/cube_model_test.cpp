#include "cube/cube_model.hpp"

#include <cmath>

#include "cube/cube_points.hpp"
#include "support/testing.hpp"

using namespace kibitz;

namespace {

bool near(double a, double b) { return std::abs(a - b) < 1e-6; }

// A table in which each point away is worth the same: made up, but its arithmetic can be done by hand.
MatchEquity even_table(int length) {
  std::vector<double> pre, post;
  for (int mine = 1; mine <= length; ++mine)
    for (int theirs = 1; theirs <= length; ++theirs) pre.push_back(static_cast<double>(theirs) / (mine + theirs));
  for (int away = 1; away <= length; ++away) post.push_back(1.0 / (1.0 + away));
  return MatchEquity(length, pre, post);
}

}  // namespace

TEST_CASE("a money game without gammons has the textbook take and cash points") {
  MatchState match;
  match.jacoby = false;
  const CubeModel model(match, nullptr);
  const Outputs even{0.5f, 0, 0, 0, 0};
  const CubePoints dead = cube_points(model, even, model.present(), 0.0);
  const CubePoints live = cube_points(model, even, model.present(), 1.0);
  CHECK(near(dead.cash_point, 0.75));
  CHECK(near(dead.double_point, 0.5));
  CHECK(near(live.cash_point, 0.8));
  CHECK(near(live.double_point, 0.8));
  CHECK(std::isnan(live.too_good_point));
}

TEST_CASE("states of a money game lead to each other at twice the stake") {
  const CubeModel model(MatchState{}, nullptr);
  const int centred = model.with_owner(CubeOwner::kCentred);
  const int mine = model.with_owner(CubeOwner::kMine);
  const int theirs = model.with_owner(CubeOwner::kTheirs);
  CHECK(model.present() == centred);
  CHECK(model.doubled(centred, 0) == theirs);
  CHECK(model.doubled(mine, 0) == theirs);
  CHECK(model.doubled(theirs, 0) == -1);
  CHECK(model.doubled(theirs, 1) == mine);
  CHECK(model.scale() == 2.0);
  CHECK(model.closure(StateMask{1} << centred) ==
        (StateMask{1} << centred | StateMask{1} << mine | StateMask{1} << theirs));
}

TEST_CASE("a match ends the ladder of cubes where both sides would win") {
  const MatchEquity table = even_table(5);
  MatchState match;
  match.my_away = 3;
  match.their_away = 5;
  const CubeModel model(match, &table);
  int state = model.present();
  state = model.doubled(state, 0);
  CHECK(model.cube_value(state) == 2);
  state = model.doubled(state, 1);
  CHECK(model.cube_value(state) == 4);
  CHECK(model.doubled(state, 0) == -1);  // four points already win the match for side 0
}

TEST_CASE("the highest cube there is cannot be turned, and wins any match") {
  const MatchEquity table = even_table(5);
  MatchState match;
  match.cube = match.max_cube = 1 << 30;
  const CubeModel money(match, nullptr);
  for (const CubeOwner owner : {CubeOwner::kCentred, CubeOwner::kMine})
    CHECK(money.doubled(money.with_owner(owner), 0) == -1);
  match.my_away = match.their_away = 5;
  const CubeModel model(match, &table);
  for (int times = 1; times <= 3; ++times) CHECK(model.win(0, 0, times) == 1.0);
}

TEST_CASE("deciding never makes a value worse, and a pass is worth the cube") {
  MatchState match;
  match.jacoby = false;
  const CubeModel model(match, nullptr);
  const StateMask mask = model.closure(StateMask{1} << model.present());
  for (int percent = 1; percent < 100; ++percent) {
    const Outputs outputs{static_cast<float>(percent / 100.0), 0, 0, 0, 0};
    StateValues before{}, after{};
    model.undecided(outputs, 0.68, 0, mask, before);
    after = before;
    model.decide(0, mask, after);
    CHECK(after[model.present()] >= before[model.present()]);
    CHECK(after[model.present()] <= 1.0 + 1e-9);
  }
}

TEST_CASE("the table knows where Crawford's rule begins and ends") {
  const MatchEquity table = even_table(5);
  CHECK(near(table.chance(1, 3, false), 0.75));
  CHECK(near(table.chance(3, 1, true), 0.25));
  CHECK(table.after_game(2, 3, 2) == 1.0);
  CHECK(table.after_game(2, 3, -3) == 0.0);
  CHECK(near(table.after_game(1, 3, -1), 1.0 - 1.0 / 3.0));
}
