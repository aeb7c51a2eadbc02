#include "board/plays.hpp"

#include <algorithm>
#include <bit>

namespace kibitz {
namespace {

using Results = std::vector<Position>;
using Mask = std::uint32_t;  // a set of slots of my row

// Positions under construction are kept as they are handed out: seen by the opponent, my row second.
void step(Position& after, int source, int target) {
  --after.theirs[source];
  if (target < 0) return;
  ++after.theirs[target];
  std::uint8_t& facing = after.mine[mirrored(target)];
  if (facing == 1) {
    facing = 0;
    ++after.mine[kBar];
  }
}

bool is_open(const Position& position, int target) { return position.theirs[mirrored(target)] < 2; }
bool is_blot(const Position& position, int target) { return position.theirs[mirrored(target)] == 1; }

bool all_home(const Row& row) {
  for (int slot = kHome; slot < kSlots; ++slot)
    if (row[slot]) return false;
  return true;
}

int outside_home(const Row& row) {
  int count = 0;
  for (int slot = kHome; slot < kSlots; ++slot) count += row[slot];
  return count;
}

// Whether one checker may move now, every rule but "as many dice as possible" considered. `after` is seen by the opponent.
bool is_legal_step(const Position& after, int source, int die) {
  const Row& mine = after.theirs;
  if (mine[source] == 0 || (mine[kBar] && source != kBar)) return false;
  const int target = source - die;
  if (target >= 0) return after.mine[mirrored(target)] < 2;
  if (!all_home(mine)) return false;
  if (target == -1) return true;
  for (int behind = source + 1; behind < kHome; ++behind)
    if (mine[behind]) return false;
  return true;
}

// Doubles: every multiset of equal steps can be played rearmost first, and distinct multisets end in distinct positions.
// So steps in descending order of their source visit each result exactly once.
class DoublesGenerator {
 public:
  DoublesGenerator(int die, Results& results) : die_(die), results_(results) {}

  void descend(const Position& after, int start, int depth) {
    bool ended = true;
    if (depth < 4) {
      const int lowest = after.theirs[kBar] ? kBar : 0;
      for (int source = start; source >= lowest; --source) {
        if (!is_legal_step(after, source, die_)) continue;
        ended = false;
        Position next = after;
        step(next, source, std::max(source - die_, kOff));
        descend(next, source, depth + 1);
      }
    }
    if (!ended || depth == 0 || depth < longest_) return;
    if (depth > longest_) {
      longest_ = depth;
      results_.clear();
    }
    results_.push_back(after);
  }

 private:
  int die_;
  Results& results_;
  int longest_ = 0;
};

// Sources from which a die could be played if there were no bar and no bearing off.
Mask movable(const Position& position, int die) {
  Mask mask = 0;
  for (int source = die; source < kSlots; ++source)
    mask |= static_cast<Mask>(position.mine[source] != 0 && is_open(position, source - die)) << source;
  return mask;
}

// Two different dice, bearing off out of reach. The two steps are either independent of each other, or made by one
// checker (or look as if they were). Enumerating these two kinds apart visits each result exactly once.
void mixed_results(const Position& position, Dice dice, Results& results) {
  const Position before = position.swapped();
  const Mask bar = Mask{1} << kBar;
  const int waiting = position.mine[kBar];
  const Mask high = movable(position, dice.high);
  const Mask low = movable(position, dice.low);

  if (waiting >= 2) {
    Position after = before;
    if (high & bar) step(after, kBar, kBar - dice.high);
    if (low & bar) step(after, kBar, kBar - dice.low);
    if ((high | low) & bar) results.push_back(after);
    return;
  }

  // Independent steps, one with each die.
  for (Mask firsts = high; firsts; firsts &= firsts - 1) {
    const int first = std::countr_zero(firsts);
    Position between = before;
    step(between, first, first - dice.high);
    Mask seconds = low;
    if (waiting) seconds &= first == kBar ? ~bar : bar;
    if (position.mine[first] < 2) seconds &= ~(Mask{1} << first);
    seconds &= ~(Mask{1} << (first - dice.high));
    if (first + dice.low < kSlots) seconds &= ~(Mask{1} << (first + dice.low));
    for (; seconds; seconds &= seconds - 1) {
      const int second = std::countr_zero(seconds);
      Position after = between;
      step(after, second, second - dice.low);
      results.push_back(after);
    }
  }

  // One checker with both dice; which die comes first matters only if it hits on the way.
  Mask runners = high | low;
  if (waiting) runners &= bar;
  for (; runners; runners &= runners - 1) {
    const int source = std::countr_zero(runners);
    const int target = source - dice.high - dice.low;
    if (target < 0 || !is_open(position, target)) continue;
    const bool by_high = high >> source & 1;
    const bool by_low = low >> source & 1;
    const bool high_hits = by_high && is_blot(position, source - dice.high);
    const bool low_hits = by_low && is_blot(position, source - dice.low);
    const auto run = [&](int die) {
      Position after = before;
      step(after, source, source - die);
      step(after, source - die, target);
      results.push_back(after);
    };
    if (by_high) run(dice.high);
    if (by_low && (!by_high || high_hits || low_hits)) run(dice.low);
  }
  if (!results.empty()) return;

  // Only one die can be played: the higher one if possible.
  for (const int die : {int{dice.high}, int{dice.low}}) {
    Mask sources = die == dice.high ? high : low;
    if (waiting) sources &= bar;
    for (; sources; sources &= sources - 1) {
      const int source = std::countr_zero(sources);
      Position after = before;
      step(after, source, source - die);
      results.push_back(after);
    }
    if (!results.empty()) return;
  }
}

// Two different dice with bearing off in reach: both orders, equal results dropped.
void bearing_off_results(const Position& position, Dice dice, Results& results) {
  const Position before = position.swapped();
  const auto keep = [&](const Position& after) {
    if (std::find(results.begin(), results.end(), after) == results.end()) results.push_back(after);
  };
  const auto play = [&](int first, int second, bool both) {
    for (int source = kSlots - 1; source >= 0; --source) {
      if (!is_legal_step(before, source, first)) continue;
      Position between = before;
      step(between, source, std::max(source - first, kOff));
      if (!both) {
        keep(between);
        continue;
      }
      for (int next = kSlots - 1; next >= 0; --next) {
        if (!is_legal_step(between, next, second)) continue;
        Position after = between;
        step(after, next, std::max(next - second, kOff));
        keep(after);
      }
    }
  };
  play(dice.high, dice.low, true);
  play(dice.low, dice.high, true);
  if (results.empty()) play(dice.high, dice.low, false);
  if (results.empty()) play(dice.low, dice.high, false);
}

}  // namespace

void legal_results(const Position& position, Dice dice, Results& results) {
  results.clear();
  if (dice.is_double()) {
    DoublesGenerator(dice.high, results).descend(position.swapped(), kSlots - 1, 0);
  } else if (outside_home(position.mine) > 1) {
    mixed_results(position, dice, results);
  } else {
    bearing_off_results(position, dice, results);
  }
}

bool make_move(Position& position, int source, int target) {
  const bool hit = target >= 0 && is_blot(position, target);
  Position seen_by_opponent = position.swapped();
  step(seen_by_opponent, source, target);
  position = seen_by_opponent.swapped();
  return hit;
}

namespace {

// Depth-first search for the longest way to `goal`; `dice` are played in the given order, rearmost checkers first.
void search_moves(const Position& after, const std::vector<int>& dice, const Position& goal, std::vector<Move>& path,
                  std::vector<Move>& best) {
  if (after == goal && path.size() > best.size()) best = path;
  if (path.size() == dice.size()) return;
  const int die = dice[path.size()];
  // With equal dice, steps can be ordered by source, which leaves one order of each way.
  const bool doubles = dice.size() == 4;
  const int start = doubles && !path.empty() ? path.back().source : kSlots - 1;
  for (int source = start; source >= 0; --source) {
    if (!is_legal_step(after, source, die)) continue;
    const int target = std::max(source - die, kOff);
    const bool hit = target >= 0 && after.mine[mirrored(target)] == 1;
    Position next = after;
    step(next, source, target);
    path.push_back({static_cast<std::int8_t>(source), static_cast<std::int8_t>(target), hit});
    search_moves(next, dice, goal, path, best);
    path.pop_back();
  }
}

}  // namespace

std::vector<Move> moves_between(const Position& position, Dice dice, const Position& result) {
  std::vector<Move> path;
  std::vector<Move> best;
  const Position before = position.swapped();
  if (dice.is_double()) {
    search_moves(before, std::vector<int>(4, dice.high), result, path, best);
  } else {
    search_moves(before, {dice.high, dice.low}, result, path, best);
    std::vector<Move> other;
    search_moves(before, {dice.low, dice.high}, result, path, other);
    if (other.size() > best.size()) best = other;
  }
  // Where the order of the steps is free, tell the rearmost checker first.
  if (best.size() == 2 && best[0].source < best[1].source && best[0].target != best[1].target) std::swap(best[0], best[1]);
  return best;
}

}  // namespace kibitz
