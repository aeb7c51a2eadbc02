// The doubling window: at which winning chances of the player on roll the cube decisions change.
#pragma once

#include "board/outputs.hpp"
#include "cube/cube_model.hpp"

namespace kibitz {

// Winning chances of side 0, given the share of gammons in a position's wins and losses. Not a number where there is no
// such point: a cube that cannot be turned, a position that never gets too good.
struct CubePoints {
  double double_point;    // from here on a double that will be taken is better than none
  double cash_point;      // from here on the opponent passes
  double too_good_point;  // from here on playing on for the gammon is better than cashing
};

CubePoints cube_points(const CubeModel& model, const Outputs& outputs, int state, const Efficiency& efficiency);

}  // namespace kibitz
