// The analyst: ranks the plays of a roll and analyses cube decisions, looking as many plies ahead as asked.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "board/dice.hpp"
#include "board/position.hpp"
#include "search/evaluation_cache.hpp"
#include "search/thread_pool.hpp"
#include "search/tree.hpp"

namespace kibitz {

// How many plays go on from a look at some plies to the next: always the best `keep`, and up to `extra` more that are
// within `threshold` of the best. A negative `keep` skips the look.
struct FilterStep {
  int keep = 0;
  int extra = 8;
  double threshold = 0.16;
};

struct RankSettings {
  int plies = 0;
  std::vector<FilterStep> filter;  // one for each look before the last; where they run out, the last one counts again
  TreeSettings tree;
  bool choice_only = false;  // nobody wants to know what the best play is worth: looks end where one is left
};

struct RankedResult {
  Position result;     // seen by the opponent
  int place = 0;       // among the legal results
  Outputs outputs;     // of the player who moved
  double utility = 0;  // of the player who moved: money equity, or 2 * match winning chance - 1
  double equity = 0;   // the same, normalised to the present cube
  int plies = 0;
  bool asked = false;  // one of the results that had to be analysed, however bad
};

struct Ranking {
  std::vector<RankedResult> results;  // the deepest looks first, then the best
  int plies = 0;                      // of the deepest look that was finished
  bool stopped = false;               // by a cancellation
};

// A cube decision for the player on roll. Utilities as in CubeModel, in units of the present cube.
struct CubeAnalysis {
  Outputs outputs;         // as deep as asked
  double no_double = 0;    // utilities
  double double_take = 0;  // taken, not beavered
  double double_pass = 0;
  bool available = false;  // whether the player on roll may double at all
  double dead = 0;         // value with a dead cube, present value
  bool stopped = false;
};

// The best reply to a roll, seen by the one who rolled, and what the game is then worth to him: utilities with the cube where
// it is, and, where he might have doubled before the roll, in units of the doubled cube.
struct RollReply {
  Position result;  // seen by the opponent
  MeanOutputs outputs;
  double held = 0;
  std::optional<double> doubled;
};

class Analyst {
 public:
  // 0 threads: all cores. Without cache bytes, nothing is remembered.
  // `exact`: where the tables know cubeful equities, they are used.
  Analyst(std::shared_ptr<const Evaluator> evaluator, int threads, std::size_t cache_bytes, bool exact = true);

  // The plays of a roll for side 0 of the model. `asked` are results that must get the deepest look.
  Ranking rank(const Position& position, Dice dice, const CubeModel& model, const RankSettings& settings,
               const std::vector<Position>& asked, Interrupt& interrupt) const;

  // The cube decision of side 0 with the cube in these hands.
  CubeAnalysis cube(const Position& position, const CubeModel& model, CubeOwner owner, int plies,
                    const TreeSettings& settings, Interrupt& interrupt) const;

  // Outputs and present-state value (with the best cube decision) of positions with side 0 on roll.
  bool value(const Position& position, const CubeModel& model, int plies, const TreeSettings& settings,
             Interrupt& interrupt, PositionValue& value) const;

  // The value of each of the 21 rolls to side 0, who is on roll, by the best play of it: utilities, looking `plies`
  // further after the play. Their mean is the value before the roll, so luck is one of them less the mean.
  bool roll_values(const Position& position, const CubeModel& model, int plies, const TreeSettings& settings,
                   Interrupt& interrupt, std::array<double, kRolls>& rolls) const;

  // The same with the replies themselves. They are chosen with the cube where it is, as rank() chooses them, so that the
  // mean of the rolls, with the best cube action, is what rank() finds one ply deeper.
  bool roll_replies(const Position& position, const CubeModel& model, int plies, const TreeSettings& settings,
                    Interrupt& interrupt, std::array<RollReply, kRolls>& rolls) const;

  int threads() const { return pool_.size(); }
  std::size_t cache_bytes() const { return cache_ ? cache_->bytes() : 0; }
  void clear_cache() const {
    if (cache_) cache_->clear();
  }

 private:
  // What is to be valued, and the replies to it if an earlier look has chosen them; else they are left there.
  struct Subject {
    Position position;
    Replies* replies;
    PositionValue value;
  };

  class Ranker;

  Tree tree(const CubeModel& model, const TreeSettings& settings, int plies, StateMask states,
            Interrupt& interrupt) const;

  // Values of many positions, all with the same side on roll; the work is shared among the threads.
  bool values(const Tree& tree, std::span<Subject> subjects, int plies, Side on_roll, bool decided) const;

  bool exact_;
  std::shared_ptr<EvaluationCache> cache_;
  std::shared_ptr<const Evaluator> evaluator_;
  mutable ThreadPool pool_;
};

}  // namespace kibitz
