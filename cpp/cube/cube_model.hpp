// Cubeful values: what a position is worth with the cube in each place it can be, for money and at every score.
//
// Values are utilities of the player on roll, and the opponent's utility is always the negative. In a money game the
// utility is points per unit of the state's own cube; in a match it is 2 * (chance to win the match) - 1.
//
// A value is that of a dead cube (nobody doubles any more), which is linear in the outputs, plus a part of what a live cube
// gains at the cash point, where the opponent is indifferent between take and pass. For money these are Janowski's values. In a
// match the points follow from the equity table, from the highest cube that still means something down to the present one, and
// the part follows from the width of the doubling window. With the shares of gammons in wins and losses fixed, a value is
// continuous in the winning chance and never falls as it grows. docs/cube.md has the formulas.
#pragma once

#include <array>
#include <cstdint>

#include "board/outputs.hpp"
#include "cube/cube_efficiency.hpp"
#include "cube/match_equity.hpp"

namespace kibitz {

enum class CubeOwner : std::uint8_t { kCentred = 0, kMine = 1, kTheirs = 2 };

constexpr CubeOwner swapped(CubeOwner owner) {
  if (owner == CubeOwner::kCentred) return owner;
  return owner == CubeOwner::kMine ? CubeOwner::kTheirs : CubeOwner::kMine;
}

// Score, cube and rules, seen by one side. No points away: a money game.
struct MatchState {
  int my_away = 0;
  int their_away = 0;
  bool crawford = false;
  bool jacoby = true;
  bool beavers = false;
  int cube = 1;
  CubeOwner owner = CubeOwner::kCentred;
  int max_cube = 1024;

  constexpr bool is_money() const { return my_away == 0; }
};

// Sides are absolute within one model: side 0 is the one whose match state made it.
using Side = int;

// A cube state is a number: 3 * level + 0 (centred), 1 (side 0 owns) or 2 (side 1 owns). Level 0 is the present cube.
using StateMask = std::uint32_t;
inline constexpr int kMaxLevels = 8;
inline constexpr int kMaxStates = 3 * kMaxLevels;
using StateValues = std::array<double, kMaxStates>;

class CubeModel {
 public:
  // In a match `table` must reach both scores; it is not kept.
  CubeModel(const MatchState& match, const MatchEquity* table);

  const MatchState& match() const { return match_; }
  bool is_money() const { return match_.is_money(); }
  bool is_unlimited_money() const { return levels_[1].next == 1; }

  // The state in which the cube is now, and the one after side `doubler` has doubled and the other has taken (-1: none).
  int present() const { return present_; }
  int doubled(int state, Side doubler) const { return doubled_[doubler][state]; }
  int cube_value(int state) const { return levels_[state / 3].value; }

  // The state with the present cube in other hands.
  int with_owner(CubeOwner owner) const;

  // These states and all that doubles can lead to from them. Values are computed for such closed sets together.
  StateMask closure(StateMask states) const;

  // The values of a position in the states of the mask, before the player on roll thinks of doubling.
  void undecided(const Outputs& outputs, const Efficiency& efficiency, Side on_roll, StateMask mask,
                 StateValues& values) const;
  double undecided(const Outputs& outputs, const Efficiency& efficiency, Side on_roll, int state) const;

  // Turns values before the decision into values with the best decision. The mask must be closed.
  void decide(Side on_roll, StateMask mask, StateValues& values) const;

  // The value to the doubler of a double that is passed, and of one that is taken, given the value of the doubled state.
  // Where beavers are allowed, a taker who has the better of it beavers.
  double taken_value(double doubled_value) const;
  double passed_value(int state, Side doubler) const { return win_[doubler][state / 3][0]; }

  // The value with the cube dead: linear in the outputs.
  double dead(const MeanOutputs& outputs, Side on_roll, int state) const;

  // Utilities of side `side` for winning and losing 1, 2 or 3 times the level's cube.
  double win(Side side, int level, int times) const { return win_[side][level][times - 1]; }
  double loss(Side side, int level, int times) const { return -win_[1 - side][level][times - 1]; }

  // The factor between the units of a state and of the state that it doubles to: 2 for money, 1 in a match.
  double scale() const { return is_money() ? 2.0 : 1.0; }

  // Utility in the present cube's units -> points per unit of the present cube (EMG in a match).
  double normalised(double utility, Side side) const;
  double match_chance(double utility) const { return 0.5 * (utility + 1.0); }

 private:
  struct Level {
    int value = 1;
    int next = -1;  // the level of the doubled cube
  };
  struct Curve;  // mean wins and losses of one position, level by level

  bool may_double(Side side, int state) const { return doubled_[side][state] >= 0; }
  // Who loses the match with the present cube already has nothing to lose by doubling, and will at the first chance.
  bool is_prompt(Side side, int level) const { return !is_money() && win_[1 - side][level][0] >= 1.0; }
  double shared_part(const Efficiency& efficiency) const;
  void fill_curve(const Outputs& outputs, const Efficiency& efficiency, Side on_roll, Curve& curve) const;
  double take_point(const Curve& curve, const Efficiency& efficiency, Side on_roll, int who, int level) const;
  double money_part(const Curve& curve, const Efficiency& efficiency, int who) const;
  double window_part(const Curve& curve, const Efficiency& efficiency, int who, int level) const;
  double owned_gain(const Curve& curve, const Efficiency& efficiency, Side on_roll, int who, int level) const;
  double on_curve(const Curve& curve, const Efficiency& efficiency, Side on_roll, int state) const;

  MatchState match_;
  int level_count_ = 0;
  int present_ = 0;
  std::array<Level, kMaxLevels> levels_{};
  std::array<std::array<std::array<double, 3>, kMaxLevels>, 2> win_{};
  std::array<std::array<std::int8_t, kMaxStates>, 2> doubled_{};
};

}  // namespace kibitz
