// The door for exact cubeful equities, as a two-sided bearoff table knows them.
#pragma once

#include "board/position.hpp"

namespace kibitz {

// Money equities of the player on roll per unit of the cube, with the best cube action of both sides from now on, this
// turn's double included.
struct CubefulEquities {
  double centred = 0;
  double mine = 0;    // the player on roll owns the cube
  double theirs = 0;  // the opponent owns it
};

// Money games without gammons only. Safe to be called from many threads at once.
class CubefulTable {
 public:
  virtual ~CubefulTable() = default;
  // Whether the table knows the position. If it does, it knows all that can follow too.
  virtual bool look_up(const Position& position, CubefulEquities& equities) const = 0;
};

}  // namespace kibitz
