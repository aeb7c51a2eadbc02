// Cube efficiency: how far between dead (0) and fully live (1) the cube is in a kind of position. Janowski calls it x.
//
// The same numbers hold at every depth of search: those with which looks ahead say of doubles and takes what cubeful rollouts
// say. How they were found is told in docs/cube.md.
#pragma once

#include "board/position.hpp"

namespace kibitz {

struct Efficiency {
  double shared;  // of a cube that both sides may turn
  double jacoby;  // the same by the Jacoby rule, where turning it brings gammons to life
  double owned;   // for money, of a cube that only one side may turn, where both win as many gammons
  // At match scores an owned cube is the more efficient the wider its doubling window is, compared with the swings of the
  // winning chance from turn to turn; and the less, the further its owner is from turning it.
  double swing;
  double far;
  // For money, how much more an owned cube is worth the larger the share of gammons is in its owner's losses than in his
  // wins: a game with many gammons turns round at one roll, and who survives has much to double for.
  double gammons;

  constexpr Efficiency(double shared, double jacoby, double owned, double swing, double far, double gammons)
      : shared(shared), jacoby(jacoby), owned(owned), swing(swing), far(far), gammons(gammons) {}
  // The same efficiency everywhere, where a doubling window is as wide as that of a money game without gammons.
  constexpr Efficiency(double all)
      : Efficiency(all, all, all, all > 0.0 ? kMoneyWindow * (1.0 - all) / all : kWildSwing, 0.0, 0.0) {}

  static constexpr double kMoneyWindow = 0.29;
  static constexpr double kWildSwing = 1e9;
};

struct CubeEfficiency {
  // The fewer rolls are left, the less often a cube can still be turned at the right moment; on the last one, never.
  struct Race {
    double most;       // in a race so long that it does not matter how long
    double half_pips;  // with so many pips to go for the player on roll, half of that

    constexpr double at(double pips) const { return most * pips * pips / (pips * pips + half_pips * half_pips); }
  };

  Efficiency contact{0.76, 0.86, 0.635, 0.085, 0.3, 0.55};
  Race shared_race{0.78, 9};
  Race owned_race{0.70, 15};
  double swing_pips = 27;  // with so many pips to go the swings of a race are twice those of a long one

  constexpr Efficiency of(const Position& position) const {
    if (in_contact(position)) return contact;
    const int to_go = pips(position.mine);
    const double fewer = to_go > 0 ? swing_pips / to_go : swing_pips;
    const double shared = shared_race.at(to_go);
    return {shared, shared, owned_race.at(to_go), contact.swing * (1.0 + fewer * fewer), contact.far, 0.0};
  }
};

}  // namespace kibitz
