// The places of the cube that a game can come to, each with a cube model for either side.
#pragma once

#include <array>
#include <vector>

#include "cube/cube_model.hpp"

namespace kibitz {

// One value and owner of the cube. Each side has a model in which it is side 0 and the cube is where it is now.
struct Spot {
  std::array<CubeModel, 2> models;
  std::array<int, 2> doubled{-1,
                             -1};  // the spot after a side has doubled and the other has taken; -1 if it may not double

  const CubeModel& of(Side side) const { return models[side]; }
  bool is_dead() const { return doubled[0] < 0 && doubled[1] < 0; }
};

// All spots that can be reached; the first one is the present one. Stakes are seen by side 0.
std::vector<Spot> reachable_spots(const Stakes& stakes, const MatchEquity* table);

}  // namespace kibitz
