// Cube life: how far between dead (0) and fully live (1) the cube is in a kind of position.
#pragma once

#include <algorithm>

#include "board/position.hpp"
#include "eval/position_class.hpp"

namespace kibitz {

// One number for each kind of position; in a race it grows with the pips of the player on roll, within bounds.
struct CubeLife {
  double contact = 0.68;
  double crashed = 0.68;
  double bearoff = 0.60;
  double race_base = 0.55;
  double race_per_pip = 0.00125;
  double race_least = 0.60;
  double race_most = 0.70;

  // Looking ahead makes part of the cube's life explicit, so that leaves of a deep search need less of it.
  static constexpr CubeLife for_plies(int plies) {
    if (plies >= 2) return {};
    return {0.76, 0.76, 0.60, 0.60, 0.0025, 0.60, 0.80};
  }

  constexpr double of(PositionClass kind, const Position& position) const {
    switch (kind) {
      case PositionClass::kContact:
        return contact;
      case PositionClass::kCrashed:
        return crashed;
      case PositionClass::kRace:
        return std::clamp(race_base + race_per_pip * pips(position.mine), race_least, race_most);
      default:
        return bearoff;
    }
  }
  constexpr double of(const Position& position) const { return of(classify(position), position); }
};

}  // namespace kibitz
