#include "cube/cube_model.hpp"

#include <algorithm>

namespace kibitz {
namespace {

constexpr int state_of(int level, int owner) { return 3 * level + owner; }
constexpr int kCentredIndex = 0;
constexpr int owned_by(Side side) { return 1 + side; }

double between(double x, double x0, double y0, double x1, double y1) {
  return x1 - x0 < 1e-12 ? y0 : y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

// The life of a cube that will be turned at once by a side whose chance is this part of what makes the other pass: whole,
// unless one roll may carry the chance beyond.
double at_once(double life, double part) {
  double near = std::min(part, 1.0);
  for (int squaring = 0; squaring < 5; ++squaring) near *= near;
  return 1.0 - (1.0 - life) * near;
}

}  // namespace

// Everything about a position that the live cube needs. Index 0 of a pair is the player on roll, 1 the opponent; `win` and
// `loss` are their mean utilities when they win or lose the game at a level, with this position's gammons.
struct CubeModel::Curve {
  double chance;  // of the player on roll to win the game
  std::array<std::array<double, kMaxLevels>, 2> win;
  std::array<std::array<double, kMaxLevels>, 2> loss;
  std::array<std::array<double, kMaxLevels>, 2> take_point;  // own winning chance from which a double is taken
};

CubeModel::CubeModel(const Stakes& stakes, const MatchEquity* table) : stakes_(stakes) {
  for (auto& side : doubled_) side.fill(-1);
  const bool money = stakes.is_money();
  int doubles_left = 0;
  while (doubles_left < kMaxLevels && (stakes.cube << (doubles_left + 1)) <= stakes.max_cube) ++doubles_left;
  const bool unlimited = money && doubles_left >= kMaxLevels - 1;

  if (unlimited) {
    // A money game looks the same at every cube: one level for the centred cube, where Jacoby's rule may apply, and one
    // for all that follow.
    level_count_ = 2;
    levels_[0] = {stakes.cube, 1};
    levels_[1] = {stakes.cube, 1};
  } else {
    const int furthest = std::max(stakes.my_away, stakes.their_away);
    int level = 0;
    for (;; ++level) {
      levels_[level].value = stakes.cube << level;
      const bool dead = !money && levels_[level].value >= furthest;
      if (dead || stakes.crawford || level >= doubles_left || level + 1 >= kMaxLevels) break;
      levels_[level].next = level + 1;
    }
    level_count_ = level + 1;
  }

  const int away[2] = {stakes.my_away, stakes.their_away};
  for (int level = 0; level < level_count_; ++level) {
    for (int times = 1; times <= 3; ++times) {
      const int points = times * levels_[level].value;
      for (Side side = 0; side < 2; ++side) {
        double& win = win_[side][level][times - 1];
        if (money) {
          const bool undoubled = level == 0 && (unlimited || stakes.owner == CubeOwner::kCentred);
          win = stakes.jacoby && undoubled ? 1.0 : times;
        } else {
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
  present_ = with_owner(stakes.owner);
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

void CubeModel::fill_curve(const Outputs& outputs, Side on_roll, Curve& curve) const {
  const double p = std::clamp<double>(outputs.win, 0.0, 1.0);
  const double q = 1.0 - p;
  curve.chance = p;
  // What share of the wins of each side are gammons, and backgammons.
  const double share[2][2] = {{p > 1e-9 ? outputs.win_gammon / p : 0.0, p > 1e-9 ? outputs.win_backgammon / p : 0.0},
                              {q > 1e-9 ? outputs.lose_gammon / q : 0.0, q > 1e-9 ? outputs.lose_backgammon / q : 0.0}};
  for (int level = 0; level < level_count_; ++level) {
    for (int who = 0; who < 2; ++who) {
      const auto& win = win_[who == 0 ? on_roll : 1 - on_roll][level];
      const double gammons = std::min(share[who][0], 1.0);
      const double backgammons = std::min(share[who][1], gammons);
      curve.win[who][level] = win[0] + gammons * (win[1] - win[0]) + backgammons * (win[2] - win[1]);
    }
    curve.loss[0][level] = -curve.win[1][level];
    curve.loss[1][level] = -curve.win[0][level];
  }
  // From the highest cube down: who takes owns a cube that the level above has already judged.
  for (int level = level_count_ - 1; level >= 0; --level) {
    const int next = levels_[level].next;
    if (next < 0) continue;
    if (next == level) {
      const double span = curve.win[0][level] + curve.win[1][level] + 0.5;
      for (int who = 0; who < 2; ++who) curve.take_point[who][level] = (curve.win[1 - who][level] - 0.5) / span;
      continue;
    }
    for (int who = 0; who < 2; ++who) {
      const Side side = who == 0 ? on_roll : 1 - on_roll;
      const double pass = -win_[1 - side][level][0];
      const double bottom = scale() * curve.loss[who][next];
      const bool redoubles = may_double(side, state_of(next, owned_by(side)));
      const double top = scale() * (redoubles ? win_[side][next][0] : curve.win[who][next]);
      const double reach = redoubles ? 1.0 - curve.take_point[1 - who][next] : 1.0;
      const double point = top - bottom > 1e-12 ? reach * (pass - bottom) / (top - bottom) : 0.0;
      curve.take_point[who][level] = std::clamp(point, 0.0, 1.0);
    }
  }
}

double CubeModel::on_curve(const Curve& curve, const Lives& lives, Side on_roll, int state) const {
  const int level = state / 3;
  const double p = curve.chance;
  const double top = curve.win[0][level];
  const double bottom = curve.loss[0][level];
  const double dead_value = p * top + (1.0 - p) * bottom;
  const bool mine = may_double(on_roll, state);
  const bool theirs = may_double(1 - on_roll, state);
  if (!mine && !theirs) return dead_value;

  const double passed = win_[on_roll][level][0];
  const double lost = -win_[1 - on_roll][level][0];
  const double low = theirs ? curve.take_point[0][level] : 0.0;
  const double low_value = theirs ? lost : bottom;
  const double high = mine ? 1.0 - curve.take_point[1][level] : 1.0;
  const double high_value = mine ? passed : top;
  double life = mine && theirs ? lives.shared : lives.owned;
  // Who loses the match with the present cube already has nothing to lose by doubling, and will at the first chance: such
  // a cube is as live as can be, except near the point where the other passes.
  if (!is_money() && mine && lost <= -1.0) life = at_once(life, high > 0.0 ? p / high : 1.0);
  if (!is_money() && theirs && passed >= 1.0) life = at_once(life, low < 1.0 ? (1.0 - p) / (1.0 - low) : 1.0);
  double live_value;
  if (theirs && p < low) {
    live_value = between(p, 0.0, bottom, low, low_value);
  } else if (mine && p > high) {
    live_value = between(p, high, high_value, 1.0, top);
  } else {
    live_value = between(p, low, low_value, high, high_value);
  }
  return (1.0 - life) * dead_value + life * live_value;
}

void CubeModel::undecided(const Outputs& outputs, const Lives& lives, Side on_roll, StateMask mask,
                          StateValues& values) const {
  Curve curve;
  fill_curve(outputs, on_roll, curve);
  for (int state = 0; state < 3 * level_count_; ++state)
    if (mask >> state & 1) values[state] = on_curve(curve, lives, on_roll, state);
}

double CubeModel::undecided(const Outputs& outputs, const Lives& lives, Side on_roll, int state) const {
  Curve curve;
  fill_curve(outputs, on_roll, curve);
  return on_curve(curve, lives, on_roll, state);
}

double CubeModel::taken_value(double doubled_value) const {
  const double taken = scale() * doubled_value;
  return stakes_.beavers && is_money() && taken < 0.0 ? 2.0 * taken : taken;
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
