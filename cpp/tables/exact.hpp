// Exact answers by position class, for evaluation, search and rollouts.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "board/outputs.hpp"
#include "board/position.hpp"
#include "board/position_class.hpp"
#include "tables/hypergammon.hpp"
#include "tables/one_sided.hpp"
#include "tables/two_sided.hpp"

namespace kibitz {

// Money equities of the player on roll, per unit of the cube, before the decision to double, with best play and best
// cube action by both sides.
struct MoneyEquities {
  double cubeless = 0;
  double centred = 0;      // gammons count
  double jacoby = 0;       // cube centred, gammons count only once the cube has been turned
  double owned = 0;        // the player on roll owns the cube
  double unavailable = 0;  // the opponent owns the cube
};

class ExactTables {
 public:
  // The one that all share, safe from any thread. The tables in it are built on first use, which takes 0.05 s for the
  // one-sided ones and 0.3 s for the two-sided one; they take 8 and 14 MB.
  static const ExactTables& shared();

  explicit ExactTables(int threads = 0) : threads_(threads) {}
  ~ExactTables();

  const OneSided& one_sided() const;
  // The turns until no checker is left in the opponent's home board, whose points count from the one next to the
  // outfield.
  const OneSided& leaving() const;
  const TwoSided& two_sided() const;

  // The outputs of a position, if its class has an exact answer. `total` is the number of checkers that each side
  // started with: who has still all of them can lose a gammon, which the two-sided table knows nothing of. The
  // one-sided class is as exact as its model: each side plays to need the fewest turns.
  bool evaluate(const Position& position, Outputs& outputs, int total = kCheckers) const;

  // Cubeful money equities, for finished games and where a two-sided or a hypergammon table reaches.
  bool money_equities(const Position& position, MoneyEquities& equities, int total = kCheckers) const;

  // Larger tables, mapped from files: they answer where those in memory do not, from now on or until they are put away.
  // What was in use before stays mapped, so that readers need no lock; changing them is for the start of a program.
  void use_two_sided(std::shared_ptr<const TwoSided> table) const;
  void use_one_sided(std::shared_ptr<const OneSided> table) const;
  const TwoSided* mapped_two_sided() const { return mapped_two_sided_.load(std::memory_order_acquire); }
  const OneSided* mapped_one_sided() const { return mapped_one_sided_.load(std::memory_order_acquire); }

  // Who answers for a position in a game that started with so many checkers a side.
  enum class Answer : std::uint8_t {
    kNone,
    kOver,
    kTwoSided,
    kMappedTwoSided,
    kOneSided,
    kMappedOneSided,
    kHypergammon
  };
  Answer answer(const Position& position, int total = kCheckers) const;

  // From now on, games in which each side started with as many checkers as this table has are answered by it.
  void attach(Hypergammon table) const;
  const Hypergammon* hypergammon(int total) const;

 private:
  template <typename Table>
  void use(std::atomic<const Table*>& place, std::shared_ptr<const Table> table) const;
  static Outputs by_turns(const OneSided& table, const Position& position, int total);

  int threads_;
  mutable std::once_flag one_sided_once_;
  mutable std::once_flag leaving_once_;
  mutable std::once_flag two_sided_once_;
  mutable OneSided one_sided_;
  mutable OneSided leaving_;
  mutable TwoSided two_sided_;
  mutable std::atomic<const TwoSided*> mapped_two_sided_ = nullptr;
  mutable std::atomic<const OneSided*> mapped_one_sided_ = nullptr;
  mutable std::mutex mapped_mutex_;
  mutable std::vector<std::shared_ptr<const void>> mapped_;  // all that were ever in use
  // Never taken away once attached, so that readers need no lock.
  mutable std::array<std::atomic<const Hypergammon*>, kMostHypergammonCheckers + 1> hypergammon_{};
  mutable std::array<std::once_flag, kMostHypergammonCheckers + 1> hypergammon_once_;
};

}  // namespace kibitz
