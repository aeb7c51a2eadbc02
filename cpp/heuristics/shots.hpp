// Shots: which of the 36 rolls hit which blot, exactly, by the rules of the game.
#pragma once

#include <array>
#include <cstdint>

#include "board/dice.hpp"
#include "board/masks.hpp"
#include "board/position.hpp"

namespace kibitz {

// The opposing blots that some legal play of this roll hits, as points of the player on roll. A way to hit counts only as part of a whole legal play: as
// many dice as possible, checkers on the bar first, no landing on held points.
Mask blots_hit(const Position& position, Dice dice);

struct Shots {
  std::array<Mask, kRolls> hit;             // for each of kAllRolls
  std::array<std::uint8_t, kPoints> rolls;  // of 36, those that hit the blot on this point of the player on roll
  int any = 0;                              // of 36, those that hit at least one blot
};

// The shots of the player on roll.
Shots count_shots(const Position& position);

}  // namespace kibitz
