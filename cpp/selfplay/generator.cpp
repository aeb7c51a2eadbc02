#include "selfplay/generator.hpp"

#include <cmath>

#include "board/plays.hpp"
#include "search/tree.hpp"

namespace kibitz {
namespace {

constexpr int kLongestGame = 400;     // plies; longer games are cut off, as nothing new happens in them
constexpr float kNearBest = 0.1f;     // equity that a stray play may give up
constexpr int kLongestOddStart = 24;  // random plies before an odd game

Outputs weighted_sum(const Outputs& a, const Outputs& b, float factor) {
  return {a.win + factor * b.win, a.win_gammon + factor * b.win_gammon, a.win_backgammon + factor * b.win_backgammon,
          a.lose_gammon + factor * b.lose_gammon, a.lose_backgammon + factor * b.lose_backgammon};
}

}  // namespace

Generator::Generator(std::shared_ptr<const Evaluator> evaluator, GeneratorSettings settings, std::uint64_t seed)
    : evaluator_(std::move(evaluator)), settings_(settings), random_(seed), model_(Stakes{.jacoby = false}, nullptr) {}

Dice Generator::roll() { return Dice(1 + static_cast<int>(random_() % 6), 1 + static_cast<int>(random_() % 6)); }

Outputs Generator::backup(const Position& position, int plies) const {
  TreeSettings settings;
  settings.cubeful = false;
  settings.replies = settings.last_replies = settings_.shortlist;
  Interrupt never;
  const Tree tree(*evaluator_, model_, nullptr, settings, plies, StateMask{1} << model_.present(), never);
  NodeValue node;
  tree.undecided(position, plies, 0, node);
  const auto output = [&](int i) { return static_cast<float>(node.outputs[i]); };
  return {output(0), output(1), output(2), output(3), output(4)};
}

Position Generator::near_best(const Chooser& chooser, const Chooser::Choice& best) {
  if (chooser.considered() == 0) return best.result;
  near_.clear();
  for (std::size_t i = 0; i < chooser.judged().size(); ++i)
    if (chooser.judgements()[i].equity() <= best.outputs.equity() + kNearBest) near_.push_back(chooser.judged()[i]);
  return near_[random_() % near_.size()];
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
    if (!in_contact(next)) break;
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
  while (static_cast<int>(game.size()) < kLongestGame && in_contact(position)) {
    const Dice dice = roll();
    const Chooser::Choice best = chooser.best(position, dice);
    Position next = best.result;
    Turn turn;
    turn.position = position;
    turn.value = evaluator_->evaluate(position);
    turn.backup = settings_.exact ? backup(position, 1) : best.outputs.swapped();
    if (settings_.exact && settings_.doubt > 0 &&
        std::abs(turn.backup.equity() - turn.value.equity()) > settings_.doubt)
      turn.backup = backup(position, 2);
    turn.explored = uniform(random_) < settings_.explore;
    if (turn.explored) {
      legal_results(position, dice, results_);
      if (!results_.empty()) next = results_[random_() % results_.size()];
    } else if (uniform(random_) < settings_.stray) {
      next = near_best(chooser, best);
    }
    game.push_back(turn);
    position = next;
  }

  // What a later position learnt beyond the net's own value flows back to the position before it: also after a stray play,
  // since what is wrong with the net's value there is much the same as after the best one. A single target may so leave
  // the range of a probability; cutting that off would raise the mean of what is rare.
  Outputs learnt;  // target minus value of the turn after, for its player on roll
  for (std::size_t i = game.size(); i-- > 0;) {
    const Turn& turn = game[i];
    Outputs target = turn.backup;
    if (i + 1 < game.size() && !turn.explored && settings_.lambda > 0) {
      // Seen by the other player, a difference of win probabilities changes its sign.
      const Outputs seen = {-learnt.win, learnt.lose_gammon, learnt.lose_backgammon, learnt.win_gammon,
                            learnt.win_backgammon};
      target = weighted_sum(target, seen, settings_.lambda);
    }
    samples.push_back({turn.position, target});
    learnt = weighted_sum(target, turn.value, -1.0f);
  }
}

}  // namespace kibitz
