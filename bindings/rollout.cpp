#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>

#include "core.hpp"
#include "eval/exact_evaluator.hpp"
#include "eval/noisy_evaluator.hpp"
#include "rollout/roller.hpp"
#include "search.hpp"

namespace kibitz {
namespace {

using StageTuple = std::tuple<int, int>;  // play and cube plies

SideSettings make_side(const std::array<StageTuple, 2>& plies, bool cubeful, int shortlist, double shortlist_gap,
                       std::vector<FilterStep> filter, int replies, int last_replies) {
  if (shortlist < 1 || replies < 1 || last_replies < 1)
    throw std::invalid_argument("at least one reply has to be looked at");
  SideSettings side{.cubeful = cubeful,
                    .shortlist = shortlist,
                    .shortlist_gap = shortlist_gap,
                    .filter = std::move(filter),
                    .replies = replies,
                    .last_replies = last_replies};
  for (int late = 0; late < 2; ++late) side.plies[late] = {std::get<0>(plies[late]), std::get<1>(plies[late])};
  return side;
}

RolloutSettings make_settings(std::uint64_t seed, bool stratified, bool cubeful, bool variance_reduction,
                              int luck_plies, int luck_replies, bool stop_at_tables, int truncate, int truncation_plies,
                              int late_after, const std::array<SideSettings, 2>& sides, int checkers) {
  if (luck_replies < 1) throw std::invalid_argument("at least one reply has to be looked at");
  RolloutSettings settings;
  settings.seed = seed;
  settings.stratified = stratified;
  settings.cubeful = cubeful;
  settings.variance_reduction = variance_reduction;
  settings.luck_plies = luck_plies;
  settings.luck_replies = luck_replies;
  settings.stop_at_tables = stop_at_tables;
  settings.truncate = truncate;
  settings.truncation_plies = truncation_plies;
  settings.late_after = late_after;
  settings.sides = sides;
  settings.total_checkers = checkers;
  return settings;
}

// Position, side on roll, whether side 0 has doubled and been taken, whether the first turn may start with a double.
using CandidateTuple = std::tuple<nb::bytes, int, bool, bool>;

std::shared_ptr<Roller> make_roller(std::array<std::shared_ptr<const Evaluator>, 2> evaluators,
                                    std::shared_ptr<const Evaluator> luck, const CubeModel& model,
                                    const MatchEquity* table, const RolloutSettings& settings,
                                    const std::vector<CandidateTuple>& rows) {
  std::vector<Candidate> candidates;
  for (const auto& [row, on_roll, taken, may_double] : rows) {
    const Candidate candidate{to_position(row), on_roll, taken, may_double};
    if (on_roll != 0 && on_roll != 1) throw std::invalid_argument("expected side 0 or 1");
    if (rearmost(candidate.position.mine) < 0 || rearmost(candidate.position.theirs) < 0)
      throw std::invalid_argument("the game is over");
    if (std::max(checkers(candidate.position.mine), checkers(candidate.position.theirs)) > kCheckers)
      throw std::invalid_argument("there are too many checkers");
    if (taken && model.doubled(model.present(), 0) < 0) throw std::invalid_argument("the cube cannot be turned");
    candidates.push_back(candidate);
  }
  if (candidates.empty()) throw std::invalid_argument("there is nothing to roll out");
  if (!model.is_money() && table == nullptr) throw std::invalid_argument("a match needs an equity table");
  return std::make_shared<Roller>(std::move(evaluators), std::move(luck), model.match(), table, settings,
                                  std::move(candidates));
}

using Faces = nb::ndarray<const std::uint8_t, nb::shape<-1, kLongestGame>, nb::c_contig, nb::device::cpu>;

// Values and events of games: (games, candidates, 7) and (games, candidates, 4), or nothing if cancelled.
nb::object play(const Roller& roller, std::uint64_t first, int count, const CancelFlag* cancel,
                const std::optional<Faces>& faces) {
  if (count < 0) throw std::invalid_argument("expected no negative number of games");
  if (faces && faces->shape(0) != static_cast<std::size_t>(count))
    throw std::invalid_argument("expected the rolls of each game");
  const auto games = static_cast<std::size_t>(count);
  const auto candidates = static_cast<std::size_t>(roller.candidates());
  std::vector<std::int64_t> values(games * candidates * kQuantities);
  std::vector<GameEvents> events(games * candidates);
  std::span<const std::uint8_t> rolls;
  if (faces) rolls = {faces->data(), faces->size()};
  if (std::any_of(rolls.begin(), rolls.end(), [](std::uint8_t face) { return face >= kFaces; }))
    throw std::invalid_argument("expected ordered rolls, 0 to 35");
  bool done;
  {
    nb::gil_scoped_release released;
    done = roller.play(first, count, rolls, values, events, cancel ? &cancel->set : nullptr);
  }
  if (!done) return nb::none();
  std::vector<std::uint8_t> plain;
  plain.reserve(events.size() * sizeof(GameEvents));
  for (const auto& [end, level, taken] : events) plain.insert(plain.end(), {end, level, taken[0], taken[1]});
  return nb::make_tuple(
      to_numpy<std::int64_t>(std::move(values), {games, candidates, static_cast<std::size_t>(kQuantities)}),
      to_numpy<std::uint8_t>(std::move(plain), {games, candidates, sizeof(GameEvents)}));
}

// The ordered rolls, 0 to 35, of some games at their first turns.
auto faces(std::uint64_t seed, bool stratified, std::uint64_t first, int count, int turns) {
  if (count < 0 || turns < 0) throw std::invalid_argument("expected no negative number of games or turns");
  const DiceStream dice(seed, stratified);
  std::vector<std::uint8_t> rolled;
  rolled.reserve(static_cast<std::size_t>(count) * turns);
  for (int i = 0; i < count; ++i)
    for (int turn = 0; turn < turns; ++turn)
      rolled.push_back(static_cast<std::uint8_t>(dice.face(first + static_cast<std::uint64_t>(i), turn)));
  return to_numpy<std::uint8_t>(std::move(rolled), {static_cast<std::size_t>(count), static_cast<std::size_t>(turns)});
}

}  // namespace

void init_rollout(nb::module_& core) {
  nb::class_<ExactEvaluator, Evaluator>(core, "ExactEvaluator", "Knows by the tables alone, else asks the fallback.")
      .def(
          "__init__",
          [](ExactEvaluator* self, int checkers, std::shared_ptr<const Evaluator> fallback) {
            new (self) ExactEvaluator(checkers, std::move(fallback));
          },
          nb::arg("checkers"), nb::arg("fallback").none() = nb::none());

  nb::class_<NoisyEvaluator, Evaluator>(core, "NoisyEvaluator", "Another evaluator with errors by seed and position.")
      .def(
          "__init__",
          [](NoisyEvaluator* self, std::shared_ptr<const Evaluator> evaluator, double deviation, std::uint64_t seed) {
            new (self) NoisyEvaluator(std::move(evaluator), deviation, seed);
          },
          nb::arg("evaluator"), nb::arg("deviation"), nb::arg("seed"));

  nb::class_<SideSettings>(core, "RolloutSide", "How one side of a rollout thinks.")
      .def(nb::new_(&make_side), nb::kw_only(), nb::arg("plies"), nb::arg("cubeful"), nb::arg("shortlist"),
           nb::arg("shortlist_gap"), nb::arg("filter"), nb::arg("replies"), nb::arg("last_replies"));

  nb::class_<RolloutSettings>(core, "RolloutSettings")
      .def(nb::new_(&make_settings), nb::kw_only(), nb::arg("seed"), nb::arg("stratified"), nb::arg("cubeful"),
           nb::arg("variance_reduction"), nb::arg("luck_plies"), nb::arg("luck_replies"), nb::arg("stop_at_tables"),
           nb::arg("truncate"), nb::arg("truncation_plies"), nb::arg("late_after"), nb::arg("sides"),
           nb::arg("checkers"));

  nb::class_<Roller>(core, "Roller")
      .def(nb::new_(&make_roller), nb::arg("evaluators"), nb::arg("luck").none(), nb::arg("model"),
           nb::arg("table").none(), nb::arg("settings"), nb::arg("candidates"))
      .def_prop_ro("candidates", &Roller::candidates)
      .def("play", &play, nb::arg("first"), nb::arg("count"), nb::arg("cancel").none() = nb::none(),
           nb::arg("faces").none() = nb::none(),
           "Games in their order: (games, candidates, 7) whole numbers of 2**-32, and (games, candidates, 4) events; "
           "None if "
           "cancelled.")
      .def(
          "turns",
          [](const Roller& roller, std::uint64_t game, int candidate) {
            if (candidate < 0 || candidate >= roller.candidates()) throw std::invalid_argument("no such candidate");
            Interrupt interrupt;
            GameValues values;
            GameEvents events;
            int turns = 0;
            roller.play_game(game, candidate, interrupt, values, events, &turns);
            return turns;
          },
          nb::arg("game"), nb::arg("candidate") = 0, "How many turns a game lasts.");

  core.def("rollout_faces", &faces, nb::arg("seed"), nb::arg("stratified"), nb::arg("first"), nb::arg("count"),
           nb::arg("turns"), "Ordered rolls, 0 to 35, of games at their first turns.");
  core.attr("ROLLOUT_VALUE_SHIFT") = kValueShift;
  core.attr("ROLLOUT_LONGEST_GAME") = kLongestGame;
  core.attr("ROLLOUT_CUBE_LEVELS") = GameEvents::kLevels;
}

}  // namespace kibitz
