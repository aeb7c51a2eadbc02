#include "tables/hypergammon.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "board/dice.hpp"
#include "board/game_over.hpp"
#include "board/masks.hpp"
#include "support/team.hpp"

namespace kibitz {
namespace {

using Equities = Hypergammon::Equities;
using Losses = Hypergammon::Losses;

// --- plays of one side, whatever blots it may hit --------------------------------------------------------------------

// A way to play a roll: where my checkers end, and the points that they touched, on which they hit if a blot stood
// there.
struct Way {
  std::uint32_t row;
  Mask touched;

  bool operator==(const Way&) const = default;
  bool operator<(const Way& other) const { return row != other.row ? row < other.row : touched < other.touched; }
};

// All ways for every row and every point that the opponent may hold. With three checkers there is at most one.
class Ways {
 public:
  explicit Ways(const RowNumbers& numbers) : numbers_(numbers) {
    lists_.resize(static_cast<std::size_t>(numbers.size()) * kClasses);
    for (std::uint32_t number = 0; number < numbers.size(); ++number) add(number);
  }

  static constexpr int kClasses = kPoints + 1;  // the point that the opponent holds, or kPoints for none

  struct List {
    std::uint32_t starts[kRolls + 1];
  };
  const List& list(std::uint32_t row, int held) const {
    return stored_[lists_[static_cast<std::size_t>(row) * kClasses + static_cast<std::size_t>(held)]];
  }
  const Way* ways() const { return ways_.data(); }

 private:
  void add(std::uint32_t number) {
    Row row{};
    numbers_.row(number, row.data());
    const auto first = static_cast<std::size_t>(number) * kClasses;
    // A point that no checker can reach with any roll changes nothing.
    Mask tried = 0;
    lists_[first + kPoints] = generate(row, kPoints, tried);
    for (int held = 0; held < kPoints; ++held) {
      Mask ignored = 0;
      lists_[first + held] = tried >> held & 1 ? generate(row, held, ignored) : lists_[first + kPoints];
    }
  }

  std::uint32_t generate(const Row& row, int held, Mask& tried) {
    List list;
    for (int roll = 0; roll < kRolls; ++roll) {
      list.starts[roll] = static_cast<std::uint32_t>(ways_.size());
      roll_ways(row, kAllRolls[roll], held, tried);
    }
    list.starts[kRolls] = static_cast<std::uint32_t>(ways_.size());
    stored_.push_back(list);
    return static_cast<std::uint32_t>(stored_.size() - 1);
  }

  void roll_ways(const Row& row, Dice dice, int held, Mask& tried) {
    found_.clear();
    longest_ = 0;
    if (dice.is_double()) {
      const int steps[] = {dice.high, dice.high, dice.high, dice.high};
      walk(row, steps, 0, 0, held, tried);
    } else {
      const int high_first[] = {dice.high, dice.low};
      const int low_first[] = {dice.low, dice.high};
      walk(row, high_first, 0, 0, held, tried);
      const bool high_alone = longest_ == 1;
      const std::vector<Way> with_high = found_;
      walk(row, low_first, 0, 0, held, tried);
      // If one die alone can be played it must be the higher one.
      if (high_alone && longest_ == 1) found_ = with_high;
    }
    if (longest_ == 0) found_ = {{numbers_.number(row.data()), 0}};
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    ways_.insert(ways_.end(), found_.begin(), found_.end());
  }

  void walk(const Row& row, std::span<const int> dice, int depth, Mask touched, int held, Mask& tried) {
    bool ended = true;
    if (!dice.empty()) {
      const int die = dice.front();
      const int back = rearmost(row);
      for (int source = back; source >= 0; --source) {
        if (row[source] == 0) continue;
        if (row[kBar] && source != kBar) break;
        const int target = source - die;
        if (target < 0 && (back >= kHome || (target < -1 && source != back))) continue;
        if (target >= 0) {
          tried |= Mask{1} << target;
          if (target == held) continue;
        }
        ended = false;
        Row next = row;
        --next[source];
        if (target >= 0) ++next[target];
        walk(next, dice.subspan(1), depth + 1, target >= 0 ? touched | Mask{1} << target : touched, held, tried);
      }
    }
    if (!ended || depth < longest_ || depth == 0) return;
    if (depth > longest_) {
      longest_ = depth;
      found_.clear();
    }
    found_.push_back({numbers_.number(row.data()), touched});
  }

  const RowNumbers& numbers_;
  std::vector<std::uint32_t> lists_;  // which of the stored lists belongs to a row and a held point
  std::vector<List> stored_;
  std::vector<Way> ways_;
  std::vector<Way> found_;
  int longest_ = 0;
};

// --- a row as the opponent sees it -----------------------------------------------------------------------------------

struct Facing {
  Mask occupied = 0;                              // its points, from the mover's side
  int held = kPoints;                             // the point it holds with two or three checkers
  std::array<std::uint8_t, 3> blots{31, 31, 31};  // bits of the touched points; 31 is never touched
  std::array<std::uint32_t, 8> hit{};             // the row after each set of its blots has been hit
  std::uint8_t count = 0;

  std::uint32_t after(Mask touched) const {
    return hit[(touched >> blots[0] & 1) | (touched >> blots[1] & 1) << 1 | (touched >> blots[2] & 1) << 2];
  }
};

std::vector<Facing> faces(const RowNumbers& numbers) {
  std::vector<Facing> all(numbers.size());
  for (std::uint32_t number = 0; number < numbers.size(); ++number) {
    Facing& facing = all[number];
    Row row{};
    numbers.row(number, row.data());
    facing.count = static_cast<std::uint8_t>(checkers(row));
    facing.occupied = facing_at_least(row, 1);
    const Mask held = facing_at_least(row, 2);
    if (held) facing.held = std::countr_zero(held);
    int blots = 0;
    for (Mask left = facing.occupied & ~held; left; left &= left - 1)
      facing.blots[blots++] = static_cast<std::uint8_t>(std::countr_zero(left));
    for (unsigned set = 0; set < 8; ++set) {
      Row after = row;
      for (int blot = 0; blot < blots; ++blot) {
        if (!(set >> blot & 1)) continue;
        --after[mirrored(facing.blots[blot])];
        ++after[kBar];
      }
      facing.hit[set] = numbers.number(after.data());
    }
  }
  return all;
}

// --- value iteration -------------------------------------------------------------------------------------------------

// A block is solved when no equity changes by more than the rounding of a float, or when the changes have been as small
// as that for a while without vanishing.
constexpr float kRounding = 1.2e-7f;
constexpr double kSmallChange = 1e-6;
constexpr int kPatience = 6;

// Cubeless equities that differ by no more than this are taken for equal.
constexpr float kTie = 3e-7f;

// Rows that are gone through together. The more, the less the threads wait for each other, and the less a sweep knows
// of what it has just found. The number of threads must not matter, hence the same for all.
constexpr std::uint32_t band_of(int checkers) { return checkers > 2 ? 12 : 1; }

class Solver {
 public:
  Solver(int checkers, std::span<std::byte> bytes, int threads)
      : checkers_(checkers),
        numbers_(Hypergammon::shape(checkers)),
        rows_(numbers_.size()),
        equities_(reinterpret_cast<Equities*>(bytes.data())),
        losses_(reinterpret_cast<Losses*>(bytes.data() + rows_ * rows_ * sizeof(Equities))),
        ways_(numbers_),
        faces_(faces(numbers_)),
        mine_as_seen_(rows_),
        team_(threads_for(threads, checkers > 2)),
        new_equities_(rows_ * band_of(checkers)),
        new_losses_(rows_ * band_of(checkers)),
        changes_(static_cast<std::size_t>(team_.size())) {
    Row row{};
    for (std::uint32_t number = 0; number < rows_; ++number) {
      numbers_.row(number, row.data());
      mine_as_seen_[number] = occupied(row);
    }
  }

  bool solve(Hypergammon::Reached reached, const Hypergammon::Progress& progress,
             const Hypergammon::Checkpoint& checkpoint) {
    finished_games();
    // Checkers never come back: a block needs itself and blocks with fewer checkers alone.
    std::vector<std::pair<int, int>> blocks;
    for (int total = 2; total <= 2 * checkers_; ++total)
      for (int more = (total + 1) / 2; more <= checkers_ && total - more >= 1; ++more)
        blocks.emplace_back(more, total - more);
    std::atomic<bool> stopped = false;
    std::atomic<bool> done = false;
    const std::size_t from = reached.block;
    team_.run([&](int member) {
      for (std::size_t which = from; which < blocks.size(); ++which) {
        for (;;) {
          changes_[static_cast<std::size_t>(member)] = {};
          this->sweep(member, blocks[which].first, blocks[which].second);
          team_.meet();
          if (member == 0) {
            Change change;
            for (const Change& other : changes_) change.merge(other);
            std::uint64_t& idle = reached.sweeps_without_progress;
            idle = change.largest < reached.least_change ? 0 : idle + 1;
            reached.least_change = std::min(reached.least_change, change.largest);
            done = change.beyond_rounding <= 0 || (change.largest < kSmallChange && idle >= kPatience);
            const Hypergammon::Step step{static_cast<int>(which) + 1, static_cast<int>(blocks.size()),
                                         static_cast<int>(++reached.sweep), change.largest};
            if (done) reached = {which + 1};
            if (progress && !progress(step)) stopped = true;
            if (checkpoint) checkpoint(reached);
          }
          team_.meet();
          if (stopped) return;
          if (done) break;
        }
      }
    });
    return !stopped;
  }

 private:
  struct Change {
    double largest = 0;
    double beyond_rounding = 0;
    char padding[48] = {};  // members write to their own cache lines

    void merge(const Change& other) {
      largest = std::max(largest, other.largest);
      beyond_rounding = std::max(beyond_rounding, other.beyond_rounding);
    }
    void note(float before, float after) {
      const float difference = std::abs(after - before);
      largest = std::max<double>(largest, difference);
      const float excess = difference - kRounding * std::max(1.0f, std::abs(after));
      beyond_rounding = std::max<double>(beyond_rounding, excess);
    }
  };

  void finished_games() {
    Position position;
    for (std::uint32_t number = 1; number < rows_; ++number) {
      numbers_.row(number, position.mine.data());
      const auto points = static_cast<float>(outcome(position, checkers_));  // lost by the player on roll
      const float gammon = points <= -2 ? 1.0f : 0.0f;
      const float backgammon = points <= -3 ? 1.0f : 0.0f;
      equities_[number * rows_] = {points, points, -1, points, points, 0, 0, 0};
      losses_[number * rows_] = {gammon, backgammon};
      equities_[number] = {-points, -points, 1, -points, -points, 1, gammon, backgammon};
      losses_[number] = {0, 0};
    }
  }

  // Rows with exactly so many checkers.
  std::pair<std::uint32_t, std::uint32_t> rows_with(int count) const {
    return {numbers_.size_up_to(count - 1), numbers_.size_up_to(count)};
  }

  // One pass over the block of positions in which one side has `more` checkers and the other `fewer`. The higher row
  // grows, band by band; without hits a position needs hardly any but such that come before it, so that hits alone make
  // many sweeps necessary. Nothing that is read in a phase is written in it: the threads cannot change the results.
  void sweep(int member, int more, int fewer) {
    const auto [top_begin, top_end] = rows_with(more);
    const auto [other_begin, others] = rows_with(fewer);
    const std::uint32_t width = band_of(checkers_);
    for (std::uint32_t band = top_begin; band < top_end; band += width) {
      const std::uint32_t band_end = std::min(band + width, top_end);
      const std::uint32_t widest = std::min(others, band_end) - other_begin;
      const auto [begin, end] = team_.share(member, widest);
      const auto from = static_cast<std::uint32_t>(other_begin + begin);
      const auto to = static_cast<std::uint32_t>(other_begin + end);
      const auto for_each = [&](const auto& body) {
        for (std::uint32_t top = band; top < band_end; ++top)
          for (std::uint32_t other = from; other < std::min(to, top); ++other)
            if (can_occur(top, other)) body(top, other, (top - band) * rows_ + other);
      };
      // Where the higher row is mine. Written aside, since other positions of the band need what is being replaced. All
      // of the band for one row of theirs: what they need of it is then still in the cache.
      for (std::uint32_t other = from; other < to; ++other) {
        for (std::uint32_t top = std::max(band, other + 1); top < band_end; ++top) {
          const std::size_t aside = (top - band) * rows_ + other;
          if (can_occur(top, other)) improve(member, top, other, new_equities_[aside], new_losses_[aside]);
        }
      }
      team_.meet();
      for_each([&](std::size_t top, std::size_t other, std::size_t aside) {
        equities_[top * rows_ + other] = new_equities_[aside];
        losses_[top * rows_ + other] = new_losses_[aside];
      });
      team_.meet();
      // Where the higher row is theirs: every play leads to a position in which it is the mover's.
      for_each([&](std::size_t top, std::size_t other, std::size_t) {
        improve(member, other, top, equities_[other * rows_ + top], losses_[other * rows_ + top]);
      });
      if (more == fewer && member == team_.size() - 1) {
        for (std::size_t top = band; top < band_end; ++top)
          if (can_occur(static_cast<std::uint32_t>(top), static_cast<std::uint32_t>(top)))
            improve(member, top, top, equities_[top * rows_ + top], losses_[top * rows_ + top]);
      }
      team_.meet();
    }
  }

  bool can_occur(std::uint32_t mine, std::uint32_t theirs) const {
    return (mine_as_seen_[mine] & faces_[theirs].occupied) == 0;
  }

  void improve(int member, std::size_t mine, std::size_t theirs, Equities& new_equities, Losses& new_losses) {
    const Facing& facing = faces_[theirs];
    const Ways::List& list = ways_.list(static_cast<std::uint32_t>(mine), facing.held);
    const Way* ways = ways_.ways();
    std::array<double, 8> sums{};
    double gammons = 0;
    double backgammons = 0;
    for (int roll = 0; roll < kRolls; ++roll) {
      // The opponent's least equity for each state of the cube, and the position of the least cubeless one. Equal ones
      // are not rare, and they differ in gammons: the first and the last of them share the probabilities.
      std::array<float, 8> least;
      least.fill(std::numeric_limits<float>::infinity());
      std::size_t first = 0;
      std::size_t last = 0;
      for (std::uint32_t at = list.starts[roll]; at < list.starts[roll + 1]; ++at) {
        const std::size_t next = static_cast<std::size_t>(facing.after(ways[at].touched)) * rows_ + ways[at].row;
        const float* found = &equities_[next].cubeless;
        first = found[0] < least[0] - kTie ? next : first;
        last = found[0] <= least[0] + kTie ? next : last;
        for (int state = 0; state < 8; ++state)
          least[state] = found[state] < least[state] ? found[state] : least[state];
      }
      const Equities& one = equities_[first];
      const Equities& other = equities_[last];
      least[5] = (one.win + other.win) / 2;
      least[6] = (one.win_gammon + other.win_gammon) / 2;
      least[7] = (one.win_backgammon + other.win_backgammon) / 2;
      const double weight = kAllRolls[roll].weight();
      for (int state = 0; state < 8; ++state) sums[state] += weight * least[state];
      gammons += weight * (losses_[first].gammon + losses_[last].gammon) / 2;
      backgammons += weight * (losses_[first].backgammon + losses_[last].backgammon) / 2;
    }
    const double cubeless = -sums[0] / 36;
    const double unavailable = -sums[3] / 36;  // what the opponent owns is not available to me
    const double doubled = std::min(2 * unavailable, 1.0);
    const double centred = std::max(-sums[1] / 36, doubled);
    const double jacoby = std::max(-sums[2] / 36, doubled);
    const double owned = std::max(-sums[4] / 36, doubled);

    const Equities& before = equities_[mine * rows_ + theirs];
    const Equities after{static_cast<float>(cubeless),     static_cast<float>(centred),
                         static_cast<float>(jacoby),       static_cast<float>(owned),
                         static_cast<float>(unavailable),  static_cast<float>(1 - sums[5] / 36),
                         static_cast<float>(gammons / 36), static_cast<float>(backgammons / 36)};
    Change& change = changes_[static_cast<std::size_t>(member)];
    for (int value = 0; value < 8; ++value) change.note((&before.cubeless)[value], (&after.cubeless)[value]);
    new_losses = {static_cast<float>(sums[6] / 36), static_cast<float>(sums[7] / 36)};
    new_equities = after;
  }

  int checkers_;
  RowNumbers numbers_;
  std::size_t rows_;
  Equities* equities_;
  Losses* losses_;
  Ways ways_;
  std::vector<Facing> faces_;
  std::vector<Mask> mine_as_seen_;
  Team team_;
  std::vector<Equities> new_equities_;
  std::vector<Losses> new_losses_;
  std::vector<Change> changes_;
};

}  // namespace

Hypergammon::Hypergammon(int checkers, std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
    : numbers_(shape(checkers)),
      rows_(numbers_.size()),
      equities_(reinterpret_cast<const Equities*>(bytes.data())),
      losses_(reinterpret_cast<const Losses*>(bytes.data() + rows_ * rows_ * sizeof(Equities))),
      owner_(std::move(owner)) {
  for (int count = 1; count <= checkers; ++count) {
    first_with_[static_cast<std::size_t>(count)] = numbers_.size_up_to(count - 1);
    for (int slot = 0; slot < kSlots; ++slot)
      add_[static_cast<std::size_t>(count - 1)][static_cast<std::size_t>(slot)] =
          RowNumbers::choose(slot + count - 1, count);
  }
}

std::uint64_t Hypergammon::bytes_of(int checkers) {
  const std::uint64_t rows = RowNumbers(shape(checkers)).size();
  return rows * rows * (sizeof(Equities) + sizeof(Losses));
}

std::uint64_t Hypergammon::positions_of(int checkers) {
  // For each row of mine, theirs have the points that are left, and the bar.
  const RowNumbers numbers(shape(checkers));
  std::uint64_t positions = 0;
  for (std::uint32_t number = 0; number < numbers.size(); ++number) {
    Row row{};
    numbers.row(number, row.data());
    const int left = kSlots - std::popcount(facing_at_least(row, 1));
    positions += RowNumbers::choose(left + checkers, checkers);
  }
  return positions;
}

bool Hypergammon::holds(const Position& position) const {
  if (!fits(position.mine, shape(checkers())) || !fits(position.theirs, shape(checkers()))) return false;
  if (occupied(position.mine) & facing_at_least(position.theirs, 1)) return false;
  return rearmost(position.mine) >= 0 || rearmost(position.theirs) >= 0;
}

bool Hypergammon::build_into(int checkers, std::span<std::byte> bytes, const Reached& from, int threads,
                             const Progress& progress, const Checkpoint& checkpoint) {
  return Solver(checkers, bytes, threads).solve(from, progress, checkpoint);
}

Hypergammon Hypergammon::build(int checkers, int threads, const Progress& progress) {
  const std::uint64_t size = bytes_of(checkers);
  const std::shared_ptr<std::byte[]> bytes = std::make_shared<std::byte[]>(size);
  if (!build_into(checkers, {bytes.get(), size}, {}, threads, progress)) return {};
  return Hypergammon(checkers, {bytes.get(), size}, bytes);
}

}  // namespace kibitz
