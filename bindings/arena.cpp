#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arena/arena_dice.hpp"
#include "arena/contestant.hpp"
#include "arena/luck.hpp"
#include "arena/referee.hpp"
#include "core.hpp"
#include "heuristics.hpp"

namespace kibitz {
namespace {

// A luck meter that keeps its evaluator alive.
struct OwnedMeter {
  std::shared_ptr<Evaluator> evaluator;
  LuckMeter meter;
};

int checked_side(int side) {
  if (side != 0 && side != 1) throw std::invalid_argument("expected side 0 or 1");
  return side;
}

nb::list to_events(const std::vector<ArenaEvent>& events) {
  nb::list list;
  for (const ArenaEvent& event : events) {
    const int kind = event.kind;
    switch (event.kind) {
      case ArenaEvent::kGame: list.append(nb::make_tuple(kind, event.score[0], event.score[1], event.crawford)); break;
      case ArenaEvent::kRoll:
        list.append(nb::make_tuple(kind, event.seat, event.dice.high, event.dice.low, to_bytes(event.result)));
        break;
      case ArenaEvent::kEnd: list.append(nb::make_tuple(kind, event.seat, event.points)); break;
      default: list.append(nb::make_tuple(kind, event.seat));
    }
  }
  return list;
}

nb::tuple to_session(const SessionResult& session) {
  return nb::make_tuple(session.result, session.luck, session.games, session.turns, session.doubles, session.drops,
                        session.cube, session.finished, to_events(session.events));
}

nb::typed<nb::list, nb::any> pairs(const ContestantMaker& first, const ContestantMaker& second, std::uint64_t seed,
                                   const std::vector<std::uint64_t>& numbers, int length, bool cube, bool jacoby,
                                   bool crawford, std::shared_ptr<MatchEquity> equity,
                                   std::shared_ptr<Evaluator> luck_evaluator, int luck_shortlist, bool keep_events,
                                   int threads) {
  ArenaSettings settings;
  settings.rules = {length, cube, jacoby, crawford};
  settings.equity = equity;
  settings.luck_evaluator = luck_evaluator;
  settings.luck_shortlist = luck_shortlist;
  settings.keep_events = keep_events;
  if (length < 0) throw std::invalid_argument("a match has a positive length, a money game has 0");
  if (length > 0 && (!equity || equity->length() < length))
    throw std::invalid_argument("a match needs an equity table of its length");
  std::vector<PairResult> results;
  {
    nb::gil_scoped_release released;
    results = play_pairs(first, second, settings, seed, numbers, threads);
  }
  nb::typed<nb::list, nb::any> list;
  for (const PairResult& pair : results) list.append(nb::make_tuple(to_session(pair[0]), to_session(pair[1])));
  return list;
}

void bind_dice(nb::module_& core) {
  nb::class_<ArenaDice>(core, "ArenaDice")
      .def(nb::init<std::uint64_t, std::uint64_t, std::uint64_t>(), nb::arg("seed"), nb::arg("pair"), nb::arg("game"))
      .def(
          "roll",
          [](const ArenaDice& self, std::uint64_t turn) {
            const Dice dice = self.roll(turn);
            return std::make_tuple(static_cast<int>(dice.high), static_cast<int>(dice.low));
          },
          nb::arg("turn"))
      .def(
          "opening",
          [](const ArenaDice& self) {
            const auto [first, second] = self.opening();
            return std::make_tuple(first, second);
          },
          "The dice of seat 0 and of seat 1.")
      .def("number", &ArenaDice::number, nb::arg("index"));
}

void bind_contestants(nb::module_& core) {
  nb::class_<Contestant>(core, "Contestant")
      .def(
          "play",
          [](Contestant& self, const nb::bytes& row, int first, int second, const CubeModel& model,
             std::uint64_t number) {
            const Position position = to_position(row);
            const Dice dice = to_dice(first, second);
            Position result;
            {
              nb::gil_scoped_release released;
              result = self.play({position, model, number}, dice);
            }
            return to_bytes(result);
          },
          nb::arg("position"), nb::arg("first"), nb::arg("second"), nb::arg("model"), nb::arg("number"))
      .def(
          "doubles",
          [](Contestant& self, const nb::bytes& row, const CubeModel& model) {
            const Position position = to_position(row);
            nb::gil_scoped_release released;
            return self.doubles({position, model, 0});
          },
          nb::arg("position"), nb::arg("model"))
      .def(
          "takes",
          [](Contestant& self, const nb::bytes& row, const CubeModel& model) {
            const Position position = to_position(row);
            nb::gil_scoped_release released;
            return self.takes({position, model, 0});
          },
          nb::arg("position"), nb::arg("model"));
  nb::class_<ContestantMaker>(core, "ContestantMaker").def("make", [](const ContestantMaker& self) {
    return self.make();
  });
  core.def(
      "engine_contestant",
      [](std::shared_ptr<Evaluator> evaluator, const RankSettings& rank, const TreeSettings& cube,
         std::size_t cache_bytes) { return engine_maker({evaluator, rank, cube, cache_bytes}); },
      nb::arg("evaluator"), nb::arg("rank"), nb::arg("cube"), nb::arg("cache_bytes") = 0);
  core.def(
      "tabula_contestant", [](const WeightList& weights) { return tabula_maker(to_tabula_weights(weights)); },
      nb::arg("weights"));
  core.def(
      "ten_factor_contestant", [](const WeightList& weights) { return ten_factor_maker(to_factor_weights(weights)); },
      nb::arg("weights"));
  core.def("random_contestant", &random_maker);
}

void bind_luck(nb::module_& core) {
  nb::class_<OwnedMeter>(core, "LuckMeter")
      .def(
          "__init__",
          [](OwnedMeter* self, std::shared_ptr<Evaluator> evaluator, int shortlist) {
            new (self) OwnedMeter{evaluator, LuckMeter(*evaluator, shortlist)};
          },
          nb::arg("evaluator"), nb::arg("shortlist") = 1)
      .def(
          "luck",
          [](OwnedMeter& self, const nb::bytes& row, int first, int second, const CubeModel& model, bool cubeful) {
            const Position position = to_position(row);
            const Dice dice = to_dice(first, second);
            nb::gil_scoped_release released;
            return self.meter.luck(position, dice, model, 0, cubeful);
          },
          nb::arg("position"), nb::arg("first"), nb::arg("second"), nb::arg("model"), nb::arg("cubeful"),
          "How much better than the average a roll is for the model's side 0, who is on roll.")
      .def(
          "opening_luck",
          [](OwnedMeter& self, const nb::bytes& row, int starter, int first, int second, const CubeModel& model,
             bool cubeful) {
            return self.meter.opening_luck(to_position(row), checked_side(starter), to_dice(first, second), model,
                                           cubeful);
          },
          nb::arg("position"), nb::arg("starter"), nb::arg("first"), nb::arg("second"), nb::arg("model"),
          nb::arg("cubeful"), "How lucky side 0 is about who starts, and with which roll.");

  core.def(
      "arena_pairs", &pairs, nb::kw_only(), nb::arg("first"), nb::arg("second"), nb::arg("seed"), nb::arg("pairs"),
      nb::arg("length"), nb::arg("cube"), nb::arg("jacoby"), nb::arg("crawford"), nb::arg("equity").none(),
      nb::arg("luck_evaluator").none(), nb::arg("luck_shortlist"), nb::arg("keep_events"), nb::arg("threads"),
      "Pairs of sessions with the same dice and seats exchanged. A session is (result, luck, games, turns, doubles, "
      "drops, highest cube, finished, events), seen by seat 0.");
}

}  // namespace

void init_arena(nb::module_& core) {
  bind_dice(core);
  bind_contestants(core);
  bind_luck(core);
}

}  // namespace kibitz
