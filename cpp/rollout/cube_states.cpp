#include "rollout/cube_states.hpp"

#include <algorithm>
#include <utility>

namespace kibitz {
namespace {

MatchState seen_by_other(MatchState match) {
  std::swap(match.my_away, match.their_away);
  match.owner = swapped(match.owner);
  return match;
}

}  // namespace

std::vector<CubeState> reachable_cube_states(const MatchState& match, const MatchEquity* table,
                                             const LeafSettings& settings, std::array<bool, 2> heeds) {
  std::array<LeafSettings, 2> choosing{settings, settings};
  for (Side side = 0; side < 2; ++side) choosing[side].cubeful &= heeds[side];
  std::vector<CubeState> states;
  std::vector<MatchState> known{match};
  for (std::size_t i = 0; i < known.size(); ++i) {
    const MatchState here = known[i];
    const CubeModel mine(here, table);
    const CubeModel theirs(seen_by_other(here), table);
    states.push_back({{LeafModel(mine, settings), LeafModel(theirs, settings)},
                      {LeafModel(mine, choosing[0]), LeafModel(theirs, choosing[1])}});
    const bool unlimited = states[i].model(0).is_unlimited_money();
    for (Side doubler = 0; doubler < 2; ++doubler) {
      const CubeModel& model = states[i].model(doubler);
      if (model.doubled(model.present(), 0) < 0) continue;
      MatchState after = here;
      after.owner = doubler == 0 ? CubeOwner::kTheirs : CubeOwner::kMine;
      // An unlimited money game looks the same at every cube, so the value on it need not grow: the stake does.
      if (!unlimited) after.cube *= 2;
      const auto same = [&](const MatchState& one) { return one.cube == after.cube && one.owner == after.owner; };
      const auto found = std::find_if(known.begin(), known.end(), same);
      states[i].doubled[doubler] = static_cast<int>(found - known.begin());
      if (found == known.end()) known.push_back(after);
    }
  }
  return states;
}

}  // namespace kibitz
