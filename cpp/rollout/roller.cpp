#include "rollout/roller.hpp"

#include <algorithm>
#include <cmath>

#include "decide/game.hpp"

namespace kibitz {

Roller::Roller(std::array<std::shared_ptr<const Evaluator>, 2> evaluators, std::shared_ptr<const Evaluator> luck,
               const MatchState& match, const MatchEquity* table, const RolloutSettings& settings,
               std::vector<Candidate> candidates)
    : settings_(settings),
      candidates_(std::move(candidates)),
      cube_states_(reachable_cube_states(match, table, {settings.cubeful, {}, settings.total_checkers},
                                         {settings.sides[0].cubeful, settings.sides[1].cubeful})),
      dice_(settings.seed, settings.stratified) {
  const bool same = evaluators[0] == evaluators[1];
  if (!same && !luck) luck = evaluators[0];
  players_[0] = std::make_shared<const Player>(evaluators[0], luck, settings);
  players_[1] = same ? players_[0] : std::make_shared<const Player>(evaluators[1], luck, settings);
}

// One game: both players at their plies, the cube as far as it has gone, and the luck of side 0 so far. Whoever is
// interrupted says so, and goes no further.
class Roller::Game : public GamePlayers, public GameObserver {
 public:
  Game(const Roller& roller, std::uint64_t number, const Candidate& start, const std::uint8_t* faces,
       Interrupt& interrupt)
      : roller_(roller),
        settings_(roller.settings_),
        number_(number),
        start_(start),
        faces_(faces),
        interrupt_(interrupt) {
    if (!start.taken) return;
    turned_ = 1;
    cube_ = roller.cube_states_[0].doubled[0];
    stake_ = roller.cube_states_[0].model(0).scale();
  }

  // False if interrupted.
  bool play(GameValues& values, GameEvents& events, int* turns) {
    GameState state{start_.position, start_.on_roll};
    const GameEnd end = run_game(state, *this, *this);
    if (interrupted_) return false;
    if (end == GameEnd::kOver) {
      final_ = player().finished(state.position, leaf(state));
      const int kind = (final_.outputs.lose_gammon > 0) + (final_.outputs.lose_backgammon > 0);  // of the side on roll
      events_.end = static_cast<std::uint8_t>((state.on_roll == 1 ? GameEvents::kWon : GameEvents::kLost) + kind);
    }
    events_.level = static_cast<std::uint8_t>(level());
    events = events_;
    if (turns != nullptr) *turns = state.turn;
    if (state.on_roll == 1) final_ = final_.swapped();
    values.outputs = final_.outputs - luck_.outputs;
    values.equity = values.outputs.equity();
    const CubeModel& model = roller_.cube_states_[0].model(0);
    values.utility =
        settings_.cubeful ? stake_ * final_.utility - luck_.utility : model.dead(values.outputs, 0, model.present());
    return true;
  }

  bool goes_on(const GameState& state) override {
    if (interrupted_) return false;
    // A table's value has the decision to double in it, so it is no answer where there must be none.
    if (settings_.stop_at_tables && (may_double(state) || !settings_.cubeful) &&
        player().exact(state.position, state.on_roll, cube_state(), final_)) {
      events_.end = GameEvents::kTable;
      return false;
    }
    if ((settings_.truncate == 0 || state.turn < settings_.truncate) && state.turn < kLongestGame) return true;
    done(player().value(state.position, outputs(state), leaf(state), settings_.truncation_plies, interrupt_, final_));
    return false;
  }

  bool doubles(const GameState& state) override {
    if (!settings_.cubeful || !may_double(state) || cube_state().doubled[state.on_roll] < 0) return false;
    return done(look_at_cube(state, state.on_roll)) && view_.doubles();
  }

  bool takes(const GameState& state) override {
    if (!look_alike(state.turn)) done(look_at_cube(state, 1 - state.on_roll));
    return interrupted_ || view_.takes();
  }

  void doubled(const GameState& state, bool taken) override {
    if (!taken) {
      final_ = {outputs(state), view_.passed};
      events_.end = static_cast<std::uint8_t>(GameEvents::kPassed + state.on_roll);
      return;
    }
    events_.taken[state.on_roll] |= static_cast<std::uint8_t>(1 << level());
    turned_ += view_.beaver ? 2 : 1;
    stake_ *= cube_state().model(state.on_roll).scale() * (view_.beaver ? 2.0 : 1.0);
    cube_ = cube_state().doubled[state.on_roll];
  }

  Dice roll(const GameState& state) override {
    if (faces_ == nullptr) return roller_.dice_.roll(number_, state.turn);
    const int face = faces_[state.turn];
    return Dice(1 + face / 6, 1 + face % 6);
  }

  Position play(const GameState& state, Dice dice) override {
    Turn turn;
    if (interrupted_ || !done(remembered_turn(state, dice, turn))) return state.position.swapped();
    if (settings_.variance_reduction) add_luck(turn.luck, state.on_roll);
    outputs_ = turn.outputs;
    evaluated_ = turn.evaluated && !players_differ();  // the next one has to see for himself
    return turn.result;
  }

 private:
  const Player& player(Side side = 0) const { return *roller_.players_[side]; }
  bool players_differ() const { return roller_.players_[0] != roller_.players_[1]; }
  const CubeState& cube_state() const { return roller_.cube_states_[cube_]; }
  const LeafModel& leaf(const GameState& state) const { return cube_state().leaf(state.on_roll); }
  int level() const { return std::min(turned_, GameEvents::kLevels - 1); }
  // Whether both sides see the same in a cube decision.
  bool look_alike(int turn) const {
    const auto& [one, other] = settings_.sides;
    return settings_.stage(0, turn).cube == settings_.stage(1, turn).cube && one.replies == other.replies &&
           one.last_replies == other.last_replies && !players_differ();
  }
  bool may_double(const GameState& state) const { return state.turn > 0 || start_.may_double; }

  // Notes an interruption.
  bool done(bool finished) {
    interrupted_ |= !finished;
    return finished;
  }

  // The outputs of the position, which are found when somebody asks for them.
  const Outputs& outputs(const GameState& state, Side side = 0) {
    if (!evaluated_) outputs_ = player(side).outputs_of(state.position);
    evaluated_ = true;
    return outputs_;
  }

  // The cube decision by the plies of one side.
  bool look_at_cube(const GameState& state, Side side) {
    const int plies = settings_.stage(side, state.turn).cube;
    if (players_differ()) evaluated_ = false;
    return player(side).cube(state.position, outputs(state, side), leaf(state), side, plies, interrupt_, view_);
  }

  bool remembered_turn(const GameState& state, Dice dice, Turn& turn) const {
    const auto look = [&] {
      const int plies = settings_.stage(state.on_roll, state.turn).play;
      return player(state.on_roll).play(state.position, dice, state.on_roll, cube_state(), plies, interrupt_, turn);
    };
    if (state.turn >= TurnMemory::kTurns) return look();
    const TurnMemory::Key key{position_key(state.position), static_cast<std::int16_t>(state.turn),
                              static_cast<std::int8_t>(cube_), static_cast<std::int8_t>(state.on_roll),
                              static_cast<std::int8_t>(roll_index(dice))};
    if (roller_.memory_.find(key, turn)) return true;
    if (!look()) return false;
    roller_.memory_.store(key, turn);
    return true;
  }

  void add_luck(const Value& luck, Side side) {
    luck_.outputs += side == 0 ? luck.outputs : luck.outputs.swapped_difference();
    luck_.utility += (side == 0 ? stake_ : -stake_) * luck.utility;
  }

  const Roller& roller_;
  const RolloutSettings& settings_;
  const std::uint64_t number_;
  const Candidate& start_;
  const std::uint8_t* const faces_;  // its rolls, or none: then those of the roller
  Interrupt& interrupt_;
  bool interrupted_ = false;
  int cube_ = 0;    // the cube state
  int turned_ = 0;  // how often the cube has been turned
  GameEvents events_;
  double stake_ = 1.0;
  Outputs outputs_;         // of the position ...
  bool evaluated_ = false;  // ... once somebody has asked for them
  Player::CubeView view_;   // of the last cube decision
  Value luck_;              // of side 0, all turns together
  Value final_;             // of the side on roll when the game ends
};

bool Roller::play_game(std::uint64_t game, int candidate, Interrupt& interrupt, GameValues& values, GameEvents& events,
                       int* turns, const std::uint8_t* faces) const {
  return Game(*this, game, candidates_[candidate], faces, interrupt).play(values, events, turns);
}

bool Roller::play(std::uint64_t first, int count, std::span<const std::uint8_t> faces, std::span<std::int64_t> values,
                  std::span<GameEvents> events, const std::atomic<bool>* cancelled) const {
  Interrupt interrupt(std::nullopt, {}, cancelled);
  std::size_t at = 0;
  std::size_t number = 0;
  for (int i = 0; i < count; ++i)
    for (int candidate = 0; candidate < candidates(); ++candidate) {
      GameValues game;
      const std::uint8_t* rolls = faces.empty() ? nullptr : &faces[static_cast<std::size_t>(i) * kLongestGame];
      if (!play_game(first + static_cast<std::uint64_t>(i), candidate, interrupt, game, events[number++], nullptr,
                     rolls))
        return false;
      const auto& [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] = game.outputs;
      for (const double value :
           {win, win_gammon, win_backgammon, lose_gammon, lose_backgammon, game.equity, game.utility})
        values[at++] = std::llround(std::ldexp(value, kValueShift));
    }
  return true;
}

}  // namespace kibitz
