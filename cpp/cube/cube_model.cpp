#include "cube/cube_model.hpp"

#include <algorithm>

namespace kibitz {
namespace {

constexpr int state_of(int level, int owner) { return 3 * level + owner; }
constexpr int kCentredIndex = 0;
constexpr int owned_by(Side side) { return 1 + side; }

// Take points count on later doubles as if the taker had come so near to its own cash point. Chosen by rollouts.
constexpr double kTakerNearness = 0.7;
constexpr double kLeastWindow = 0.02;

// How near a chance is to a point: 0 at both ends, 1 at the point itself.
double nearness(double chance, double point) {
  if (chance < point) return chance / point;
  return point < 1.0 ? (1.0 - chance) / (1.0 - point) : 1.0;
}

// What part of a cube's gain a side has that doubles at the first chance, since it has nothing to lose: at the cash point
// `part`, and below it nearly all of what there is. Near to the point one roll may carry the chance beyond, and the line is bent
// down: by a parabola that touches it, or, for a part below a half, by one that straightens out until nothing is left. Anywhere
// the game may end before there is a chance. A line bent like that never makes a higher chance worth less.
double prompt_part(double near, double part) {
  constexpr double kEnds = 0.1;
  const double missed = 1.0 - part;
  if (missed <= 0.0) return near;
  double cut;
  if (missed > 0.5) {
    cut = near * ((2.0 - 2.0 * missed) * near + (2.0 * missed - 1.0));
  } else {
    const double rounded = std::max(0.0, 1.0 - (1.0 - near) / (2.0 * missed));
    cut = rounded * rounded;
  }
  return near - missed * ((1.0 - kEnds) * cut + kEnds * near);
}

}  // namespace

// Everything about a position that the cube needs. Index 0 of a pair is the player on roll, 1 the opponent; all values are
// seen by that side.
struct CubeModel::Curve {
  using Pair = std::array<std::array<double, kMaxLevels>, 2>;
  double chance;      // of the player on roll to win the game
  double gammons[2];  // the share of its wins that are gammons
  Pair win;           // mean utility when it wins the game at a level, with this position's gammons
  Pair cash_point;    // own winning chance from which the other passes
  Pair gain;          // what a live cube is worth there beyond a dead one
  Pair part;          // what part of that gain the cube is worth there
};

CubeModel::CubeModel(const MatchState& match, const MatchEquity* table) : match_(match) {
  for (auto& side : doubled_) side.fill(-1);
  const bool money = match.is_money();
  int doubles_left = 0;
  while (doubles_left < kMaxLevels && match.cube <= match.max_cube >> (doubles_left + 1)) ++doubles_left;
  const bool unlimited = money && doubles_left >= kMaxLevels - 1;
  const int furthest = std::max(match.my_away, match.their_away);

  if (unlimited) {
    // A money game looks the same at every cube: one level for the centred cube, where Jacoby's rule may apply, and one
    // for all that follow.
    level_count_ = 2;
    levels_[0] = {match.cube, 1};
    levels_[1] = {match.cube, 1};
  } else {
    int level = 0;
    for (;; ++level) {
      levels_[level].value = match.cube << level;
      const bool dead = !money && levels_[level].value >= furthest;
      if (dead || match.crawford || level >= doubles_left || level + 1 >= kMaxLevels) break;
      levels_[level].next = level + 1;
    }
    level_count_ = level + 1;
  }

  const int away[2] = {match.my_away, match.their_away};
  for (int level = 0; level < level_count_; ++level) {
    for (int times = 1; times <= 3; ++times) {
      for (Side side = 0; side < 2; ++side) {
        double& win = win_[side][level][times - 1];
        if (money) {
          const bool undoubled = level == 0 && (unlimited || match.owner == CubeOwner::kCentred);
          win = match.jacoby && undoubled ? 1.0 : times;
        } else {
          const int points = times * std::min(levels_[level].value, furthest);  // more than are needed win no more
          win = 2.0 * table->after_game(away[side], away[1 - side], points) - 1.0;
        }
      }
    }
    if (levels_[level].next < 0) continue;
    for (Side side = 0; side < 2; ++side) {
      // Whom the present cube brings the match has nothing to gain from a higher one.
      if (!money && away[side] <= levels_[level].value) continue;
      const int after = state_of(levels_[level].next, owned_by(1 - side));
      doubled_[side][state_of(level, kCentredIndex)] = static_cast<std::int8_t>(after);
      doubled_[side][state_of(level, owned_by(side))] = static_cast<std::int8_t>(after);
    }
  }
  present_ = with_owner(match.owner);
}

int CubeModel::with_owner(CubeOwner owner) const {
  return state_of(is_unlimited_money() && owner != CubeOwner::kCentred ? 1 : 0, static_cast<int>(owner));
}

StateMask CubeModel::closure(StateMask states) const {
  for (StateMask before = 0; before != states;) {
    before = states;
    for (int state = 0; state < kMaxStates; ++state) {
      if (!(states >> state & 1)) continue;
      for (Side side = 0; side < 2; ++side)
        if (may_double(side, state)) states |= StateMask{1} << doubled_[side][state];
    }
  }
  return states;
}

double CubeModel::dead(const MeanOutputs& outputs, Side on_roll, int state) const {
  const int level = state / 3;
  const auto& win = win_[on_roll][level];
  const auto& loss = win_[1 - on_roll][level];
  const double p = outputs.win, g = outputs.win_gammon, b = outputs.win_backgammon;
  const double q = 1.0 - p, h = outputs.lose_gammon, c = outputs.lose_backgammon;
  return (p - g) * win[0] + (g - b) * win[1] + b * win[2] - ((q - h) * loss[0] + (h - c) * loss[1] + c * loss[2]);
}

void CubeModel::fill_curve(const Outputs& outputs, const Efficiency& efficiency, Side on_roll, Curve& curve) const {
  const double p = std::clamp<double>(outputs.win, 0.0, 1.0);
  const double q = 1.0 - p;
  curve.chance = p;
  // What share of the wins of each side are gammons, and backgammons.
  const double share[2][2] = {{p > 1e-9 ? outputs.win_gammon / p : 0.0, p > 1e-9 ? outputs.win_backgammon / p : 0.0},
                              {q > 1e-9 ? outputs.lose_gammon / q : 0.0, q > 1e-9 ? outputs.lose_backgammon / q : 0.0}};
  for (int who = 0; who < 2; ++who) {
    const double gammons = std::min(share[who][0], 1.0);
    curve.gammons[who] = gammons;
    const double backgammons = std::min(share[who][1], gammons);
    for (int level = 0; level < level_count_; ++level) {
      const auto& win = win_[who == 0 ? on_roll : 1 - on_roll][level];
      curve.win[who][level] = win[0] + gammons * (win[1] - win[0]) + backgammons * (win[2] - win[1]);
    }
  }
  // From the highest cube down: who takes owns a cube that the level above has already judged.
  for (int level = level_count_ - 1; level >= 0; --level) {
    if (levels_[level].next < 0) continue;
    for (int who = 0; who < 2; ++who) {
      const double point = 1.0 - take_point(curve, efficiency, on_roll, 1 - who, level);
      const double loss = -curve.win[1 - who][level];
      const double dead_value = loss + point * (curve.win[who][level] - loss);
      curve.cash_point[who][level] = point;
      curve.gain[who][level] = std::max(0.0, win_[who == 0 ? on_roll : 1 - on_roll][level][0] - dead_value);
      curve.part[who][level] =
          is_unlimited_money() ? money_part(curve, efficiency, who) : window_part(curve, efficiency, who, level);
    }
  }
}

// The winning chance from which `who` takes a double of this level's cube.
double CubeModel::take_point(const Curve& curve, const Efficiency& efficiency, Side on_roll, int who, int level) const {
  const int next = levels_[level].next;
  if (next == level) {
    const double span = curve.win[0][level] + curve.win[1][level] + 0.5;
    return (curve.win[1 - who][level] - 0.5) / span;
  }
  const Side side = who == 0 ? on_roll : 1 - on_roll;
  const double pass = -win_[1 - side][level][0];
  const double bottom = -curve.win[1 - who][next];
  double slope = curve.win[who][next] - bottom;
  const double reach = curve.cash_point[who][next];
  if (may_double(side, state_of(next, owned_by(side))) && reach > 1e-9) {
    const bool full = is_unlimited_money() || is_prompt(side, next);
    const double part = full ? 1.0 : curve.part[who][next] * (1.0 - efficiency.far * (1.0 - kTakerNearness));
    slope += part * curve.gain[who][next] / reach;
  }
  return slope > 1e-12 ? std::clamp((pass / scale() - bottom) / slope, 0.0, 1.0) : 0.0;
}

// The part of the gain that an owned cube is worth for money. Gammons never take more than half of it, nor bring more than all.
double CubeModel::money_part(const Curve& curve, const Efficiency& efficiency, int who) const {
  const double gammons = efficiency.gammons * (curve.gammons[1 - who] - curve.gammons[who]);
  return std::clamp(efficiency.owned + gammons, 0.5 * efficiency.owned, 1.0);
}

// The part of the gain that a side gets which must wait for its doubling window: from where a double gains more than it risks,
// the cube being dead afterwards, to the cash point. In a narrow window the right moment is often missed.
double CubeModel::window_part(const Curve& curve, const Efficiency& efficiency, int who, int level) const {
  const int next = levels_[level].next;
  const double gained = scale() * curve.win[who][next] - curve.win[who][level];
  const double risked = scale() * curve.win[1 - who][next] - curve.win[1 - who][level];
  const double start = gained + risked > 1e-12 ? risked / (gained + risked) : 1.0;
  const double window = std::max(kLeastWindow, curve.cash_point[who][level] - start);
  return window / (window + efficiency.swing);
}

// The part of what a live cube would gain that a shared cube is worth. For money cash points are those of a live cube; elsewhere
// they are nearer, so that the gain there is larger and the part of it smaller.
double CubeModel::shared_part(const Efficiency& efficiency) const {
  if (!is_unlimited_money()) return efficiency.shared * (0.75 + 0.25 * efficiency.shared);
  return match_.jacoby ? efficiency.jacoby : efficiency.shared;
}

double CubeModel::on_curve(const Curve& curve, const Efficiency& efficiency, Side on_roll, int state) const {
  const int level = state / 3;
  const double p = curve.chance;
  const double dead_value = p * curve.win[0][level] - (1.0 - p) * curve.win[1][level];
  const bool mine = may_double(on_roll, state);
  const bool theirs = may_double(1 - on_roll, state);
  if (mine && theirs) {
    const double low = 1.0 - curve.cash_point[1][level], high = curve.cash_point[0][level];
    const double loss = curve.gain[1][level], gain = curve.gain[0][level];
    double live = 0.0;
    if (p < low) {
      live = -loss * p / low;
    } else if (p > high) {
      live = gain * (1.0 - p) / (1.0 - high);
    } else if (low < high) {
      live = gain - (gain + loss) * (high - p) / (high - low);
    }
    return dead_value + shared_part(efficiency) * live;
  }
  if (mine) return dead_value + owned_gain(curve, efficiency, on_roll, 0, level);
  if (theirs) return dead_value - owned_gain(curve, efficiency, on_roll, 1, level);
  return dead_value;
}

// What a cube that only `who` may turn is worth to that side.
double CubeModel::owned_gain(const Curve& curve, const Efficiency& efficiency, Side on_roll, int who, int level) const {
  const double chance = who == 0 ? curve.chance : 1.0 - curve.chance;
  const double near = nearness(chance, curve.cash_point[who][level]);
  const double gain = curve.gain[who][level], part = curve.part[who][level];
  if (is_unlimited_money() || chance >= curve.cash_point[who][level]) return gain * part * near;
  if (is_prompt(who == 0 ? on_roll : 1 - on_roll, level)) return gain * prompt_part(near, part);
  return gain * part * near * (1.0 - efficiency.far * (1.0 - near));
}

void CubeModel::undecided(const Outputs& outputs, const Efficiency& efficiency, Side on_roll, StateMask mask,
                          StateValues& values) const {
  Curve curve;
  fill_curve(outputs, efficiency, on_roll, curve);
  for (int state = 0; state < 3 * level_count_; ++state)
    if (mask >> state & 1) values[state] = on_curve(curve, efficiency, on_roll, state);
}

double CubeModel::undecided(const Outputs& outputs, const Efficiency& efficiency, Side on_roll, int state) const {
  Curve curve;
  fill_curve(outputs, efficiency, on_roll, curve);
  return on_curve(curve, efficiency, on_roll, state);
}

double CubeModel::taken_value(double doubled_value) const {
  const double taken = scale() * doubled_value;
  return match_.beavers && is_money() && taken < 0.0 ? 2.0 * taken : taken;
}

void CubeModel::decide(Side on_roll, StateMask mask, StateValues& values) const {
  for (int state = 0; state < 3 * level_count_; ++state) {
    const int after = doubled_[on_roll][state];
    if (after < 0 || !(mask >> state & 1)) continue;
    // The doubled cube is the opponent's, so its value needs no decision of its own.
    const double doubling = std::min(taken_value(values[after]), passed_value(state, on_roll));
    values[state] = std::max(values[state], doubling);
  }
}

double CubeModel::normalised(double utility, Side side) const {
  if (is_money()) return utility;
  const double won = win(side, 0, 1);
  const double lost = loss(side, 0, 1);
  return won - lost > 1e-12 ? (2.0 * utility - (won + lost)) / (won - lost) : 0.0;
}

}  // namespace kibitz
