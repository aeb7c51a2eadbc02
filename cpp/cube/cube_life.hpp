// Cube life: how far between dead (0) and fully live (1) the cube is in a kind of position.
//
// The same numbers at every depth of search: those with which looks ahead say of doubles and takes what cubeful rollouts say.
// How they were found is told in docs/cube.md.
#pragma once

#include "board/position.hpp"

namespace kibitz {

// The life of a cube that both sides may turn, and of one that only one of them may.
struct Lives {
  double shared;
  double owned;

  constexpr Lives(double both) : shared(both), owned(both) {}
  constexpr Lives(double shared, double owned) : shared(shared), owned(owned) {}
};

struct CubeLife {
  // The fewer rolls are left, the less often a cube can still be turned at the right moment; on the last one, never.
  struct Race {
    double most;       // in a race so long that it does not matter how long
    double half_pips;  // with so many pips to go for the player on roll, half of that

    constexpr double at(double pips) const { return most * pips * pips / (pips * pips + half_pips * half_pips); }
  };

  Lives contact{0.76, 0.70};
  Race shared_race{0.78, 9};
  Race owned_race{0.70, 15};

  constexpr Lives of(const Position& position) const {
    if (in_contact(position)) return contact;
    const int to_go = pips(position.mine);
    return {shared_race.at(to_go), owned_race.at(to_go)};
  }
};

}  // namespace kibitz
