// What an evaluator says of a position: five probabilities for the player on roll.
#pragma once

#include <algorithm>

namespace kibitz {

struct Outputs {
  float win = 0;              // win of any kind
  float win_gammon = 0;       // win a gammon or a backgammon
  float win_backgammon = 0;   // win a backgammon
  float lose_gammon = 0;      // lose a gammon or a backgammon
  float lose_backgammon = 0;  // lose a backgammon

  bool operator==(const Outputs&) const = default;

  // The same probabilities, seen by the other player.
  constexpr Outputs swapped() const { return {1.0f - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon}; }

  // Cubeless money equity.
  constexpr float equity() const {
    return 2.0f * win - 1.0f + win_gammon - lose_gammon + win_backgammon - lose_backgammon;
  }
};
static_assert(sizeof(Outputs) == 5 * sizeof(float));

}  // namespace kibitz
