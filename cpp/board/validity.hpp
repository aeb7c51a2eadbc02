// Whether a position can occur. Python says in words what is wrong; this is the quick test for many.
#pragma once

#include "board/position.hpp"

namespace kibitz {

constexpr bool is_valid(const Position& position) {
  const int mine = checkers(position.mine);
  const int theirs = checkers(position.theirs);
  bool shared = false;
  bool closed = true;
  for (int point = 0; point < kPoints; ++point)
    shared |= position.mine[point] != 0 && position.theirs[mirrored(point)] != 0;
  for (int point = 0; point < kHome; ++point) closed &= position.mine[point] >= 2 && position.theirs[point] >= 2;
  const bool both_closed_out = closed && position.mine[kBar] != 0 && position.theirs[kBar] != 0;
  return mine <= kCheckers && theirs <= kCheckers && mine + theirs > 0 && !shared && !both_closed_out;
}

}  // namespace kibitz
