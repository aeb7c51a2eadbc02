#include "search/analyst.hpp"

#include <algorithm>
#include <numeric>

#include "board/plays.hpp"

namespace kibitz {
namespace {

bool ranks_before(const RankedResult& a, const RankedResult& b) {
  if (a.plies != b.plies) return a.plies > b.plies;
  if (a.utility != b.utility) return a.utility > b.utility;
  return breaks_tie(a.result, a.outputs.swapped(), b.result, b.outputs.swapped());
}

}  // namespace

Analyst::Analyst(std::shared_ptr<const Evaluator> evaluator, int threads, std::size_t cache_bytes, bool exact)
    : exact_(exact), pool_(threads) {
  if (cache_bytes > 0) {
    cache_ = std::make_shared<EvaluationCache>(cache_bytes);
    evaluator_ = std::make_shared<CachedEvaluator>(std::move(evaluator), cache_);
  } else {
    evaluator_ = std::move(evaluator);
  }
}

Tree Analyst::tree(const CubeModel& model, const TreeSettings& settings, int plies, StateMask states,
                   Interrupt& interrupt) const {
  TreeSettings chosen = settings;
  chosen.leaf.exact &= exact_;
  return Tree(*evaluator_, model, chosen, plies, states, interrupt);
}

bool Analyst::values(const Tree& tree, std::span<Subject> subjects, int plies, Side on_roll, bool decided) const {
  const int count = static_cast<int>(subjects.size());
  const auto idle = [&tree] { tree.interrupt().due(); };
  // First the settled positions and a reply to every roll for the others, then every reply by itself: small tasks keep
  // all threads busy. The sums are made in the order of the rolls, so the digits do not depend on who did what.
  std::vector<char> settled(count);
  pool_.run(
      count,
      [&](int i) {
        auto& [position, replies, value] = subjects[i];
        settled[i] = tree.leaf().settled(position, on_roll, value);
        if (settled[i] && decided) return;
        if (settled[i] || plies < 2) {
          if (tree.undecided(position, plies, on_roll, *replies, value) && decided) tree.leaf().decide(on_roll, value);
        } else if (replies->of.empty()) {
          tree.choose(position, plies, on_roll, *replies);
        }
      },
      idle);
  if (plies < 2 || tree.interrupt().stopped()) return !tree.interrupt().stopped();
  std::vector<std::vector<PositionValue>> after(count);
  std::vector<std::pair<int, int>> tasks;  // which subject, and which of the replies to it
  for (int i = 0; i < count; ++i) {
    if (settled[i]) continue;
    after[i].resize(subjects[i].replies->of.size());
    for (int reply = 0; reply < static_cast<int>(after[i].size()); ++reply) tasks.emplace_back(i, reply);
  }
  pool_.run(
      static_cast<int>(tasks.size()),
      [&](int task) {
        const auto [i, reply] = tasks[task];
        if (!tree.interrupt().stopped())
          tree.reply_value(subjects[i].replies->of[reply], plies - 1, 1 - on_roll, after[i][reply]);
      },
      idle);
  if (tree.interrupt().stopped()) return false;
  for (int i = 0; i < count; ++i) {
    if (settled[i]) continue;
    tree.combine(*subjects[i].replies, after[i], subjects[i].value);
    if (decided) tree.leaf().decide(on_roll, subjects[i].value);
  }
  return true;
}

// One ranking: candidates, and looks at the best of them, each deeper than the one before.
class Analyst::Ranker {
 public:
  Ranker(const Analyst& analyst, const Position& position, Dice dice, const CubeModel& model,
         const RankSettings& settings, const std::vector<Position>& asked, Interrupt& interrupt)
      : analyst_(analyst), before_(position), model_(model), settings_(settings), interrupt_(interrupt) {
    legal_results(position, dice, results_);
    if (results_.empty()) results_.push_back(position.swapped());
    replies_.resize(results_.size());
    ranked_.resize(results_.size());
    for (std::size_t i = 0; i < results_.size(); ++i) {
      ranked_[i].result = results_[i];
      ranked_[i].place = static_cast<int>(i);
      ranked_[i].asked = std::find(asked.begin(), asked.end(), results_[i]) != asked.end();
    }
  }

  Ranking run() {
    Ranking ranking;
    look(ranked_, 0);
    std::stable_sort(ranked_.begin(), ranked_.end(), ranks_before);
    // Pass by pass: the survivors stand at the front.
    std::size_t survivors = ranked_.size();
    for (int plies = 1; plies <= settings_.plies; ++plies) {
      if (is_skipped(plies)) continue;
      const bool first = survivors == ranked_.size();
      survivors = kept_for(plies, survivors);
      if (first) survivors = rescued(survivors);
      if (settings_.choice_only && survivors == 1) break;
      if (!look_again(survivors, plies)) break;
      ranking.plies = plies;
    }
    if (ranking.plies > 0 && !interrupt_.stopped()) look_at_asked(ranking.plies);
    std::stable_sort(ranked_.begin(), ranked_.end(), ranks_before);
    ranking.stopped = interrupt_.stopped() && !interrupt_.out_of_time();
    ranking.results = std::move(ranked_);
    return ranking;
  }

 private:
  FilterStep step_at(int plies) const {
    if (settings_.filter.empty()) return {0, static_cast<int>(ranked_.size()), 1e9};
    return settings_.filter[std::min<std::size_t>(plies, settings_.filter.size() - 1)];
  }

  // A skipped look neither evaluates nor filters; the first and the last one are never skipped.
  bool is_skipped(int plies) const { return plies > 0 && plies < settings_.plies && step_at(plies).keep < 0; }

  // How many of the survivors of the look before go on to this one.
  std::size_t kept_for(int plies, std::size_t survivors) const {
    int before = plies - 1;
    while (is_skipped(before)) --before;
    const FilterStep step = step_at(before);
    const auto always = static_cast<std::size_t>(std::max(step.keep, 1));
    const auto most = static_cast<std::size_t>(std::max(0, std::max(step.keep, 0) + step.extra));
    const double bar = ranked_.front().equity - step.threshold;
    std::size_t kept = std::min(always, survivors);
    while (kept < std::min(most, survivors) && ranked_[kept].equity >= bar) ++kept;
    return kept;
  }

  // At a score the cube may make equities flat, and then a first look that errs a little loses the best play. The best
  // ones with a dead cube, at the score and for money, go on to the next look in any case.
  std::size_t rescued(std::size_t kept) {
    if (model_.is_money() || !settings_.tree.leaf.cubeful) return kept;
    const auto keep_best = [&](auto value) {
      const auto by_value = [&](const RankedResult& a, const RankedResult& b) { return value(a) < value(b); };
      const auto best = std::max_element(ranked_.begin(), ranked_.end(), by_value);
      if (static_cast<std::size_t>(best - ranked_.begin()) < kept) return;
      std::rotate(ranked_.begin() + static_cast<std::ptrdiff_t>(kept), best, best + 1);
      ++kept;
    };
    keep_best([&](const RankedResult& one) { return model_.dead(one.outputs, 0, model_.present()); });
    keep_best([](const RankedResult& one) { return static_cast<double>(one.outputs.equity()); });
    return kept;
  }

  // A deeper look at the first so many. If it is interrupted, they stay as they are.
  bool look_again(std::size_t count, int plies) {
    const auto end = ranked_.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<RankedResult> deeper(ranked_.begin(), end);
    if (!look(deeper, plies)) return false;
    std::copy(deeper.begin(), deeper.end(), ranked_.begin());
    std::stable_sort(ranked_.begin(), end, ranks_before);
    return true;
  }

  // Those that must get the deepest look, however bad they are.
  void look_at_asked(int plies) {
    const auto is_late = [&](const RankedResult& one) { return one.asked && one.plies < plies; };
    const auto late =
        std::stable_partition(ranked_.begin(), ranked_.end(), [&](const auto& one) { return !is_late(one); });
    if (late != ranked_.end()) look(std::span(late, ranked_.end()), plies);
  }

  // One look at some candidates, as deep as asked. False if it was interrupted: then they are unchanged. The replies to
  // a candidate are chosen by the first look that needs them, and deeper ones ask the same.
  bool look(std::span<RankedResult> candidates, int plies) {
    const int present = model_.present();
    const Tree tree = analyst_.tree(model_, settings_.tree, plies, only(present), interrupt_);
    std::vector<Subject> subjects;
    for (const RankedResult& one : candidates) subjects.push_back({one.result, &replies_[one.place], {}});
    if (plies == 0) {
      std::vector<Outputs> outputs(results_.size());
      analyst_.evaluator_->evaluate_results(before_, results_, outputs);
      for (std::size_t i = 0; i < subjects.size(); ++i)
        tree.leaf().value(subjects[i].position, outputs[candidates[i].place], 1, subjects[i].value);
    } else if (!analyst_.values(tree, subjects, plies, 1, true)) {
      return false;
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      RankedResult& candidate = candidates[i];
      const PositionValue& value = subjects[i].value;
      const Outputs theirs = value.outputs.rounded();
      candidate.outputs = theirs.swapped();
      candidate.utility = settings_.tree.leaf.cubeful ? -value.values[present] : -model_.dead(theirs, 1, present);
      candidate.equity = model_.normalised(candidate.utility, 0);
      candidate.plies = plies;
    }
    return true;
  }

  const Analyst& analyst_;
  const Position& before_;
  const CubeModel& model_;
  const RankSettings& settings_;
  Interrupt& interrupt_;
  std::vector<Position> results_;
  std::vector<Replies> replies_;  // to each result
  std::vector<RankedResult> ranked_;
};

Ranking Analyst::rank(const Position& position, Dice dice, const CubeModel& model, const RankSettings& settings,
                      const std::vector<Position>& asked, Interrupt& interrupt) const {
  return Ranker(*this, position, dice, model, settings, asked, interrupt).run();
}

CubeAnalysis Analyst::cube(const Position& position, const CubeModel& model, CubeOwner owner, int plies,
                           const TreeSettings& settings, Interrupt& interrupt) const {
  const int state = model.with_owner(owner);
  const int taken = model.doubled(state, 0);
  CubeAnalysis analysis;
  analysis.available = taken >= 0;
  const StateMask states = only(state) | (analysis.available ? only(taken) : 0);
  const Tree tree = this->tree(model, settings, plies, states, interrupt);
  Replies replies;
  Subject subject{position, &replies, {}};
  analysis.stopped = !values(tree, {&subject, 1}, plies, 0, false);
  if (analysis.stopped) return analysis;
  const PositionValue& value = subject.value;
  analysis.outputs = value.outputs.rounded();
  analysis.no_double = value.values[state];
  analysis.dead = model.dead(analysis.outputs, 0, state);
  analysis.double_pass = model.passed_value(state, 0);
  if (analysis.available) analysis.double_take = model.scale() * value.values[taken];
  return analysis;
}

bool Analyst::value(const Position& position, const CubeModel& model, int plies, const TreeSettings& settings,
                    Interrupt& interrupt, PositionValue& value) const {
  const Tree tree = this->tree(model, settings, plies, only(model.present()), interrupt);
  Replies replies;
  Subject subject{position, &replies, {}};
  if (!values(tree, {&subject, 1}, plies, 0, true)) return false;
  value = subject.value;
  return true;
}

bool Analyst::roll_replies(const Position& position, const CubeModel& model, int plies, const TreeSettings& settings,
                           Interrupt& interrupt, std::array<RollReply, kRolls>& rolls) const {
  const int present = model.present();
  const int taken = model.doubled(present, 0);
  const Tree tree = this->tree(model, settings, plies + 1, only(present), interrupt);
  Replies replies;
  if (!tree.choose(position, plies + 1, 0, replies)) return false;
  std::vector<PositionValue> after(replies.of.size());
  pool_.run(static_cast<int>(after.size()), [&](int i) { tree.reply_value(replies.of[i], plies, 1, after[i]); });
  if (interrupt.stopped()) return false;
  for (int roll = 0; roll < kRolls; ++roll) {
    const int chosen = replies.chosen[present][roll];
    const auto& [outputs, values] = after[chosen];
    rolls[roll].result = replies.of[chosen].position;
    rolls[roll].outputs = outputs.swapped();
    rolls[roll].held = -values[present];
    rolls[roll].doubled = taken < 0 ? std::nullopt : std::optional(-values[taken]);
  }
  return true;
}

bool Analyst::roll_values(const Position& position, const CubeModel& model, int plies, const TreeSettings& settings,
                          Interrupt& interrupt, std::array<double, kRolls>& rolls) const {
  std::array<RollReply, kRolls> replies;
  if (!roll_replies(position, model, plies, settings, interrupt, replies)) return false;
  for (int roll = 0; roll < kRolls; ++roll) rolls[roll] = replies[roll].held;
  return true;
}

}  // namespace kibitz
