#include "arena/referee.hpp"

#include <algorithm>
#include <thread>

#include "arena/arena_dice.hpp"
#include "search/game_over.hpp"

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
      Stakes stakes;
      const ArenaRules& rules = settings_.rules;
      if (rules.length > 0) {
        stakes.my_away = rules.length - score_[seat];
        stakes.their_away = rules.length - score_[1 - seat];
      }
      stakes.crawford = crawford_ || !rules.cube;
      stakes.jacoby = rules.length == 0 && rules.jacoby && rules.cube;
      stakes.cube = value;
      stakes.owner = owner < 0 ? CubeOwner::kCentred : owner == seat ? CubeOwner::kMine : CubeOwner::kTheirs;
      stakes.max_cube = rules.max_cube;
      models_[seat] = std::make_unique<CubeModel>(stakes, settings_.equity.get());
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

class Session {
 public:
  Session(Contestant& seat0, Contestant& seat1, const ArenaSettings& settings, LuckMeter* meter, std::uint64_t seed,
          std::uint64_t pair, const std::atomic<bool>* cancelled)
      : seats_{&seat0, &seat1}, settings_(settings), meter_(meter), seed_(seed), pair_(pair), cancelled_(cancelled) {}

  SessionResult play() {
    if (settings_.rules.length == 0) {
      const int points = play_game({0, 0}, false);
      outcome_.result = points;
    } else {
      std::array<int, 2> score{0, 0};
      bool crawford_played = false;
      while (outcome_.finished && std::max(score[0], score[1]) < settings_.rules.length) {
        const int length = settings_.rules.length;
        const bool near = (score[0] == length - 1) != (score[1] == length - 1);
        const bool crawford = settings_.rules.crawford && length > 1 && near && !crawford_played;
        crawford_played = crawford_played || crawford;
        const int points = play_game(score, crawford);
        score[points > 0 ? 0 : 1] += std::abs(points);
      }
      outcome_.result = score[0] >= settings_.rules.length ? 1.0 : 0.0;
    }
    return std::move(outcome_);
  }

 private:
  bool cancelled() const { return cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed); }

  void note(ArenaEvent event) {
    if (settings_.keep_events) outcome_.events.push_back(event);
  }

  int end(int winner, int points) {
    ArenaEvent event;
    event.kind = ArenaEvent::kEnd;
    event.seat = static_cast<std::int8_t>(winner);
    event.points = static_cast<std::int16_t>(points);
    note(event);
    outcome_.luck += luck_;
    return winner == 0 ? points : -points;
  }

  void act(ArenaEvent::Kind kind, int seat) {
    ArenaEvent event;
    event.kind = kind;
    event.seat = static_cast<std::int8_t>(seat);
    note(event);
  }

  // Points of seat 0.
  int play_game(std::array<int, 2> score, bool crawford) {
    const ArenaDice dice(seed_, pair_, static_cast<std::uint64_t>(outcome_.games));
    GameTable table(settings_, score, crawford);
    ++outcome_.games;
    luck_ = 0;
    ArenaEvent opening;
    opening.score = {static_cast<std::int16_t>(score[0]), static_cast<std::int16_t>(score[1])};
    opening.crawford = crawford;
    note(opening);

    const auto [die0, die1] = dice.opening();
    int seat = die0 > die1 ? 0 : 1;
    Position position = starting_position();
    Dice roll(die0, die1);
    const bool cubeful = settings_.rules.cube;
    if (meter_ != nullptr) {
      const CubeModel& model = table.model(0);
      luck_ += table.in_units(meter_->opening_luck(position, seat, roll, model, model.present(), cubeful));
    }
    for (int turn = 0;; ++turn) {
      if (turn > 0) {
        if (table.may_double(seat)) {
          const Decision decision{position, table.model(seat), dice.number(2 * static_cast<std::uint64_t>(turn))};
          if (seats_[seat]->doubles(decision)) {
            act(ArenaEvent::kDouble, seat);
            ++outcome_.doubles;
            if (!seats_[1 - seat]->takes(decision)) {
              act(ArenaEvent::kDrop, 1 - seat);
              ++outcome_.drops;
              return end(seat, table.cube());
            }
            act(ArenaEvent::kTake, 1 - seat);
            table.set_cube(2 * table.cube(), 1 - seat);
            outcome_.cube = std::max(outcome_.cube, table.cube());
          }
        }
        roll = dice.roll(static_cast<std::uint64_t>(turn));
        if (meter_ != nullptr) {
          const CubeModel& model = table.model(seat);
          const double luck = table.in_units(meter_->luck(position, roll, model, model.present(), 0, cubeful));
          luck_ += seat == 0 ? luck : -luck;
        }
      }
      const Decision decision{position, table.model(seat), dice.number(2 * static_cast<std::uint64_t>(turn) + 1)};
      position = seats_[seat]->play(decision, roll);
      ++outcome_.turns;
      if (settings_.keep_events) {
        ArenaEvent event;
        event.kind = ArenaEvent::kRoll;
        event.seat = static_cast<std::int8_t>(seat);
        event.dice = roll;
        event.result = position;
        note(event);
      }
      if (is_over(position)) return end(seat, table.points(-outcome(position)));
      if (turn >= kLongestGame || cancelled()) {
        outcome_.finished = false;
        return 1;
      }
      seat = 1 - seat;
    }
  }

  Contestant* seats_[2];
  const ArenaSettings& settings_;
  LuckMeter* meter_;
  std::uint64_t seed_;
  std::uint64_t pair_;
  const std::atomic<bool>* cancelled_;
  SessionResult outcome_;
  double luck_ = 0;  // of the game being played
};

}  // namespace

SessionResult play_session(Contestant& seat0, Contestant& seat1, const ArenaSettings& settings, LuckMeter* meter,
                           std::uint64_t seed, std::uint64_t pair, const std::atomic<bool>* cancelled) {
  return Session(seat0, seat1, settings, meter, seed, pair, cancelled).play();
}

std::vector<PairResult> play_pairs(const ContestantMaker& first, const ContestantMaker& second,
                                   const ArenaSettings& settings, std::uint64_t seed,
                                   const std::vector<std::uint64_t>& pairs, int threads,
                                   const std::atomic<bool>* cancelled) {
  std::vector<PairResult> results(pairs.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    const auto a = first.make();
    const auto b = second.make();
    std::unique_ptr<LuckMeter> meter;
    if (settings.luck_evaluator) meter = std::make_unique<LuckMeter>(*settings.luck_evaluator, settings.luck_shortlist);
    for (std::size_t i = next++; i < pairs.size(); i = next++) {
      results[i][0] = play_session(*a, *b, settings, meter.get(), seed, pairs[i], cancelled);
      results[i][1] = play_session(*b, *a, settings, meter.get(), seed, pairs[i], cancelled);
    }
  };
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::jthread> helpers;
  for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
  return results;
}

}  // namespace kibitz
