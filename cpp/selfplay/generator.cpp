#include "selfplay/generator.hpp"

#include <algorithm>
#include <cmath>

#include "board/plays.hpp"
#include "eval/position_class.hpp"
#include "tables/exact.hpp"

namespace kibitz {
namespace {

constexpr int kLongestGame = 400;      // plies; longer games are cut off, as nothing new happens in them
constexpr float kNearBest = 0.1f;      // equity that a stray play may give up
constexpr int kLongestOddStart = 24;   // random plies before an odd game

bool is_exact(PositionClass kind) { return ExactTables::covers(kind); }

Outputs weighted_sum(const Outputs& a, const Outputs& b, float factor) {
  return {a.win + factor * b.win, a.win_gammon + factor * b.win_gammon, a.win_backgammon + factor * b.win_backgammon,
          a.lose_gammon + factor * b.lose_gammon, a.lose_backgammon + factor * b.lose_backgammon};
}

Outputs clamped(Outputs outputs) {
  for (float* value : {&outputs.win, &outputs.win_gammon, &outputs.win_backgammon, &outputs.lose_gammon, &outputs.lose_backgammon})
    *value = std::clamp(*value, 0.0f, 1.0f);
  return outputs;
}

}  // namespace

Generator::Generator(std::shared_ptr<const Evaluator> evaluator, GeneratorSettings settings, std::uint64_t seed)
    : evaluator_(std::move(evaluator)), settings_(settings), random_(seed) {}

Dice Generator::roll() { return Dice(1 + static_cast<int>(random_() % 6), 1 + static_cast<int>(random_() % 6)); }

Outputs Generator::best_reply(Chooser& chooser, const Position& position, Dice dice, Position& best) {
  const Chooser::Choice choice = chooser.best(position, dice);
  best = choice.result;
  return choice.outputs.swapped();
}

Outputs Generator::backup(Chooser& chooser, const Position& position, Dice chosen, Position& best_of_chosen) {
  Outputs sum;
  Position best;
  for (const Dice dice : kAllRolls) {
    sum = weighted_sum(sum, best_reply(chooser, position, dice, best), static_cast<float>(dice.weight()) / 36.0f);
    if (dice == chosen) best_of_chosen = best;
  }
  return sum;
}

// One of the plays that are close to the best, each as likely as the others.
Position Generator::near_best(Chooser& chooser, const Position& position, Dice dice, const Position& best) {
  const float least = chooser.best(position, dice).outputs.equity();
  if (chooser.considered() == 0) return best;
  near_.clear();
  for (std::size_t i = 0; i < chooser.judged().size(); ++i)
    if (chooser.judgements()[i].equity() <= least + kNearBest) near_.push_back(chooser.judged()[i]);
  return near_[random_() % near_.size()];
}

Outputs Generator::deep_backup(Chooser& chooser, const Position& position) {
  Outputs sum;
  Position unused;
  for (const Dice dice : kAllRolls) {
    const Chooser::Choice choice = chooser.best(position, dice);
    const bool known = is_exact(classify(choice.result));
    const Outputs theirs = known ? choice.outputs : backup(chooser, choice.result, dice, unused);
    sum = weighted_sum(sum, theirs.swapped(), static_cast<float>(dice.weight()) / 36.0f);
  }
  return sum;
}

// Random plays, hits preferred, lead to back games, broken boards and other positions that good play seldom sees.
Position Generator::odd_start() {
  Position position = starting_position();
  const int plies = static_cast<int>(random_() % (kLongestOddStart + 1));
  const bool prefers_hits = random_() % 2;
  for (int ply = 0; ply < plies; ++ply) {
    legal_results(position, roll(), results_);
    if (results_.empty()) {
      position = position.swapped();
      continue;
    }
    Position next = results_[random_() % results_.size()];
    for (int attempt = 0; prefers_hits && attempt < 3 && next.mine[kBar] == 0; ++attempt)
      next = results_[random_() % results_.size()];
    if (is_exact(classify(next))) break;
    position = next;
  }
  return position;
}

void Generator::play_game(std::vector<Sample>& samples) {
  struct Turn {
    Position position;
    Outputs value;   // what the net says
    Outputs backup;  // what one ply of look-ahead says
    bool explored;   // the play that followed was random
  };
  std::vector<Turn> game;
  Chooser chooser(*evaluator_, settings_.shortlist);
  std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
  Position position = uniform(random_) < settings_.odd_starts ? odd_start() : starting_position();
  while (static_cast<int>(game.size()) < kLongestGame && !is_exact(classify(position))) {
    const Dice dice = roll();
    Turn turn;
    Position next;
    turn.position = position;
    turn.value = evaluator_->evaluate(position);
    turn.backup = settings_.exact ? backup(chooser, position, dice, next)
                                    : best_reply(chooser, position, dice, next);
    if (settings_.exact && settings_.doubt > 0 && std::abs(turn.backup.equity() - turn.value.equity()) > settings_.doubt)
      turn.backup = deep_backup(chooser, position);
    turn.explored = uniform(random_) < settings_.explore;
    if (turn.explored) {
      legal_results(position, dice, results_);
      if (!results_.empty()) next = results_[random_() % results_.size()];
    } else if (uniform(random_) < settings_.stray) {
      next = near_best(chooser, position, dice, next);
    }
    game.push_back(turn);
    position = next;
  }

  // What a later position learnt beyond the net's own value flows back to the position before it: also after a stray play,
  // since what is wrong with the net's value there is much the same as after the best one.
  Outputs learnt;  // target minus value of the turn after, for its player on roll
  for (std::size_t i = game.size(); i-- > 0;) {
    const Turn& turn = game[i];
    Outputs target = turn.backup;
    if (i + 1 < game.size() && !turn.explored && settings_.lambda > 0) {
      // Seen by the other player, a difference of win probabilities changes its sign.
      const Outputs seen = {-learnt.win, learnt.lose_gammon, learnt.lose_backgammon, learnt.win_gammon, learnt.win_backgammon};
      target = clamped(weighted_sum(target, seen, settings_.lambda));
    }
    samples.push_back({turn.position, target});
    learnt = weighted_sum(target, turn.value, -1.0f);
  }
}

}  // namespace kibitz
