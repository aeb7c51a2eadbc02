#include "board/plays.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "board/masks.hpp"

namespace kibitz {
namespace {

using Results = std::vector<Position>;
constexpr Mask kBarBit = bit(kBar);
constexpr Mask kOutside = up_to(kBar) & ~up_to(kHome - 1);

// Who stands where before the play. What the opponent holds stays as it is: a play hits blots, it never breaks points.
struct Board {
  explicit Board(const Position& position)
      : mine(occupied(position.mine)),
        open(up_to(kPoints - 1) & ~facing_at_least(position.theirs, 2)),
        blots(facing_at_least(position.theirs, 1) & open) {}

  // Sources from which a die can be played on the board, whatever stands there.
  Mask sources(int die) const { return open << die & up_to(kBar); }

  Mask mine;
  Mask open;
  Mask blots;
};

// --- single steps ---------------------------------------------------------------------------------------------------

// Positions under construction are kept as they are handed out: seen by the opponent, my row second.
void step_on_board(Position& after, int source, int target) {
  --after.theirs[source];
  ++after.theirs[target];
  std::uint8_t& facing = after.mine[mirrored(target)];
  const std::uint8_t hit = facing == 1;
  facing -= hit;
  after.mine[kBar] += hit;
}

void step(Position& after, int source, int target) {
  if (target < 0) {
    --after.theirs[source];
  } else {
    step_on_board(after, source, target);
  }
}

// The sources from which a die may be played now, every rule but "as many dice as possible" considered. `mine` is where
// my checkers stand now, `sources` where this die can be played on the board.
Mask legal_sources(Mask mine, Mask sources, int die) {
  if (mine & kBarBit) return sources & kBarBit;
  Mask legal = mine & sources;
  if (mine & kOutside) return legal;
  // All are home: bear off with the exact die, or from the highest point if the die is larger than that.
  const Mask exact_or_above = mine >> (die - 1);
  if (exact_or_above & 1) legal |= bit(die - 1);
  if (!exact_or_above && mine) legal |= std::bit_floor(mine);
  return legal;
}

Mask after_step(Mask mine, const Position& after, int source, int target) {
  if (after.theirs[source] == 0) mine &= ~bit(source);
  return target < 0 ? mine : mine | bit(target);
}

// --- doubles --------------------------------------------------------------------------------------------------------

// Every multiset of equal steps can be played rearmost first, and distinct multisets end in distinct positions. So
// steps in descending order of their source visit each result exactly once.
class DoublesGenerator {
 public:
  DoublesGenerator(const Position& position, int die, Results& results)
      : board_(position), sources_(board_.sources(die)), die_(die), results_(results), first_(results.size()) {
    descend(position.swapped(), board_.mine, kBar, 0);
  }

 private:
  void descend(const Position& after, Mask mine, int start, int depth) {
    Mask legal = legal_sources(mine, sources_, die_) & up_to(start);
    if (!legal) {
      if (depth) keep(after, depth);
      return;
    }
    for (; legal; legal &= ~std::bit_floor(legal)) {
      const int source = std::bit_width(legal) - 1;
      const int target = std::max(source - die_, kOff);
      if (depth == 3) {
        keep(after, 4);
        step(results_.back(), source, target);
        continue;
      }
      Position next = after;
      step(next, source, target);
      descend(next, after_step(mine, next, source, target), source, depth + 1);
    }
  }

  // Plays that leave dice unused count only while no longer one is known.
  void keep(const Position& after, int depth) {
    if (depth < longest_) return;
    if (depth > longest_) results_.erase(results_.begin() + static_cast<std::ptrdiff_t>(first_), results_.end());
    longest_ = depth;
    results_.push_back(after);
  }

  const Board board_;
  const Mask sources_;
  const int die_;
  Results& results_;
  const std::size_t first_;
  int longest_ = 0;
};

// --- two different dice ---------------------------------------------------------------------------------------------

// Bearing off out of reach. The two steps are either independent of each other, or made by one checker (or look as if
// they were). Enumerating these two kinds apart visits each result exactly once.
void mixed_results(const Position& position, const Board& board, Dice dice, Results& results) {
  const std::size_t first_result = results.size();
  const Position before = position.swapped();
  const int waiting = position.mine[kBar];
  const Mask high = board.mine & board.sources(dice.high);
  const Mask low = board.mine & board.sources(dice.low);

  if (waiting >= 2) {
    if (!((high | low) & kBarBit)) return;
    results.push_back(before);
    if (high & kBarBit) step_on_board(results.back(), kBar, kBar - dice.high);
    if (low & kBarBit) step_on_board(results.back(), kBar, kBar - dice.low);
    return;
  }

  // Independent steps, one with each die.
  for (Mask firsts = high; firsts; firsts &= firsts - 1) {
    const int first = std::countr_zero(firsts);
    Mask seconds = low & ~bit(first - dice.high);
    if (waiting) seconds &= first == kBar ? ~kBarBit : kBarBit;
    if (position.mine[first] < 2) seconds &= ~bit(first);
    if (first + dice.low < kSlots) seconds &= ~bit(first + dice.low);
    if (!seconds) continue;
    Position between = before;
    step_on_board(between, first, first - dice.high);
    for (; seconds; seconds &= seconds - 1) {
      const int second = std::countr_zero(seconds);
      results.push_back(between);
      step_on_board(results.back(), second, second - dice.low);
    }
  }

  // One checker with both dice; which die comes first matters only if it hits on the way.
  Mask runners = (high | low) & board.sources(dice.high + dice.low);
  if (waiting) runners &= kBarBit;
  for (; runners; runners &= runners - 1) {
    const int source = std::countr_zero(runners);
    const int target = source - dice.high - dice.low;
    const auto run = [&](int die) {
      results.push_back(before);
      step_on_board(results.back(), source, source - die);
      step_on_board(results.back(), source - die, target);
    };
    const bool by_high = high & bit(source);
    const bool by_low = low & bit(source);
    if (by_high) run(dice.high);
    if (by_low && (!by_high || board.blots & (bit(source - dice.high) | bit(source - dice.low)))) run(dice.low);
  }
  if (results.size() > first_result) return;

  // Only one die can be played: the higher one if possible.
  for (const int die : {int{dice.high}, int{dice.low}}) {
    Mask sources = die == dice.high ? high : low;
    if (waiting) sources &= kBarBit;
    for (; sources; sources &= sources - 1) {
      const int source = std::countr_zero(sources);
      results.push_back(before);
      step_on_board(results.back(), source, source - die);
    }
    if (results.size() > first_result) return;
  }
}

// Bearing off in reach: both orders of the dice, equal results dropped.
class BearoffGenerator {
 public:
  BearoffGenerator(const Position& position, const Board& board, Dice dice, Results& results)
      : before_(position.swapped()), board_(board), results_(results) {
    two_steps(dice.high, dice.low);
    two_steps(dice.low, dice.high);
    if (known_ == 0) one_step(dice.high);
    if (known_ == 0) one_step(dice.low);
  }

 private:
  // What tells two results of one roll apart: where my checkers went, four bits a slot, and which blots were hit.
  using Difference = unsigned __int128;

  static Difference moved(int source, int target) {
    return (target < 0 ? Difference{0} : Difference{1} << (4 * target)) - (Difference{1} << (4 * source));
  }

  Difference difference_of(int source, int target) const {
    const bool hits = target >= 0 && board_.blots & bit(target);
    return moved(source, target) + (hits ? Difference{1} << (100 + target) : Difference{0});
  }

  void two_steps(int first, int second) {
    const Mask second_sources = board_.sources(second);
    for (Mask legal = legal_sources(board_.mine, board_.sources(first), first); legal; legal &= legal - 1) {
      const int source = std::countr_zero(legal);
      const int target = std::max(source - first, kOff);
      Position between = before_;
      step(between, source, target);
      const Difference so_far = difference_of(source, target);
      const Mask mine = after_step(board_.mine, between, source, target);
      for (Mask next = legal_sources(mine, second_sources, second); next; next &= next - 1) {
        const int next_source = std::countr_zero(next);
        const int next_target = std::max(next_source - second, kOff);
        // A blot is hit once, even if two checkers arrive there.
        const bool again = next_target >= 0 && next_target == target;
        const Difference all =
            so_far + (again ? moved(next_source, next_target) : difference_of(next_source, next_target));
        if (is_known(all)) continue;
        results_.push_back(between);
        step(results_.back(), next_source, next_target);
      }
    }
  }

  void one_step(int die) {
    for (Mask legal = legal_sources(board_.mine, board_.sources(die), die); legal; legal &= legal - 1) {
      const int source = std::countr_zero(legal);
      results_.push_back(before_);
      step(results_.back(), source, std::max(source - die, kOff));
      ++known_;
    }
  }

  bool is_known(Difference difference) {
    const auto end = differences_.begin() + known_;
    if (std::find(differences_.begin(), end, difference) != end) return true;
    differences_[static_cast<std::size_t>(known_++)] = difference;
    return false;
  }

  // Seven points at most hold my checkers, and each of two orders plays two of them.
  static constexpr int kMost = 2 * 7 * 8;
  const Position before_;
  const Board& board_;
  Results& results_;
  std::array<Difference, kMost> differences_;
  int known_ = 0;
};

// Bearing off needs all checkers but one at home, unless the last one comes home with the first die.
bool may_bear_off(const Position& position, const Board& board) {
  const Mask outside = board.mine & kOutside;
  return !outside || (std::has_single_bit(outside) && position.mine[std::countr_zero(outside)] == 1);
}

}  // namespace

void append_legal_results(const Position& position, Dice dice, Results& results) {
  if (dice.is_double()) {
    DoublesGenerator(position, dice.high, results);
    return;
  }
  const Board board(position);
  if (may_bear_off(position, board)) {
    BearoffGenerator(position, board, dice, results);
  } else {
    mixed_results(position, board, dice, results);
  }
}

void legal_results(const Position& position, Dice dice, Results& results) {
  results.clear();
  append_legal_results(position, dice, results);
}

bool make_move(Position& position, int source, int target) {
  const bool hit = target >= 0 && position.theirs[mirrored(target)] == 1;
  Position seen_by_opponent = position.swapped();
  step(seen_by_opponent, source, target);
  position = seen_by_opponent.swapped();
  return hit;
}

namespace {

// Depth-first search for the longest way to `goal` (seen by the opponent), the dice in a given order.
class WaySearch {
 public:
  WaySearch(const Position& position, const Position& goal)
      : board_(position), before_(position.swapped()), goal_(goal) {}

  std::vector<Move> longest(const std::vector<int>& dice) {
    dice_ = dice;
    best_.clear();
    descend(before_, board_.mine);
    return best_;
  }

 private:
  void descend(const Position& after, Mask mine) {
    if (path_.size() > best_.size() && after == goal_) best_ = path_;
    if (path_.size() == dice_.size()) return;
    const int die = dice_[path_.size()];
    Mask legal = legal_sources(mine, board_.sources(die), die);
    // With equal dice, steps can be ordered by source, which leaves one order of each way.
    const bool doubles = dice_.size() == 4;
    if (doubles && !path_.empty()) legal &= up_to(path_.back().source);
    for (; legal; legal &= ~std::bit_floor(legal)) {
      const int source = std::bit_width(legal) - 1;
      const int target = std::max(source - die, kOff);
      const bool hit = target >= 0 && after.mine[mirrored(target)] == 1;
      Position next = after;
      step(next, source, target);
      path_.push_back({static_cast<std::int8_t>(source), static_cast<std::int8_t>(target), hit});
      descend(next, after_step(mine, next, source, target));
      path_.pop_back();
      // Going on below leaves this slot as it is now.
      if (doubles && after.theirs[source] != goal_.theirs[source]) break;
    }
  }

  const Board board_;
  const Position before_;
  const Position& goal_;
  std::vector<int> dice_;
  std::vector<Move> path_;
  std::vector<Move> best_;
};

}  // namespace

std::vector<Move> moves_between(const Position& position, Dice dice, const Position& result) {
  WaySearch search(position, result);
  if (dice.is_double()) return search.longest(std::vector<int>(4, dice.high));
  std::vector<Move> best = search.longest({dice.high, dice.low});
  const std::vector<Move> other = search.longest({dice.low, dice.high});
  if (other.size() > best.size()) best = other;
  // Where the order of the steps is free, tell the rearmost checker first.
  if (best.size() == 2 && best[0].source < best[1].source && best[0].target != best[1].target)
    std::swap(best[0], best[1]);
  return best;
}

}  // namespace kibitz
