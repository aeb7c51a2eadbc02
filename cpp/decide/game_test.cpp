#include "decide/game.hpp"

#include <string>

#include "board/game_over.hpp"
#include "board/plays.hpp"
#include "support/testing.hpp"

using namespace kibitz;

namespace {

// Both sides make the first legal play of the same roll; side 1 doubles at its first chance. What happens is written
// down.
class Script : public GamePlayers, public GameObserver {
 public:
  bool taking = true;
  int longest = 1000;
  std::string log;

  bool doubles(const GameState& state) override { return state.on_roll == 1 && state.turn < 2; }
  bool takes(const GameState&) override { return taking; }
  Dice roll(const GameState&) override { return Dice(6, 5); }
  Position play(const GameState& state, Dice dice) override {
    std::vector<Position> results;
    legal_results(state.position, dice, results);
    return results.empty() ? state.position.swapped() : results.front();
  }

  bool goes_on(const GameState& state) override { return state.turn < longest; }
  void doubled(const GameState&, bool taken) override { log += taken ? "T" : "P"; }
  void rolled(const GameState& state, Dice) override { log += state.on_roll == 0 ? "a" : "b"; }
  void played(const GameState& state, Dice, const Position& result) override {
    if (is_over(result)) log += state.on_roll == 0 ? "A" : "B";
  }
};

}  // namespace

TEST_CASE("a game goes on in turns until somebody has borne off, and then the loser is on roll") {
  Script script;
  GameState state;
  state.position = {};
  state.position.mine[5] = state.position.theirs[5] = 4;
  CHECK(run_game(state, script, script) == GameEnd::kOver);
  CHECK(script.log == "aTbabaA");
  CHECK(rearmost(state.position.theirs) < 0);
  CHECK(state.on_roll == 1);
}

TEST_CASE("a pass ends the game before the roll, with the doubler on roll") {
  Script script;
  script.taking = false;
  GameState state;
  CHECK(run_game(state, script, script) == GameEnd::kPassed);
  CHECK(script.log == "aP");
  CHECK(state.on_roll == 1 && state.turn == 1);
}

TEST_CASE("an observer stops the game before a turn") {
  Script script;
  script.longest = 3;
  GameState state;
  CHECK(run_game(state, script, script) == GameEnd::kStopped);
  CHECK(script.log == "aTba");
  CHECK(state.turn == 3);
}
