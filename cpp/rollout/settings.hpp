// How a rollout plays its games.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cube/cube_model.hpp"
#include "search/analyst.hpp"

namespace kibitz {

struct StagePlies {
  int play = 0;
  int cube = 0;
};

// How one side thinks.
struct SideSettings {
  std::array<StagePlies, 2> plies{};  // early or late
  bool cubeful = true;                // plays are chosen for the cube where it is, else as if it were dead
  int shortlist = 5;                  // how many plays at most a first look leaves at 0 plies ...
  double shortlist_gap = 0.06;        // ... and how far behind its best one they may be
  std::vector<FilterStep> filter;     // for plays at 1 ply and deeper
  int replies = 8;                    // as in TreeSettings
  int last_replies = 3;
};

struct RolloutSettings {
  std::uint64_t seed = 0;
  bool stratified = true;
  bool cubeful = true;  // both sides use the cube, else it lies dead
  bool variance_reduction = true;
  int luck_plies = 0;          // how deep the look at every roll is
  int luck_replies = 1;        // how many replies to each roll get a real evaluation there
  bool stop_at_tables = true;  // games end where their value is known exactly
  int truncate = 0;            // games end after so many turns (0: never) ...
  int truncation_plies = 0;    // ... with a look so deep
  int late_after = 0;          // from this turn on the late plies count (0: never)
  std::array<SideSettings, 2> sides;
  int total_checkers = kCheckers;

  const StagePlies& stage(Side side, int turn) const { return sides[side].plies[late_after > 0 && turn >= late_after]; }
};

// What is rolled out: a position before somebody rolls, with the cube somewhere.
struct Candidate {
  Position position;  // seen by the side on roll
  Side on_roll = 0;
  bool taken = false;      // after side 0 has doubled and side 1 has taken
  bool may_double = true;  // whether the first turn may start with a double
};

}  // namespace kibitz
