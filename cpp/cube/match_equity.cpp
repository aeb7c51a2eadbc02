#include "cube/match_equity.hpp"

#include <utility>

namespace kibitz {

MatchEquity::MatchEquity(int length, std::vector<double> pre_crawford, std::vector<double> post_crawford)
    : length_(length), pre_crawford_(std::move(pre_crawford)), post_crawford_(std::move(post_crawford)) {}

double MatchEquity::chance(int my_away, int their_away, bool after_crawford) const {
  if (my_away <= 0) return 1.0;
  if (their_away <= 0) return 0.0;
  if (after_crawford) {
    if (my_away == 1) return 1.0 - post_crawford_[their_away - 1];
    if (their_away == 1) return post_crawford_[my_away - 1];
  }
  return pre_crawford_[(my_away - 1) * length_ + (their_away - 1)];
}

double MatchEquity::after_game(int my_away, int their_away, int points) const {
  // Whoever needs one point before this game has had the Crawford game, or is playing it now.
  const bool after_crawford = my_away == 1 || their_away == 1;
  if (points >= 0) return chance(my_away - points, their_away, after_crawford);
  return chance(my_away, their_away + points, after_crawford);
}

}  // namespace kibitz
