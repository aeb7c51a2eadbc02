// Exact cubeful equities from the two-sided bearoff table that all share.
#pragma once

#include "cube/cubeful_table.hpp"
#include "tables/exact.hpp"

namespace kibitz {

class ExactCube : public CubefulTable {
 public:
  bool look_up(const Position& position, CubefulEquities& equities) const override {
    if (classify(position) != PositionClass::kBearoffTwoSided) return false;
    const TwoSided& table = ExactTables::shared().two_sided();
    if (!table.holds(position)) return false;
    const TwoSidedEquities known = table.equities(position);
    equities = {known.centred, known.owned, known.unavailable};
    return true;
  }
};

}  // namespace kibitz
