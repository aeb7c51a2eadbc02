// Cube life: how far between dead (0) and fully live (1) the cube is in a kind of position.
//
// One number for a kind of position at every depth of search: the life that a leaf is given should be the one that looking
// further ahead finds there, else values would drift with the plies. How the numbers were found is told in docs/cube.md.
#pragma once

#include "board/position.hpp"

namespace kibitz {

struct CubeLife {
  double contact = 0.70;
  double race = 0.80;          // in a race so long that it does not matter how long
  double race_half_pips = 11;  // with so many pips to go for the player on roll, half of that

  constexpr double of(const Position& position) const {
    if (in_contact(position)) return contact;
    // The fewer rolls are left, the less often a cube can still be turned at the right moment; on the last one, never.
    const double squared_pips = static_cast<double>(pips(position.mine)) * pips(position.mine);
    return race * squared_pips / (squared_pips + race_half_pips * race_half_pips);
  }
};

}  // namespace kibitz
