#include "decide/game.hpp"

#include "board/game_over.hpp"

namespace kibitz {

GameEnd run_game(GameState& state, GamePlayers& players, GameObserver& observer) {
  while (observer.goes_on(state)) {
    if (players.doubles(state)) {
      const bool taken = players.takes(state);
      observer.doubled(state, taken);
      if (!taken) return GameEnd::kPassed;
    }
    const Dice dice = players.roll(state);
    observer.rolled(state, dice);
    const Position result = players.play(state, dice);
    observer.played(state, dice, result);
    state = {result, 1 - state.on_roll, state.turn + 1};
    if (is_over(result)) return GameEnd::kOver;
  }
  return GameEnd::kStopped;
}

}  // namespace kibitz
