// Match equity: the chance to win a match before a game starts, by the points that each side still needs.
#pragma once

#include <vector>

namespace kibitz {

class MatchEquity {
 public:
  // `pre_crawford` has length * length values, row by row: the chance of the side that needs row + 1 points against one
  // that needs column + 1. Where one side needs one point, these are values of the Crawford game. `post_crawford[n]` is the
  // chance of a trailer who needs n + 1 points against a leader who needs one, once the Crawford game has been played.
  MatchEquity(int length, std::vector<double> pre_crawford, std::vector<double> post_crawford);

  int length() const { return length_; }

  // The chance of the side that needs `my_away` points. Needing nothing is having won.
  double chance(int my_away, int their_away, bool after_crawford) const;

  // The chance after a game that starts at these scores and brings `points` to me (to them if negative).
  double after_game(int my_away, int their_away, int points) const;

 private:
  int length_;
  std::vector<double> pre_crawford_;
  std::vector<double> post_crawford_;
};

}  // namespace kibitz
