#include "decide/reply_chooser.hpp"

#include <algorithm>

#include "board/game_over.hpp"
#include "board/plays.hpp"

namespace kibitz {
namespace {

constexpr int kMostBorneOff = 4;  // checkers in one roll

// Whether a player has got further in `a` than in `b`, both seen by the opponent. Where nothing is left to gain (a race
// that is lost or won for sure), that is the play that people make: checkers off first, then pips, then checkers home.
bool is_further(const Position& a, const Position& b) {
  const auto home = [](const Row& row) {
    int count = 0;
    for (int slot = 0; slot < kHome; ++slot) count += row[slot];
    return count;
  };
  if (checkers(a.theirs) != checkers(b.theirs)) return checkers(a.theirs) < checkers(b.theirs);
  if (pips(a.theirs) != pips(b.theirs)) return pips(a.theirs) < pips(b.theirs);
  return home(a.theirs) > home(b.theirs);
}

}  // namespace

bool breaks_tie(const Position& a, const Outputs& a_outputs, const Position& b, const Outputs& b_outputs) {
  const float a_equity = a_outputs.equity();
  const float b_equity = b_outputs.equity();
  return a_equity != b_equity ? a_equity < b_equity : is_further(a, b);
}

AllRollRequests all_rolls(const ReplyLimits& limits) {
  AllRollRequests rolls;
  for (int roll = 0; roll < kRolls; ++roll) rolls[roll] = {kAllRolls[roll], limits};
  return rolls;
}

void ReplyChooser::look(const Evaluator& evaluator, const Position& before, std::span<const RollRequest> rolls,
                        bool outputs_wanted, int total_checkers) {
  gather(before, rolls, total_checkers);
  thin_out(evaluator, before, results_, std::span(in_results_).first(rolls.size()));
  prune(evaluator, before, rolls, outputs_wanted);
  evaluate(evaluator, before);
}

// The results of all rolls that leave a choice; the others are answered at once.
void ReplyChooser::gather(const Position& before, std::span<const RollRequest> rolls, int total_checkers) {
  results_.clear();
  considered_ = 0;
  const bool may_end = checkers(before.mine) <= kMostBorneOff;
  for (std::size_t roll = 0; roll < rolls.size(); ++roll) {
    const std::size_t start = results_.size();
    append_legal_results(before, rolls[roll].dice, results_);
    const int found = static_cast<int>(results_.size() - start);
    considered_ += found;
    in_results_[roll] = {static_cast<int>(start), found, rolls[roll].limits.prefiltered};
    const auto begin = results_.begin() + static_cast<std::ptrdiff_t>(start);
    const auto over = may_end ? std::find_if(begin, results_.end(), is_over) : results_.end();
    Reply& forced = ranges_[roll].forced;
    forced.over = forced.evaluated = over != results_.end();
    if (forced.over) {
      forced.position = *over;
      forced.outputs = final_outputs(*over, total_checkers);
    } else if (found > 1) {
      continue;
    } else {
      forced.position = found == 1 ? results_.back() : before.swapped();
    }
    results_.resize(start);
    in_results_[roll].count = 0;
  }
}

// The few results of each roll that get a real evaluation.
void ReplyChooser::prune(const Evaluator& evaluator, const Position& before, std::span<const RollRequest> rolls,
                         bool outputs_wanted) {
  candidates_.clear();
  sources_.clear();
  bool needed = false;
  for (std::size_t roll = 0; roll < rolls.size(); ++roll)
    needed |= in_results_[roll].count > rolls[roll].limits.evaluated;
  // In a race there is no cheaper net than the real one: its answers serve as the first look, and stay.
  known_ = needed && !in_contact(before);
  if (needed) equities_.resize(results_.size());
  if (known_) {
    result_outputs_.resize(results_.size());
    evaluator.evaluate_results(before, results_, result_outputs_);
    for (std::size_t i = 0; i < results_.size(); ++i) equities_[i] = result_outputs_[i].equity();
  } else if (needed) {
    evaluator.pruning_equities(before, results_, equities_);
  }
  const Position unmoved = before.swapped();
  int unmoved_at = -1;
  const auto add = [&](const Position& position, int source) {
    candidates_.push_back(position);
    sources_.push_back(source);
  };
  for (std::size_t roll = 0; roll < rolls.size(); ++roll) {
    const auto [first, count, _] = in_results_[roll];
    Range& range = ranges_[roll];
    range.first = static_cast<int>(candidates_.size());
    if (count == 0) {
      range.count = outputs_wanted && !range.forced.over;
      if (range.count == 0) continue;
      // All rolls that cannot move leave the same position.
      const bool stays = range.forced.position == unmoved;
      if (stays && unmoved_at >= 0) range.first = unmoved_at;
      if (range.first == static_cast<int>(candidates_.size())) add(range.forced.position, -1);
      if (stays) unmoved_at = range.first;
      continue;
    }
    if (needed) {
      const ReplyLimits& limits = rolls[roll].limits;
      lowest(equities_, first, count, limits.evaluated, best_);
      int kept = static_cast<int>(best_.size());
      const float limit = equities_[best_.front()] + limits.gap;
      while (kept > limits.at_least && equities_[best_[kept - 1]] > limit) --kept;
      for (int place = 0; place < kept; ++place) add(results_[best_[place]], best_[place]);
    } else {
      for (int i = first; i < first + count; ++i) add(results_[i], i);
    }
    range.count = static_cast<int>(candidates_.size()) - range.first;
    if (range.count == 1 && !outputs_wanted) {
      range.forced.position = candidates_.back();
      candidates_.pop_back();
      sources_.pop_back();
      range.count = 0;
    }
  }
}

void ReplyChooser::evaluate(const Evaluator& evaluator, const Position& before) {
  outputs_.resize(candidates_.size());
  if (!known_) {
    evaluator.evaluate_results(before, candidates_, outputs_);
    return;
  }
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    outputs_[i] = sources_[i] < 0 ? evaluator.evaluate(candidates_[i]) : result_outputs_[sources_[i]];
}

Reply ReplyChooser::reply(int roll, int place) const {
  const Range& range = ranges_[roll];
  if (range.count == 0) return range.forced;
  return {candidates_[range.first + place], outputs_[range.first + place], false, true};
}

void ReplyChooser::best(int roll, const LeafModel& leaf, Side mover, std::array<int, kMaxStates>& places,
                        int among) const {
  const Range& range = ranges_[roll];
  const int count = std::min(range.count, among);
  for (const int root : leaf.roots()) places[root] = 0;
  if (count < 2) return;
  const Position* positions = candidates_.data() + range.first;
  const Outputs* outputs = outputs_.data() + range.first;
  // The opponent is on roll in a result, so the lowest score is best.
  StateValues least, here;
  leaf.scores(positions[0], outputs[0], 1 - mover, least);
  for (int i = 1; i < count; ++i) {
    leaf.scores(positions[i], outputs[i], 1 - mover, here);
    for (const int root : leaf.roots()) {
      const int best = places[root];
      if (here[root] < least[root] ||
          (here[root] == least[root] && breaks_tie(positions[i], outputs[i], positions[best], outputs[best]))) {
        places[root] = i;
        least[root] = here[root];
      }
    }
  }
}

Reply ReplyChooser::best(int roll, const LeafModel& leaf, Side mover, int among) const {
  std::array<int, kMaxStates> places;
  best(roll, leaf, mover, places, among);
  return reply(roll, places[leaf.roots().front()]);
}

}  // namespace kibitz
