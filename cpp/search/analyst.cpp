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

bool Analyst::values(const Tree& tree, std::span<const Position> positions, int plies, Side on_roll, bool decided,
                     std::span<NodeValue> nodes) const {
  const int count = static_cast<int>(positions.size());
  const auto idle = [&tree] { tree.interrupt().due(); };
  const auto whole = [&](int i) {
    if (decided) {
      tree.value(positions[i], plies, on_roll, nodes[i]);
    } else {
      tree.undecided(positions[i], plies, on_roll, nodes[i]);
    }
  };
  if (plies < 2) {
    pool_.run(count, whole, idle);
    return !tree.interrupt().stopped();
  }
  // First a reply to every roll for every position, then every reply by itself: small tasks keep all threads busy. The
  // sums are made in the order of the rolls, so the digits do not depend on who did what.
  std::vector<char> plain(count);
  std::vector<Replies> replies(count);
  std::vector<std::array<NodeValue, kRolls>> after(count);
  pool_.run(
      count,
      [&](int i) {
        NodeValue known;
        plain[i] = is_over(positions[i]) || tree.exact(positions[i], on_roll, known);
        if (plain[i]) {
          whole(i);
        } else {
          tree.choose(positions[i], plies, on_roll, replies[i]);
        }
      },
      idle);
  if (tree.interrupt().stopped()) return false;
  pool_.run(
      count * kRolls,
      [&](int task) {
        const int i = task / kRolls, roll = task % kRolls;
        if (!plain[i] && replies[i].first_like(roll) == roll && !tree.interrupt().stopped())
          tree.reply_value(replies[i].of[roll], plies - 1, 1 - on_roll, after[i][roll]);
      },
      idle);
  if (tree.interrupt().stopped()) return false;
  for (int i = 0; i < count; ++i) {
    if (plain[i]) continue;
    for (int roll = 0; roll < kRolls; ++roll) after[i][roll] = after[i][replies[i].first_like(roll)];
    tree.combine(after[i], nodes[i]);
    if (decided) tree.decide(on_roll, nodes[i]);
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

  // One look at some candidates, as deep as told. False if it was interrupted: then they are unchanged.
  const auto look = [&](std::span<RankedResult> candidates, int plies) {
    const Tree tree(*evaluator_, model, table_.get(), settings.tree, plies, StateMask{1} << present, interrupt);
    std::vector<Position> positions;
    for (const RankedResult& candidate : candidates) positions.push_back(candidate.result);
    std::vector<NodeValue> nodes(positions.size());
    if (plies == 0) {
      std::vector<Outputs> outputs(positions.size());
      evaluator_->evaluate_results(position, positions, outputs);
      for (std::size_t i = 0; i < positions.size(); ++i) {
        if (is_over(positions[i])) {
          tree.leaf(positions[i], final_outputs(positions[i], settings.tree.total_checkers), 1, false, nodes[i]);
        } else if (!tree.exact(positions[i], 1, nodes[i])) {
          tree.leaf(positions[i], outputs[i], 1, true, nodes[i]);
        }
      }
    } else if (!values(tree, positions, plies, 1, true, nodes)) {
      return false;
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      RankedResult& candidate = candidates[i];
      candidate.outputs = to_outputs(nodes[i].outputs).swapped();
      candidate.utility = settings.tree.cubeful ? -nodes[i].values[present]
                                                : -model.dead(candidate.outputs.swapped(), 1, present);
      candidate.equity = model.normalised(candidate.utility, 0);
      candidate.plies = plies;
    }
    return true;
  };

  auto& ranked = ranking.results;
  ranked.resize(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    ranked[i].result = results[i];
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
    while (kept < survivors && (static_cast<int>(kept) < std::max(step.keep, 1) ||
                                (static_cast<int>(kept) < std::max(step.keep, 0) + step.extra &&
                                 ranked[kept].equity >= bar)))
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

std::vector<CubeWeights> Analyst::cube(const Position& position, const CubeModel& model,
                                       const std::vector<CubeOwner>& owners, int plies, const TreeSettings& settings,
                                       Interrupt& interrupt) const {
  StateMask states = 0;
  for (const CubeOwner owner : owners) states |= StateMask{1} << model.with_owner(owner);
  const Tree tree(*evaluator_, model, table_.get(), settings, plies, states, interrupt);
  NodeValue node;
  const bool done = values(tree, {&position, 1}, plies, 0, false, {&node, 1});
  std::vector<CubeWeights> weights(owners.size());
  for (std::size_t i = 0; i < owners.size(); ++i) {
    CubeWeights& one = weights[i];
    one.stopped = !done;
    if (!done) continue;
    const int state = model.with_owner(owners[i]);
    const int after = model.doubled(state, 0);
    one.outputs = to_outputs(node.outputs);
    one.no_double = node.values[state];
    one.dead = model.dead(one.outputs, 0, state);
    one.double_pass = model.passed_value(state, 0);
    one.available = after >= 0;
    if (one.available) {
      one.double_take = model.scale() * node.values[after];
      one.beaver = 2.0 * one.double_take;
    }
  }
  return weights;
}

bool Analyst::value(const Position& position, const CubeModel& model, int plies, const TreeSettings& settings,
                    Interrupt& interrupt, NodeValue& node) const {
  const Tree tree(*evaluator_, model, table_.get(), settings, plies, StateMask{1} << model.present(), interrupt);
  return values(tree, {&position, 1}, plies, 0, true, {&node, 1});
}

bool Analyst::roll_values(const Position& position, const CubeModel& model, int plies, const TreeSettings& settings,
                          Interrupt& interrupt, std::array<double, kRolls>& rolls) const {
  const Tree tree(*evaluator_, model, table_.get(), settings, plies + 1, StateMask{1} << model.present(), interrupt);
  Replies replies;
  if (!tree.choose(position, plies + 1, 0, replies)) return false;
  pool_.run(kRolls, [&](int roll) {
    NodeValue node;
    if (tree.reply_value(replies.of[roll], plies, 1, node)) rolls[roll] = -node.values[model.present()];
  });
  return !interrupt.stopped();
}

}  // namespace kibitz
