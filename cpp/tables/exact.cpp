#include "tables/exact.hpp"

#include <algorithm>

namespace kibitz {

int outcome(const Position& position, int total) {
  const bool won = rearmost(position.mine) < 0;
  const bool lost = rearmost(position.theirs) < 0;
  if (!won && !lost) return 0;
  const Row& loser = won ? position.theirs : position.mine;
  int points = 1;
  if (checkers(loser) >= total) points = rearmost(loser) >= kPoints - kHome ? 3 : 2;
  return won ? points : -points;
}

const ExactTables& ExactTables::shared() {
  static const ExactTables tables;
  return tables;
}

const OneSided& ExactTables::one_sided() const {
  std::call_once(one_sided_once_, [this] { one_sided_ = OneSided::build({kHome, kCheckers}, threads_); });
  return one_sided_;
}

const TwoSided& ExactTables::two_sided() const {
  std::call_once(two_sided_once_, [this] { two_sided_ = TwoSided::build({kHome, kTwoSidedCheckers}, threads_); });
  return two_sided_;
}

bool ExactTables::evaluate(const Position& position, Outputs& outputs, int total) const {
  switch (classify(position)) {
    case PositionClass::kOver: {
      const int points = outcome(position, total);
      outputs = {points > 0 ? 1.0f : 0.0f, points >= 2 ? 1.0f : 0.0f, points >= 3 ? 1.0f : 0.0f,
                 points <= -2 ? 1.0f : 0.0f, points <= -3 ? 1.0f : 0.0f};
      return true;
    }
    case PositionClass::kBearoffTwoSided:
      if (checkers(position.mine) < total && checkers(position.theirs) < total) {
        outputs = {};
        outputs.win = static_cast<float>(two_sided().equities(position).win());
        return true;
      }
      [[fallthrough]];
    case PositionClass::kBearoffOneSided:
      if (checkers(position.mine) > kCheckers || checkers(position.theirs) > kCheckers) return false;
      outputs = by_turns(position, total);
      return true;
    default:
      return false;
  }
}

Outputs ExactTables::by_turns(const Position& position, int total) const {
  const std::uint32_t mine = kHomeRows.number(position.mine.data());
  const std::uint32_t theirs = kHomeRows.number(position.theirs.data());
  const OneSided& table = one_sided();
  const Turns my_turns = table.turns(mine);
  const Turns their_turns = table.turns(theirs);
  Outputs outputs;
  outputs.win = static_cast<float>(chance_to_be_first(my_turns, their_turns));
  if (checkers(position.theirs) >= total)
    outputs.win_gammon = static_cast<float>(chance_to_be_first(my_turns, table.first_turns(theirs)));
  if (checkers(position.mine) >= total) {
    // I lose a gammon unless I have borne off one when they finish: they need strictly fewer turns than I do.
    const Turns my_first = table.first_turns(mine);
    double lost = 0;
    for (int n = std::max(their_turns.least, 1); n <= their_turns.most && my_first.tail(n) > 0; ++n)
      lost += their_turns.probability(n) * my_first.tail(n);
    outputs.lose_gammon = static_cast<float>(lost);
  }
  return outputs;
}

}  // namespace kibitz
