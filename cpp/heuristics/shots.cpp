#include "heuristics/shots.hpp"

#include <bit>
#include <vector>

#include "board/plays.hpp"

namespace kibitz {

Mask blots_hit(const Position& position, Dice dice) {
  const Mask blots = facing_at_least(position.theirs, 1) & ~facing_at_least(position.theirs, 2);
  if (blots == 0) return 0;
  static thread_local std::vector<Position> results;
  legal_results(position, dice, results);
  Mask hit = 0;
  for (const Position& result : results) hit |= blots & ~facing_at_least(result.mine, 1);
  return hit;
}

Shots count_shots(const Position& position) {
  Shots shots{};
  for (int roll = 0; roll < kRolls; ++roll) {
    const int weight = kAllRolls[roll].weight();
    shots.hit[roll] = blots_hit(position, kAllRolls[roll]);
    if (shots.hit[roll]) shots.any += weight;
    for (Mask left = shots.hit[roll]; left; left &= left - 1)
      shots.rolls[std::countr_zero(left)] += static_cast<std::uint8_t>(weight);
  }
  return shots;
}

}  // namespace kibitz
