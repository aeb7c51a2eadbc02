// The one loop of a game: double or not, take or pass, roll, play, until somebody wins, passes or stops.
#pragma once

#include "board/dice.hpp"
#include "board/position.hpp"
#include "cube/cube_model.hpp"

namespace kibitz {

struct GameState {
  Position position = starting_position();  // seen by the side on roll
  Side on_roll = 0;
  int turn = 0;  // that have been played
};

// Those who decide. Both sides, and the dice.
class GamePlayers {
 public:
  virtual ~GamePlayers() = default;
  // Whether the side on roll doubles; those who may not, do not.
  virtual bool doubles(const GameState&) { return false; }
  // Whether the other side takes.
  virtual bool takes(const GameState&) { return true; }
  virtual Dice roll(const GameState& state) = 0;
  // The result of the play, seen by the opponent; the position itself, swapped, where nothing can move.
  virtual Position play(const GameState& state, Dice dice) = 0;
};

// Those who watch.
class GameObserver {
 public:
  virtual ~GameObserver() = default;
  // Before every turn: false stops the game here.
  virtual bool goes_on(const GameState&) { return true; }
  virtual void doubled(const GameState&, bool /*taken*/) {}
  virtual void rolled(const GameState&, Dice) {}
  virtual void played(const GameState&, Dice, const Position& /*result*/) {}
};

enum class GameEnd { kOver, kPassed, kStopped };

// Plays on from a state. Afterwards it is the last one: of a finished game, the loser is on roll; after a pass, the
// doubler.
GameEnd run_game(GameState& state, GamePlayers& players, GameObserver& observer);

}  // namespace kibitz
