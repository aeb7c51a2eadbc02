#include "search/analyst.hpp"

#include <algorithm>
#include <numeric>

#include "board/plays.hpp"
#include "eval/choose.hpp"
#include "search/game_over.hpp"

namespace kibitz {
namespace {

Outputs to_outputs(const std::array<double, 5>& outputs) {
  return {static_cast<float>(outputs[0]), static_cast<float>(outputs[1]), static_cast<float>(outputs[2]),
          static_cast<float>(outputs[3]), static_cast<float>(outputs[4])};
}

bool ranks_before(const RankedResult& a, const RankedResult& b) {
  if (a.plies != b.plies) return a.plies > b.plies;
  if (a.utility != b.utility) return a.utility > b.utility;
  if (a.outputs.equity() != b.outputs.equity()) return a.outputs.equity() > b.outputs.equity();
  return is_further(a.result, b.result);
}

}  // namespace

Analyst::Analyst(std::shared_ptr<const Evaluator> evaluator, int threads, std::size_t cache_bytes,
                 std::shared_ptr<const CubefulTable> table)
    : table_(std::move(table)), pool_(threads) {
  if (cache_bytes > 0) {
    cache_ = std::make_shared<EvaluationCache>(cache_bytes);
    evaluator_ = std::make_shared<CachedEvaluator>(std::move(evaluator), cache_);
  } else {
    evaluator_ = std::move(evaluator);
  }
}

bool Analyst::values(const Tree& tree, std::span<Subject> subjects, int plies, Side on_roll, bool decided) const {
  const int count = static_cast<int>(subjects.size());
  const auto idle = [&tree] { tree.interrupt().due(); };
  // First the settled positions and a reply to every roll for the others, then every reply by itself: small tasks keep all
  // threads busy. The sums are made in the order of the rolls, so the digits do not depend on who did what.
  std::vector<char> settled(count);
  pool_.run(
      count,
      [&](int i) {
        auto& [position, replies, node] = subjects[i];
        NodeValue known;
        settled[i] = tree.settled(position, on_roll, known);
        if (settled[i] && decided) {
          node = known;
        } else if (settled[i] || plies < 2) {
          if (tree.undecided(position, plies, on_roll, *replies, node) && decided) tree.decide(on_roll, node);
        } else if (replies->of.empty()) {
          tree.choose(position, plies, on_roll, *replies);
        }
      },
      idle);
  if (plies < 2 || tree.interrupt().stopped()) return !tree.interrupt().stopped();
  std::vector<std::vector<NodeValue>> after(count);
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
    if (decided) tree.decide(on_roll, subjects[i].value);
  }
  return true;
}

Ranking Analyst::rank(const Position& position, Dice dice, const CubeModel& model, const RankSettings& settings,
                      const std::vector<Position>& asked, Interrupt& interrupt) const {
  const int present = model.present();
  Ranking ranking;
  std::vector<Position> results;
  legal_results(position, dice, results);
  if (results.empty()) results.push_back(position.swapped());

  // One look at some candidates, as deep as told. False if it was interrupted: then they are unchanged. The replies to a
  // candidate are chosen by the first look that needs them, and deeper ones ask the same.
  std::vector<Replies> replies(results.size());
  const auto look = [&](std::span<RankedResult> candidates, int plies) {
    const Tree tree(*evaluator_, model, table_.get(), settings.tree, plies, StateMask{1} << present, interrupt);
    std::vector<Subject> subjects;
    for (const RankedResult& candidate : candidates)
      subjects.push_back({candidate.result, &replies[candidate.place], {}});
    if (plies == 0) {
      std::vector<Outputs> outputs(results.size());
      evaluator_->evaluate_results(position, results, outputs);
      for (std::size_t i = 0; i < subjects.size(); ++i)
        if (auto& [result, _, node] = subjects[i]; !tree.settled(result, 1, node))
          tree.leaf(result, outputs[candidates[i].place], 1, true, node);
    } else if (!values(tree, subjects, plies, 1, true)) {
      return false;
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      RankedResult& candidate = candidates[i];
      const NodeValue& node = subjects[i].value;
      candidate.outputs = to_outputs(node.outputs).swapped();
      candidate.utility =
          settings.tree.cubeful ? -node.values[present] : -model.dead(candidate.outputs.swapped(), 1, present);
      candidate.equity = model.normalised(candidate.utility, 0);
      candidate.plies = plies;
    }
    return true;
  };

  auto& ranked = ranking.results;
  ranked.resize(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    ranked[i].result = results[i];
    ranked[i].place = static_cast<int>(i);
    ranked[i].asked = std::find(asked.begin(), asked.end(), results[i]) != asked.end();
  }
  look(ranked, 0);
  std::stable_sort(ranked.begin(), ranked.end(), ranks_before);

  // Pass by pass: the survivors stand at the front.
  std::size_t survivors = ranked.size();
  for (int plies = 1; plies <= settings.plies; ++plies) {
    const auto step_at = [&](int at) {
      if (settings.filter.empty()) return FilterStep{0, static_cast<int>(ranked.size()), 1e9};
      return settings.filter[std::min<std::size_t>(at, settings.filter.size() - 1)];
    };
    // A skipped look neither evaluates nor filters; the first and the last one are never skipped.
    if (plies < settings.plies && step_at(plies).keep < 0) continue;
    int before = plies - 1;
    while (before > 0 && step_at(before).keep < 0) --before;
    const FilterStep step = step_at(before);
    const double bar = ranked.front().equity - step.threshold;
    std::size_t kept = 0;
    while (kept < survivors &&
           (static_cast<int>(kept) < std::max(step.keep, 1) ||
            (static_cast<int>(kept) < std::max(step.keep, 0) + step.extra && ranked[kept].equity >= bar)))
      ++kept;
    survivors = kept;
    std::vector<RankedResult> deeper(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(survivors));
    if (!look(deeper, plies)) break;
    std::copy(deeper.begin(), deeper.end(), ranked.begin());
    std::stable_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(survivors), ranks_before);
    ranking.plies = plies;
  }
  if (ranking.plies > 0 && !interrupt.stopped()) {
    std::vector<RankedResult> late;
    for (const RankedResult& one : ranked)
      if (one.asked && one.plies < ranking.plies) late.push_back(one);
    if (!late.empty() && look(late, ranking.plies)) {
      for (const RankedResult& one : late)
        std::find_if(ranked.begin(), ranked.end(), [&](const auto& old) { return old.result == one.result; })[0] = one;
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(), ranks_before);
  ranking.stopped = interrupt.stopped() && !interrupt.out_of_time();
  return ranking;
}

CubeWeights Analyst::cube(const Position& position, const CubeModel& model, CubeOwner owner, int plies,
                          const TreeSettings& settings, Interrupt& interrupt) const {
  const int state = model.with_owner(owner);
  const int taken = model.doubled(state, 0);
  CubeWeights weights;
  weights.available = taken >= 0;
  const StateMask states = StateMask{1} << state | (weights.available ? StateMask{1} << taken : 0);
  const Tree tree(*evaluator_, model, table_.get(), settings, plies, states, interrupt);
  Replies replies;
  Subject subject{position, &replies, {}};
  weights.stopped = !values(tree, {&subject, 1}, plies, 0, false);
  if (weights.stopped) return weights;
  const NodeValue& node = subject.value;
  weights.outputs = to_outputs(node.outputs);
  weights.no_double = node.values[state];
  weights.dead = model.dead(weights.outputs, 0, state);
  weights.double_pass = model.passed_value(state, 0);
  if (weights.available) weights.double_take = model.scale() * node.values[taken];
  return weights;
}

bool Analyst::value(const Position& position, const CubeModel& model, int plies, const TreeSettings& settings,
                    Interrupt& interrupt, NodeValue& node) const {
  const Tree tree(*evaluator_, model, table_.get(), settings, plies, StateMask{1} << model.present(), interrupt);
  Replies replies;
  Subject subject{position, &replies, {}};
  if (!values(tree, {&subject, 1}, plies, 0, true)) return false;
  node = subject.value;
  return true;
}

bool Analyst::roll_values(const Position& position, const CubeModel& model, int plies, const TreeSettings& settings,
                          Interrupt& interrupt, std::array<double, kRolls>& rolls) const {
  const Tree tree(*evaluator_, model, table_.get(), settings, plies + 1, StateMask{1} << model.present(), interrupt);
  Replies replies;
  if (!tree.choose(position, plies + 1, 0, replies)) return false;
  std::vector<NodeValue> after(replies.of.size());
  pool_.run(static_cast<int>(after.size()), [&](int i) { tree.reply_value(replies.of[i], plies, 1, after[i]); });
  if (interrupt.stopped()) return false;
  for (int roll = 0; roll < kRolls; ++roll)
    rolls[roll] = -after[replies.chosen[model.present()][roll]].values[model.present()];
  return true;
}

}  // namespace kibitz
