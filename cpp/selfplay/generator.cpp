#include "selfplay/generator.hpp"

#include <cmath>

#include "board/plays.hpp"
#include "decide/game.hpp"
#include "search/tree.hpp"

namespace kibitz {
namespace {

constexpr int kLongestGame = 400;          // plies; longer games are cut off, as nothing new happens in them
constexpr float kNearBest = 0.1f;          // equity that a play near the best may give up
constexpr int kLongestRandomOpening = 24;  // random plies before a game with a random opening

}  // namespace

Generator::Generator(std::shared_ptr<const Evaluator> evaluator, GeneratorSettings settings, std::uint64_t seed)
    : evaluator_(std::move(evaluator)),
      settings_(settings),
      random_(seed),
      leaf_(CubeModel(MatchState{.jacoby = false}, nullptr), {.cubeful = false, .exact = false}) {}

Dice Generator::roll() { return Dice(1 + static_cast<int>(random_() % 6), 1 + static_cast<int>(random_() % 6)); }

Outputs Generator::backup(const Position& position, int plies) const {
  const TreeSettings settings{settings_.shortlist, settings_.shortlist, leaf_.settings()};
  Interrupt never;
  const Tree tree(*evaluator_, leaf_.model(), settings, plies, only(leaf_.model().present()), never);
  PositionValue value;
  tree.undecided(position, plies, 0, value);
  return value.outputs.rounded();
}

Position Generator::near_best(const Reply& best) {
  near_.clear();
  for (int place = 0; place < chooser_.count(0); ++place)
    if (const Reply reply = chooser_.reply(0, place); reply.outputs.equity() <= best.outputs.equity() + kNearBest)
      near_.push_back(reply.position);
  return near_.empty() ? best.position : near_[random_() % near_.size()];
}

// Random plays, hits preferred, lead to back games, broken boards and other positions that good play seldom sees.
Position Generator::random_opening() {
  Position position = starting_position();
  const int plies = static_cast<int>(random_() % (kLongestRandomOpening + 1));
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

Position Generator::start() {
  const bool random = std::uniform_real_distribution<float>(0.0f, 1.0f)(random_) < settings_.random_openings;
  return random ? random_opening() : starting_position();
}

// A game of the generator with itself, of which every turn is kept.
class Generator::Game : public GamePlayers, public GameObserver {
 public:
  Game(Generator& generator, std::vector<RecordedTurn>& turns) : own_(generator), turns_(turns) {}

  float chance() { return uniform_(own_.random_); }

  bool goes_on(const GameState& state) override { return state.turn < kLongestGame && in_contact(state.position); }
  Dice roll(const GameState&) override { return own_.roll(); }

  Position play(const GameState& state, Dice dice) override {
    const GeneratorSettings& settings = own_.settings_;
    const RollRequest request{dice, ReplyLimits::shortlist(settings.shortlist)};
    own_.chooser_.look(*own_.evaluator_, state.position, {&request, 1}, true);
    const Reply best = own_.chooser_.best(0, own_.leaf_, 0);
    RecordedTurn turn{state.position, own_.evaluator_->evaluate(state.position), {}, true};
    turn.backup = settings.exact ? own_.backup(state.position, 1) : best.outputs.swapped();
    if (settings.exact && settings.doubt > 0 && std::abs(turn.backup.equity() - turn.value.equity()) > settings.doubt)
      turn.backup = own_.backup(state.position, 2);
    Position next = best.position;
    turn.traced = chance() >= settings.explore;
    if (!turn.traced) {
      legal_results(state.position, dice, own_.results_);
      if (!own_.results_.empty()) next = own_.results_[own_.random_() % own_.results_.size()];
    } else if (chance() < settings.near_exploration) {
      next = own_.near_best(best);
    }
    turns_.push_back(turn);
    return next;
  }

 private:
  Generator& own_;
  std::vector<RecordedTurn>& turns_;
  std::uniform_real_distribution<float> uniform_{0.0f, 1.0f};
};

void Generator::play_game(const Position& start, std::vector<RecordedTurn>& turns) {
  Game game(*this, turns);
  GameState state;
  state.position = start;
  run_game(state, game, game);
  if (!turns.empty()) turns.back().traced = false;
}

// What a later position learnt beyond the net's own value flows back to the position before it: also after another play
// than the best, since what is wrong with the net's value there is much the same as after the best one. A single target
// may so leave the range of a probability; cutting that off would raise the mean of what is rare.
void lambda_returns(std::span<const RecordedTurn> turns, float lambda, Outputs* targets) {
  Outputs learnt;  // target minus value of the turn after, for its player on roll
  for (std::size_t i = turns.size(); i-- > 0;) {
    const RecordedTurn& turn = turns[i];
    targets[i] = turn.backup;
    if (turn.traced) targets[i] += learnt.swapped_difference() * lambda;
    learnt = targets[i] - turn.value;
  }
}

}  // namespace kibitz
