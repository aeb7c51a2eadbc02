#include "heuristics/shots.hpp"

#include <bit>
#include <utility>
#include <vector>

#include "board/plays.hpp"

namespace kibitz {
namespace {

// What all rolls have in common. Landing on a point never depends on my own checkers, and hitting a blot only opens
// what was open already: so sets of points tell where checkers can go.
struct Board {
  PointMask mine = 0;   // points with a checker of mine, without the bar
  PointMask open = 0;   // points that the opponent does not hold
  PointMask blots = 0;  // points with a lone opposing checker
  int waiting = 0;      // checkers on my bar
  int outside = 0;      // checkers that keep me from bearing off

  explicit Board(const Position& position) {
    for (int point = 0; point < kPoints; ++point) {
      const int facing = position.theirs[mirrored(point)];
      mine |= static_cast<PointMask>(position.mine[point] != 0) << point;
      open |= static_cast<PointMask>(facing < 2) << point;
      blots |= static_cast<PointMask>(facing == 1) << point;
      if (point >= kHome) outside += position.mine[point];
    }
    waiting = position.mine[kBar];
    outside += waiting;
  }

  PointMask landing(PointMask sources, int die) const { return sources >> die & open; }
  PointMask entering(int die) const { return PointMask{1} << (kBar - die) & open; }
};

PointMask hit_by_generator(const Position& position, Dice dice, PointMask blots) {
  static thread_local std::vector<Position> results;
  legal_results(position, dice, results);
  PointMask hit = 0;
  for (const Position& result : results)
    for (PointMask left = blots & ~hit; left; left &= left - 1) {
      const int point = std::countr_zero(left);
      if (result.mine[mirrored(point)] == 0) hit |= PointMask{1} << point;
    }
  return hit;
}

// Equal dice. How far each checker can go does not depend on the others, so every step that can be reached within four
// dice belongs to some longest play. Checkers on the bar come first and use up dice.
PointMask hit_by_doubles(const Board& board, int die) {
  PointMask reached = board.mine;
  PointMask hit = 0;
  if (board.waiting) {
    const PointMask entry = board.entering(die);
    if (!entry) return 0;
    hit |= entry;
    reached |= entry;
  }
  for (int left = 4 - board.waiting; left > 0; --left) {
    reached = board.landing(reached, die);
    hit |= reached;
  }
  return hit & board.blots;
}

// Different dice with one checker on the bar: it enters with one die, then any checker plays the other.
PointMask hit_from_bar(const Board& board, Dice dice) {
  PointMask hit_with_one = 0;
  PointMask hit_with_both = 0;
  bool both = false;
  // The higher die is looked at first: if no die can follow, it is the one that has to be played.
  for (const auto& [first, second] : {std::pair{dice.high, dice.low}, std::pair{dice.low, dice.high}}) {
    const PointMask entry = board.entering(first);
    if (!entry) continue;
    const PointMask landed = board.landing(board.mine | entry, second);
    if (landed) {
      both = true;
      hit_with_both |= entry | landed;
    } else if (!hit_with_one) {
      hit_with_one = entry;
    }
  }
  return (both ? hit_with_both : hit_with_one) & board.blots;
}

// Whether a die can still be played by somebody after any one checker has moved.
bool always_playable(const Board& board, const Position& position, int die) {
  const PointMask sources = board.mine & board.open << die;
  if (sources == 0) return false;
  return (sources & (sources - 1)) != 0 || position.mine[std::countr_zero(sources)] >= 2;
}

PointMask hit_by(const Board& board, const Position& position, Dice dice) {
  if (dice.is_double()) {
    return board.outside >= 4 ? hit_by_doubles(board, dice.high) : hit_by_generator(position, dice, board.blots);
  }
  if (board.waiting >= 2) return (board.entering(dice.high) | board.entering(dice.low)) & board.blots;
  if (board.waiting == 1) return hit_from_bar(board, dice);
  // Where one step could make the other die unplayable, or checkers could be borne off, the generator knows best.
  if (board.outside < 2 || !always_playable(board, position, dice.high) || !always_playable(board, position, dice.low))
    return hit_by_generator(position, dice, board.blots);
  const PointMask by_high = board.landing(board.mine, dice.high);
  const PointMask by_low = board.landing(board.mine, dice.low);
  return (by_high | by_low | board.landing(by_high, dice.low) | board.landing(by_low, dice.high)) & board.blots;
}

}  // namespace

PointMask blots_hit(const Position& position, Dice dice) {
  const Board board(position);
  return board.blots ? hit_by(board, position, dice) : 0;
}

Shots count_shots(const Position& position) {
  Shots shots{};
  const Board board(position);
  if (board.blots == 0) return shots;
  for (int roll = 0; roll < kRolls; ++roll) {
    const Dice dice = kAllRolls[roll];
    shots.hit[roll] = hit_by(board, position, dice);
    if (shots.hit[roll]) shots.any += dice.weight();
    for (PointMask left = shots.hit[roll]; left; left &= left - 1)
      shots.rolls[std::countr_zero(left)] += static_cast<std::uint8_t>(dice.weight());
  }
  return shots;
}

}  // namespace kibitz
