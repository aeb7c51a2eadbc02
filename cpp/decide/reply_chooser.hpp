// The one way in which a reply to a roll is chosen: all results are generated, a linear prefilter and the pruning net
// leave a few of them, the evaluator looks at those, and the state of the cube decides.
#pragma once

#include <array>
#include <climits>
#include <limits>
#include <span>
#include <vector>

#include "board/dice.hpp"
#include "board/outputs.hpp"
#include "board/position.hpp"
#include "cube/cube_model.hpp"
#include "decide/leaf.hpp"
#include "decide/shortlist.hpp"
#include "eval/evaluator.hpp"

namespace kibitz {

// How many results of a roll go how far.
struct ReplyLimits {
  int prefiltered = INT_MAX;  // so many at least the linear prefilter leaves for the pruning net
  int evaluated = INT_MAX;    // so many at most the pruning net leaves for the evaluator ...
  float gap = std::numeric_limits<float>::infinity();  // ... and none that it puts further behind its best ...
  int at_least = 1;                                    // ... but so many in any case

  // The pruning net sees all results and leaves so many of each roll; 0 means all.
  static constexpr ReplyLimits shortlist(int evaluated) {
    return evaluated > 0 ? ReplyLimits{.evaluated = evaluated} : ReplyLimits{};
  }
  // The same after the linear prefilter: faster, and now and then a good play is lost.
  static constexpr ReplyLimits quick(int evaluated) {
    if (evaluated <= 0) return {};
    return {.prefiltered = evaluated < 4 ? 8 : 2 * evaluated, .evaluated = evaluated};
  }
};

struct RollRequest {
  Dice dice{1, 1};
  ReplyLimits limits;
};
using AllRollRequests = std::array<RollRequest, kRolls>;

// All rolls in their order, with the same limits.
AllRollRequests all_rolls(const ReplyLimits& limits);

struct Reply {
  Position position;  // seen by the opponent
  Outputs outputs;    // of the opponent, who is on roll there, if somebody has asked for them
  bool over = false;
  bool evaluated = false;
};

// Which of two results that are worth the same a player makes, both seen by the opponent, whose outputs these are.
bool breaks_tie(const Position& a, const Outputs& a_outputs, const Position& b, const Outputs& b_outputs);

// Reuses its memory from call to call: keep one for each thread.
class ReplyChooser {
 public:
  // Looks at the results of some rolls of `before`, up to their evaluation. Where no choice is left, a reply is
  // evaluated only if its outputs are wanted.
  void look(const Evaluator& evaluator, const Position& before, std::span<const RollRequest> rolls, bool outputs_wanted,
            int total_checkers = kCheckers);

  // How many results the rolls had in all.
  int considered() const { return considered_; }

  // What is left of a roll, the best by the pruning net first.
  int count(int roll) const { return ranges_[roll].count; }
  Reply reply(int roll, int place) const;

  // The place of the best reply to a roll of side `mover` for each root state, among the first so many.
  void best(int roll, const LeafModel& leaf, Side mover, std::array<int, kMaxStates>& places,
            int among = INT_MAX) const;
  // The best reply to a roll in a model with one root state.
  Reply best(int roll, const LeafModel& leaf, Side mover, int among = INT_MAX) const;

 private:
  // Where the candidates of a roll stand, and the reply of one that leaves no choice.
  struct Range {
    int first;
    int count;
    Reply forced;
  };
  void gather(const Position& before, std::span<const RollRequest> rolls, int total_checkers);
  void prune(const Evaluator& evaluator, const Position& before, std::span<const RollRequest> rolls,
             bool outputs_wanted);
  void evaluate(const Evaluator& evaluator, const Position& before);

  int considered_ = 0;
  bool known_ = false;  // the outputs of all results came with the first look
  std::array<Range, kRolls> ranges_;
  std::array<RollResults, kRolls> in_results_;
  std::vector<Position> results_;        // of all rolls that leave a choice, one after the other
  std::vector<float> equities_;          // the first look at them
  std::vector<Outputs> result_outputs_;  // theirs, if known
  std::vector<int> best_;                // indices of the best results of one roll
  std::vector<Position> candidates_;     // what is evaluated
  std::vector<int> sources_;             // where each of them stood among the results, if known
  std::vector<Outputs> outputs_;
};

}  // namespace kibitz
