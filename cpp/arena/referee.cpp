#include "arena/referee.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "arena/arena_dice.hpp"
#include "board/game_over.hpp"
#include "decide/game.hpp"
#include "support/share_out.hpp"

namespace kibitz {
namespace {

// No real game is nearly as long; a contestant that never finishes must not hang the arena.
constexpr int kLongestGame = 10000;

// One game: the board, the cube, and what is to be known about them.
class GameTable {
 public:
  GameTable(const ArenaSettings& settings, std::array<int, 2> score, bool crawford)
      : settings_(settings), score_(score), crawford_(crawford) {
    set_cube(1, -1);
  }

  // The model in which this seat is side 0.
  const CubeModel& model(int seat) const { return *models_[seat]; }
  int cube() const { return cube_; }

  bool may_double(int seat) const {
    return settings_.rules.cube && models_[seat]->doubled(models_[seat]->present(), 0) >= 0;
  }
  void set_cube(int value, int owner) {
    cube_ = value;
    owner_ = owner;
    for (int seat = 0; seat < 2; ++seat) {
      MatchState match;
      const ArenaRules& rules = settings_.rules;
      if (rules.length > 0) {
        match.my_away = rules.length - score_[seat];
        match.their_away = rules.length - score_[1 - seat];
      }
      match.crawford = crawford_ || !rules.cube;
      match.jacoby = rules.length == 0 && rules.jacoby && rules.cube;
      match.cube = value;
      match.owner = owner < 0 ? CubeOwner::kCentred : owner == seat ? CubeOwner::kMine : CubeOwner::kTheirs;
      models_[seat] = std::make_unique<CubeModel>(match, settings_.equity.get());
    }
  }

  // A utility of the model in points or in match winning chances.
  double in_units(double utility) const { return settings_.rules.length > 0 ? 0.5 * utility : utility * cube_; }

  // What a finished game brings its winner.
  int points(int size) const {
    const bool single = settings_.rules.length == 0 && settings_.rules.jacoby && settings_.rules.cube && owner_ < 0;
    return cube_ * (single ? 1 : size);
  }

 private:
  const ArenaSettings& settings_;
  std::array<int, 2> score_;
  bool crawford_;
  int cube_ = 1;
  int owner_ = -1;
  std::unique_ptr<CubeModel> models_[2];
};

// A money game or a match. It decides for both seats by asking them, and watches what they do.
class Session : private GamePlayers, private GameObserver {
 public:
  Session(Contestant& seat0, Contestant& seat1, const ArenaSettings& settings, LuckMeter* meter, std::uint64_t seed,
          std::uint64_t pair)
      : seats_{&seat0, &seat1}, settings_(settings), meter_(meter), seed_(seed), pair_(pair) {}

  SessionResult play() {
    const int length = settings_.rules.length;
    if (length == 0) {
      result_.result = play_one({0, 0}, false);
      return std::move(result_);
    }
    std::array<int, 2> score{0, 0};
    bool crawford_played = false;
    while (result_.finished && std::max(score[0], score[1]) < length) {
      const bool near = (score[0] == length - 1) != (score[1] == length - 1);
      const bool crawford = settings_.rules.crawford && length > 1 && near && !crawford_played;
      crawford_played = crawford_played || crawford;
      const int points = play_one(score, crawford);
      score[points > 0 ? 0 : 1] += std::abs(points);
    }
    result_.result = score[0] >= length ? 1.0 : 0.0;
    return std::move(result_);
  }

 private:
  // Points of seat 0.
  int play_one(std::array<int, 2> score, bool crawford) {
    dice_.emplace(seed_, pair_, static_cast<std::uint64_t>(result_.games));
    table_.emplace(settings_, score, crawford);
    ++result_.games;
    luck_ = 0;
    note({.kind = ArenaEvent::kGame,
          .score = {static_cast<std::int16_t>(score[0]), static_cast<std::int16_t>(score[1])},
          .crawford = crawford});
    const auto [die0, die1] = dice_->opening();
    GameState state;
    state.on_roll = die0 > die1 ? 0 : 1;
    switch (run_game(state, *this, *this)) {
      case GameEnd::kOver: return end(1 - state.on_roll, table_->points(-outcome(state.position)));
      case GameEnd::kPassed: return end(state.on_roll, table_->cube());
      default: result_.finished = false; return 1;
    }
  }

  int end(int winner, int points) {
    note({.kind = ArenaEvent::kEnd,
          .seat = static_cast<std::int8_t>(winner),
          .points = static_cast<std::int16_t>(points)});
    result_.luck += luck_;
    return winner == 0 ? points : -points;
  }

  void note(const ArenaEvent& event) {
    if (settings_.keep_events) result_.events.push_back(event);
  }

  // --- the players ---

  Decision decision(const GameState& state, int number) const {
    return {state.position, table_->model(state.on_roll),
            dice_->number(2 * static_cast<std::uint64_t>(state.turn) + static_cast<std::uint64_t>(number))};
  }

  bool doubles(const GameState& state) override {
    return state.turn > 0 && table_->may_double(state.on_roll) && seats_[state.on_roll]->doubles(decision(state, 0));
  }

  bool takes(const GameState& state) override { return seats_[1 - state.on_roll]->takes(decision(state, 0)); }

  Dice roll(const GameState& state) override {
    if (state.turn > 0) return dice_->roll(static_cast<std::uint64_t>(state.turn));
    const auto [die0, die1] = dice_->opening();
    return Dice(die0, die1);
  }

  Position play(const GameState& state, Dice dice) override {
    return seats_[state.on_roll]->play(decision(state, 1), dice);
  }

  // --- the observer ---

  bool goes_on(const GameState& state) override { return state.turn <= kLongestGame; }

  void doubled(const GameState& state, bool taken) override {
    const auto doubler = static_cast<std::int8_t>(state.on_roll);
    const auto taker = static_cast<std::int8_t>(1 - state.on_roll);
    note({.kind = ArenaEvent::kDouble, .seat = doubler});
    note({.kind = taken ? ArenaEvent::kTake : ArenaEvent::kDrop, .seat = taker});
    ++result_.doubles;
    result_.drops += !taken;
    if (!taken) return;
    table_->set_cube(2 * table_->cube(), taker);
    result_.cube = std::max(result_.cube, table_->cube());
  }

  void rolled(const GameState& state, Dice dice) override {
    if (meter_ == nullptr) return;
    const bool cubeful = settings_.rules.cube;
    if (state.turn == 0) {
      luck_ += table_->in_units(meter_->opening_luck(state.position, state.on_roll, dice, table_->model(0), cubeful));
      return;
    }
    const double luck = meter_->luck(state.position, dice, table_->model(state.on_roll), 0, cubeful);
    luck_ += (state.on_roll == 0 ? 1 : -1) * table_->in_units(luck);
  }

  void played(const GameState& state, Dice dice, const Position& result) override {
    ++result_.turns;
    note({.kind = ArenaEvent::kRoll, .seat = static_cast<std::int8_t>(state.on_roll), .dice = dice, .result = result});
  }

  Contestant* seats_[2];
  const ArenaSettings& settings_;
  LuckMeter* meter_;
  std::uint64_t seed_;
  std::uint64_t pair_;
  SessionResult result_;
  std::optional<ArenaDice> dice_;  // of the game being played, like what follows
  std::optional<GameTable> table_;
  double luck_ = 0;
};

}  // namespace

std::vector<PairResult> play_pairs(const ContestantMaker& first, const ContestantMaker& second,
                                   const ArenaSettings& settings, std::uint64_t seed,
                                   const std::vector<std::uint64_t>& pairs, int threads) {
  struct Worker {
    std::unique_ptr<Contestant> first, second;
    std::unique_ptr<LuckMeter> meter;
  };
  const auto make = [&] {
    Worker worker{first.make(), second.make(), nullptr};
    if (settings.luck_evaluator)
      worker.meter = std::make_unique<LuckMeter>(*settings.luck_evaluator, settings.luck_shortlist);
    return worker;
  };
  std::vector<PairResult> results(pairs.size());
  share_out(pairs.size(), 1, threads, make, [&](Worker& worker, std::size_t i) {
    auto& [a, b, meter] = worker;
    results[i][0] = Session(*a, *b, settings, meter.get(), seed, pairs[i]).play();
    results[i][1] = Session(*b, *a, settings, meter.get(), seed, pairs[i]).play();
  });
  return results;
}

}  // namespace kibitz
