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

template <typename Table>
void ExactTables::use(std::atomic<const Table*>& place, std::shared_ptr<const Table> table) const {
  const std::lock_guard lock(mapped_mutex_);
  place.store(table.get(), std::memory_order_release);
  mapped_.push_back(std::move(table));
}

void ExactTables::use_two_sided(std::shared_ptr<const TwoSided> table) const { use(mapped_two_sided_, table); }
void ExactTables::use_one_sided(std::shared_ptr<const OneSided> table) const { use(mapped_one_sided_, table); }

ExactTables::Answer ExactTables::answer(const Position& position, int total) const {
  if (const Hypergammon* table = hypergammon(total))
    return table->holds(position) ? Answer::kHypergammon : Answer::kNone;
  const PositionClass position_class = classify(position);
  if (position_class == PositionClass::kOver) return Answer::kOver;
  if (position_class > PositionClass::kRace) return Answer::kNone;
  // The two-sided tables know nothing of gammons.
  if (checkers(position.mine) < total && checkers(position.theirs) < total) {
    if (position_class == PositionClass::kBearoffTwoSided) return Answer::kTwoSided;
    if (const TwoSided* table = mapped_two_sided(); table != nullptr && table->holds(position))
      return Answer::kMappedTwoSided;
  }
  if (position_class != PositionClass::kRace)
    return std::max(checkers(position.mine), checkers(position.theirs)) <= kCheckers ? Answer::kOneSided
                                                                                     : Answer::kNone;
  const OneSided* table = mapped_one_sided();
  return table != nullptr && table->holds(position.mine) && table->holds(position.theirs) ? Answer::kMappedOneSided
                                                                                          : Answer::kNone;
}

bool ExactTables::evaluate(const Position& position, Outputs& outputs, int total) const {
  const auto by_two_sided = [&](const TwoSided& table) {
    outputs = {};
    outputs.win = static_cast<float>(table.equities(position).win());
  };
  switch (answer(position, total)) {
    case Answer::kNone: return false;
    case Answer::kOver: outputs = final_outputs(position, total); break;
    case Answer::kTwoSided: by_two_sided(two_sided()); break;
    case Answer::kMappedTwoSided: by_two_sided(*mapped_two_sided()); break;
    case Answer::kOneSided: outputs = by_turns(one_sided(), position, total); break;
    case Answer::kMappedOneSided: outputs = by_turns(*mapped_one_sided(), position, total); break;
    case Answer::kHypergammon: {
      const Hypergammon* table = hypergammon(total);
      outputs = table->outputs(table->index(position));
      break;
    }
  }
  return true;
}

bool ExactTables::money_equities(const Position& position, MoneyEquities& equities, int total) const {
  const auto by_two_sided = [&](const TwoSided& table) {
    const TwoSidedEquities found = table.equities(position);
    const auto centred = static_cast<float>(found.centred);
    equities = {static_cast<float>(found.cubeless), centred, centred, static_cast<float>(found.owned),
                static_cast<float>(found.unavailable)};
  };
  switch (answer(position, total)) {
    case Answer::kOver: {
      const auto points = static_cast<float>(outcome(position, total));
      equities = {points, points, points > 0 ? 1.0f : -1.0f, points, points};
      return true;
    }
    case Answer::kTwoSided: by_two_sided(two_sided()); return true;
    case Answer::kMappedTwoSided: by_two_sided(*mapped_two_sided()); return true;
    case Answer::kHypergammon: {
      const Hypergammon* table = hypergammon(total);
      const Hypergammon::Equities& found = table->equities(table->index(position));
      equities = {found.cubeless, found.centred, found.jacoby, found.owned, found.unavailable};
      return true;
    }
    default: return false;
  }
}

Outputs ExactTables::by_turns(const OneSided& table, const Position& position, int total) {
  const std::uint32_t mine = table.number(position.mine);
  const std::uint32_t theirs = table.number(position.theirs);
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
