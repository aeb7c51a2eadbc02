#include "rollout/roller.hpp"

#include <cmath>

namespace kibitz {
namespace {

constexpr int kLongestGame = 4000;  // turns; what is not decided by then is truncated

// Adds the luck of a side to that of side 0. Both are differences, so they only change sign and places.
void add_luck(const Worth& luck, Side side, double stake, Worth& sums) {
  const std::array<double, 5>& o = luck.outputs;
  const std::array<double, 5> seen = side == 0 ? o : std::array<double, 5>{-o[0], o[3], o[4], o[1], o[2]};
  for (int i = 0; i < 5; ++i) sums.outputs[i] += seen[i];
  sums.utility += (side == 0 ? stake : -stake) * luck.utility;
}

}  // namespace

Roller::Roller(std::shared_ptr<const Evaluator> evaluator, std::shared_ptr<const Evaluator> luck, const Stakes& stakes,
               const MatchEquity* table, const RolloutSettings& settings, std::vector<Candidate> candidates)
    : settings_(settings),
      candidates_(std::move(candidates)),
      spots_(reachable_spots(stakes, table)),
      dice_(settings.seed, settings.stratified),
      player_(std::move(evaluator), std::move(luck), settings) {}

bool Roller::play_game(std::uint64_t game, int candidate, Interrupt& interrupt, GameValues& values, int* turns) const {
  const Candidate& start = candidates_[candidate];
  Position position = start.position;
  Side side = start.on_roll;
  int spot = 0;
  double stake = 1.0;
  if (start.taken) {
    spot = spots_[0].doubled[0];
    stake = spots_[0].of(0).scale();
  }
  Outputs outputs;  // of the position, once somebody has asked for them
  bool judged = false;
  const auto judge = [&] {
    if (!judged) outputs = player_.outputs_of(position);
    judged = true;
  };
  Worth luck;   // of side 0, all turns together
  Worth final;  // of the side on roll when the game ends
  int turn = 0;
  for (;; ++turn) {
    const bool may_double = turn > 0 || start.may_double;
    // A table's value has the decision to double in it, so it is no answer where there must be none.
    if (settings_.stop_at_tables && (may_double || !settings_.cubeful) &&
        player_.exact(position, side, spots_[spot], final))
      break;
    if ((settings_.truncate > 0 && turn >= settings_.truncate) || turn >= kLongestGame) {
      judge();
      if (!player_.worth(position, outputs, side, spots_[spot], settings_.truncation_plies, interrupt, final))
        return false;
      break;
    }
    const StagePlies& plies = settings_.stage(side, turn);
    if (settings_.cubeful && may_double && spots_[spot].doubled[side] >= 0) {
      judge();
      Player::CubeView view;
      if (!player_.cube(position, outputs, side, spots_[spot], plies.cube, interrupt, view)) return false;
      if (view.doubles()) {
        const int answer_plies = settings_.stage(1 - side, turn).cube;
        if (answer_plies != plies.cube &&
            !player_.cube(position, outputs, side, spots_[spot], answer_plies, interrupt, view))
          return false;
        if (!view.takes()) {
          final.outputs = {outputs.win, outputs.win_gammon, outputs.win_backgammon, outputs.lose_gammon,
                           outputs.lose_backgammon};
          final.utility = view.passed;
          break;
        }
        stake *= spots_[spot].of(side).scale() * (view.beaver ? 2.0 : 1.0);
        spot = spots_[spot].doubled[side];
      }
    }
    const Dice dice = dice_.roll(game, turn);
    Turn played;
    const bool shared = turn < TurnMemory::kTurns;
    const TurnMemory::Key key{shared ? position_key(position) : PositionKey{}, static_cast<std::int16_t>(turn),
                              static_cast<std::int8_t>(spot), static_cast<std::int8_t>(side),
                              static_cast<std::int8_t>(roll_index(dice))};
    if (!shared || !memory_.find(key, played)) {
      if (!player_.play(position, dice, side, spots_[spot], plies.play, interrupt, played)) return false;
      if (shared) memory_.store(key, played);
    }
    if (settings_.variance_reduction) add_luck(played.luck, side, stake, luck);
    position = played.result;
    outputs = played.outputs;
    judged = played.judged;
    side = 1 - side;
    if (played.over) {
      final = player_.result(position, side, spots_[spot]);
      ++turn;
      break;
    }
  }
  if (turns != nullptr) *turns = turn;
  if (side == 1) final = final.swapped();
  for (int i = 0; i < 5; ++i) values[i] = final.outputs[i] - luck.outputs[i];
  values[5] = 2.0 * values[0] - 1.0 + values[1] - values[3] + values[2] - values[4];
  if (settings_.cubeful) {
    values[kUtilityQuantity] = stake * final.utility - luck.utility;
  } else {
    values[kUtilityQuantity] = Player::dead({values[0], values[1], values[2], values[3], values[4]}, spots_[0].of(0));
  }
  return true;
}

bool Roller::play(std::uint64_t first, int count, std::span<std::int64_t> values,
                  const std::atomic<bool>* cancelled) const {
  Interrupt interrupt(std::nullopt, {}, cancelled);
  std::size_t at = 0;
  for (int i = 0; i < count; ++i)
    for (int candidate = 0; candidate < candidates(); ++candidate) {
      GameValues game;
      if (!play_game(first + static_cast<std::uint64_t>(i), candidate, interrupt, game)) return false;
      for (const double value : game) values[at++] = std::llround(std::ldexp(value, kValueShift));
    }
  return true;
}

}  // namespace kibitz
