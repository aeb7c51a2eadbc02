// The cube states that a game can come to, each with the value of leaves for either side.
#pragma once

#include <array>
#include <vector>

#include "cube/cube_model.hpp"
#include "decide/leaf.hpp"

namespace kibitz {

// One value and owner of the cube. Each side has a model in which it is side 0 and the cube is where it is now.
struct CubeState {
  std::array<LeafModel, 2> leaves;
  std::array<LeafModel, 2> choosing_leaves;
  std::array<int, 2> doubled{-1, -1};  // the state after a side has doubled and the other has taken; -1: it may not

  const LeafModel& leaf(Side side) const { return leaves[side]; }
  // What a side chooses its plays by: some heed no cube.
  const LeafModel& choosing(Side side) const { return choosing_leaves[side]; }
  const CubeModel& model(Side side) const { return leaves[side].model(); }
  bool is_dead() const { return doubled[0] < 0 && doubled[1] < 0; }
};

// All states that can be reached; the first one is the present one. The match is seen by side 0. `heeds` says which sides
// choose their plays for the cube where it is, if the settings do.
std::vector<CubeState> reachable_cube_states(const MatchState& match, const MatchEquity* table,
                                             const LeafSettings& settings, std::array<bool, 2> heeds = {true, true});

}  // namespace kibitz
