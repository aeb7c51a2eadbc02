// Races for a gammon that are nearly over: one side is about to bear off its last checkers, the other has not borne off
// any and is not home yet. A net is off by a per cent or two there; what the one side's turns are known to be, and what the
// other can do at best, sets limits to that.
#pragma once

#include "board/dice.hpp"
#include "board/position.hpp"
#include "eval/outputs.hpp"

namespace kibitz {

// Whether a side that is not all home can bring the rest home and bear off a checker with one roll.
bool bears_off(Row row, Dice dice);

// The outputs of a position without contact, moved inside these limits where there are any.
Outputs within_gammon_limits(const Position& position, Outputs outputs);

}  // namespace kibitz
