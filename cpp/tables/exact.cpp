#include "tables/exact.hpp"

#include <algorithm>

#include "board/game_over.hpp"

namespace kibitz {

const ExactTables& ExactTables::shared() {
  static const ExactTables tables;
  return tables;
}

const OneSided& ExactTables::one_sided() const {
  std::call_once(one_sided_once_, [this] { one_sided_ = OneSided::build({kHome, kCheckers}, threads_); });
  return one_sided_;
}

const OneSided& ExactTables::leaving() const {
  std::call_once(leaving_once_,
                 [this] { leaving_ = OneSided::build({kHome, kCheckers}, threads_, {}, OneSided::Rules::kLeaving); });
  return leaving_;
}

const TwoSided& ExactTables::two_sided() const {
  std::call_once(two_sided_once_, [this] { two_sided_ = TwoSided::build({kHome, kTwoSidedCheckers}, threads_); });
  return two_sided_;
}

ExactTables::~ExactTables() {
  for (const auto& table : hypergammon_) delete table.load();
}

void ExactTables::attach(Hypergammon table) const {
  const auto total = static_cast<std::size_t>(table.checkers());
  std::call_once(hypergammon_once_[total], [&] { hypergammon_[total] = new Hypergammon(std::move(table)); });
}

const Hypergammon* ExactTables::hypergammon(int total) const {
  if (total < 1 || total > kMostHypergammonCheckers) return nullptr;
  return hypergammon_[static_cast<std::size_t>(total)].load(std::memory_order_acquire);
}

bool ExactTables::evaluate(const Position& position, Outputs& outputs, int total) const {
  if (const Hypergammon* table = hypergammon(total)) {
    if (!table->holds(position)) return false;
    outputs = table->outputs(table->index(position));
    return true;
  }
  switch (classify(position)) {
    case PositionClass::kOver: outputs = final_outputs(position, total); return true;
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
    default: return false;
  }
}

bool ExactTables::money_equities(const Position& position, MoneyEquities& equities, int total) const {
  if (const Hypergammon* table = hypergammon(total)) {
    if (!table->holds(position)) return false;
    const Hypergammon::Equities& found = table->equities(table->index(position));
    equities = {found.cubeless, found.centred, found.jacoby, found.owned, found.unavailable};
    return true;
  }
  switch (classify(position)) {
    case PositionClass::kOver: {
      const auto points = static_cast<float>(outcome(position, total));
      equities = {points, points, points > 0 ? 1.0f : -1.0f, points, points};
      return true;
    }
    case PositionClass::kBearoffTwoSided: {
      if (checkers(position.mine) >= total || checkers(position.theirs) >= total) return false;
      const TwoSidedEquities found = two_sided().equities(position);
      const auto centred = static_cast<float>(found.centred);
      equities = {static_cast<float>(found.cubeless), centred, centred, static_cast<float>(found.owned),
                  static_cast<float>(found.unavailable)};
      return true;
    }
    default: return false;
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
    // I lose a gammon unless I bear off one in no more turns than they need for all.
    const double saved = chance_to_be_first(table.first_turns(mine), their_turns);
    outputs.lose_gammon = static_cast<float>(std::max(0.0, 1.0 - saved));
  }
  return outputs;
}

}  // namespace kibitz
