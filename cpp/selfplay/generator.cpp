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
      leaf_(CubeModel(Stakes{.jacoby = false}, nullptr), {.cubeful = false, .exact = false}) {}

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

// A game of the generator with itself, of which every turn is kept.
class Generator::Game : public GamePlayers, public GameObserver {
 public:
  struct Turn {
    Position position;
    Outputs value;   // what the net says
    Outputs backup;  // what one ply of look-ahead says
    bool explored;   // the play that followed was random
  };

  explicit Game(Generator& generator) : own_(generator) {}

  const std::vector<Turn>& turns() const { return turns_; }
  float chance() { return uniform_(own_.random_); }

  bool goes_on(const GameState& state) override { return state.turn < kLongestGame && in_contact(state.position); }
  Dice roll(const GameState&) override { return own_.roll(); }

  Position play(const GameState& state, Dice dice) override {
    const GeneratorSettings& settings = own_.settings_;
    const RollRequest request{dice, ReplyLimits::shortlist(settings.shortlist)};
    own_.chooser_.look(*own_.evaluator_, state.position, {&request, 1}, true);
    const Reply best = own_.chooser_.best(0, own_.leaf_, 0);
    Turn turn{state.position, own_.evaluator_->evaluate(state.position), {}, false};
    turn.backup = settings.exact ? own_.backup(state.position, 1) : best.outputs.swapped();
    if (settings.exact && settings.doubt > 0 && std::abs(turn.backup.equity() - turn.value.equity()) > settings.doubt)
      turn.backup = own_.backup(state.position, 2);
    Position next = best.position;
    turn.explored = chance() < settings.explore;
    if (turn.explored) {
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
  std::vector<Turn> turns_;
  std::uniform_real_distribution<float> uniform_{0.0f, 1.0f};
};

void Generator::play_game(std::vector<Sample>& samples) {
  Game game(*this);
  GameState state;
  if (game.chance() < settings_.random_openings) state.position = random_opening();
  run_game(state, game, game);

  // What a later position learnt beyond the net's own value flows back to the position before it: also after another
  // play than the best, since what is wrong with the net's value there is much the same as after the best one. A single
  // target may so leave the range of a probability; cutting that off would raise the mean of what is rare.
  Outputs learnt;  // target minus value of the turn after, for its player on roll
  for (std::size_t i = game.turns().size(); i-- > 0;) {
    const Game::Turn& turn = game.turns()[i];
    Outputs target = turn.backup;
    if (i + 1 < game.turns().size() && !turn.explored && settings_.lambda > 0)
      target += learnt.swapped_difference() * settings_.lambda;
    samples.push_back({turn.position, target});
    learnt = target - turn.value;
  }
}

}  // namespace kibitz
