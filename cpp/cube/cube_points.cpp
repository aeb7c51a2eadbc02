#include "cube/cube_points.hpp"

#include <limits>

namespace kibitz {
namespace {

// The same position with another winning chance: the share of gammons and backgammons in wins and losses stays.
Outputs with_chance(const Outputs& outputs, double chance) {
  const double p = outputs.win, q = 1.0 - p;
  const double wins = p > 1e-9 ? chance / p : 0.0;
  const double losses = q > 1e-9 ? (1.0 - chance) / q : 0.0;
  return {static_cast<float>(chance), static_cast<float>(outputs.win_gammon * wins),
          static_cast<float>(outputs.win_backgammon * wins), static_cast<float>(outputs.lose_gammon * losses),
          static_cast<float>(outputs.lose_backgammon * losses)};
}

// The chance at which a growing function of it passes zero; not a number if it does not.
template <typename Function>
double root(const Function& function) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  constexpr double kTiny = 1e-6;
  double low = 0.0, high = 1.0;
  if (function(high) <= kTiny) return kNone;
  if (function(low) >= 0.0) return 0.0;
  for (int step = 0; step < 30; ++step) {
    const double middle = 0.5 * (low + high);
    (function(middle) >= 0.0 ? high : low) = middle;
  }
  return high;
}

}  // namespace

CubePoints cube_points(const CubeModel& model, const Outputs& outputs, int state, const Efficiency& efficiency) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const int after = model.doubled(state, 0);
  if (after < 0) return {kNone, kNone, kNone};
  const auto undoubled = [&](double chance) {
    return model.undecided(with_chance(outputs, chance), efficiency, 0, state);
  };
  const auto taken = [&](double chance) {
    return model.scale() * model.undecided(with_chance(outputs, chance), efficiency, 0, after);
  };
  const double passed = model.passed_value(state, 0);
  return {root([&](double chance) { return taken(chance) - undoubled(chance); }),
          root([&](double chance) { return taken(chance) - passed; }),
          root([&](double chance) { return undoubled(chance) - passed; })};
}

}  // namespace kibitz
