#include "rollout/spots.hpp"

#include <algorithm>
#include <utility>

namespace kibitz {
namespace {

Stakes seen_by_other(Stakes stakes) {
  std::swap(stakes.my_away, stakes.their_away);
  stakes.owner = swapped(stakes.owner);
  return stakes;
}

}  // namespace

std::vector<Spot> reachable_spots(const Stakes& stakes, const MatchEquity* table) {
  std::vector<Spot> spots;
  std::vector<Stakes> known{stakes};
  for (std::size_t i = 0; i < known.size(); ++i) {
    const Stakes here = known[i];
    spots.push_back({{CubeModel(here, table), CubeModel(seen_by_other(here), table)}});
    const bool unlimited = spots[i].of(0).is_unlimited_money();
    for (Side doubler = 0; doubler < 2; ++doubler) {
      const CubeModel& model = spots[i].of(doubler);
      if (model.doubled(model.present(), 0) < 0) continue;
      Stakes after = here;
      after.owner = doubler == 0 ? CubeOwner::kTheirs : CubeOwner::kMine;
      // An unlimited money game looks the same at every cube, so the value on it need not grow: stakes do.
      if (!unlimited) after.cube *= 2;
      const auto same = [&](const Stakes& one) { return one.cube == after.cube && one.owner == after.owner; };
      const auto found = std::find_if(known.begin(), known.end(), same);
      spots[i].doubled[doubler] = static_cast<int>(found - known.begin());
      if (found == known.end()) known.push_back(after);
    }
  }
  return spots;
}

}  // namespace kibitz
