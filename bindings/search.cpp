#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "core.hpp"
#include "cube/cube_model.hpp"
#include "eval/mock_evaluator.hpp"
#include "search.hpp"
#include "search/analyst.hpp"

namespace kibitz {
namespace {

// Ctrl-C, noticed while the search runs without the interpreter's lock.
bool python_wants_to_stop() {
  nb::gil_scoped_acquire acquired;
  return PyErr_CheckSignals() != 0;
}

void raise_pending() {
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
}

using FiveOutputs = std::tuple<double, double, double, double, double>;
using RankRow = std::tuple<nb::bytes, FiveOutputs, double, double, int>;
using CubeRow = std::tuple<FiveOutputs, double, double, double, bool, double>;

FiveOutputs to_tuple(const MeanOutputs& outputs) {
  return {outputs.win, outputs.win_gammon, outputs.win_backgammon, outputs.lose_gammon, outputs.lose_backgammon};
}

std::tuple<std::vector<RankRow>, int, bool> rank(const Analyst& analyst, const nb::bytes& row, int first, int second,
                                                 const CubeModel& model, const RankSettings& settings,
                                                 const std::vector<nb::bytes>& asked_rows,
                                                 std::optional<double> seconds, const CancelFlag* cancel) {
  const Position position = to_position(row);
  const Dice dice = to_dice(first, second);
  std::vector<Position> asked;
  for (const nb::bytes& one : asked_rows) asked.push_back(to_position(one));
  Ranking ranking;
  {
    nb::gil_scoped_release released;
    Interrupt interrupt(seconds, python_wants_to_stop, cancel ? &cancel->set : nullptr);
    ranking = analyst.rank(position, dice, model, settings, asked, interrupt);
  }
  raise_pending();
  std::vector<RankRow> out;
  for (const RankedResult& one : ranking.results)
    out.emplace_back(to_bytes(one.result), to_tuple(one.outputs), one.utility, one.equity, one.plies);
  return {out, ranking.plies, ranking.stopped};
}

std::optional<CubeRow> cube(const Analyst& analyst, const nb::bytes& row, const CubeModel& model, CubeOwner owner,
                            int plies, const TreeSettings& settings, const CancelFlag* cancel) {
  const Position position = to_position(row);
  CubeAnalysis found;
  {
    nb::gil_scoped_release released;
    Interrupt interrupt(std::nullopt, python_wants_to_stop, cancel ? &cancel->set : nullptr);
    found = analyst.cube(position, model, owner, plies, settings, interrupt);
  }
  raise_pending();
  if (found.stopped) return std::nullopt;
  return CubeRow{to_tuple(found.outputs), found.no_double, found.double_take,
                 found.double_pass,       found.available, found.dead};
}

std::optional<std::tuple<FiveOutputs, double>> value(const Analyst& analyst, const nb::bytes& row,
                                                     const CubeModel& model, int plies, const TreeSettings& settings,
                                                     const CancelFlag* cancel) {
  const Position position = to_position(row);
  PositionValue found;
  bool done;
  {
    nb::gil_scoped_release released;
    Interrupt interrupt(std::nullopt, python_wants_to_stop, cancel ? &cancel->set : nullptr);
    done = analyst.value(position, model, plies, settings, interrupt, found);
  }
  raise_pending();
  if (!done) return std::nullopt;
  return std::tuple(to_tuple(found.outputs), found.values[model.present()]);
}

nb::object roll_values(const Analyst& analyst, const nb::bytes& row, const CubeModel& model, int plies,
                       const TreeSettings& settings, const CancelFlag* cancel) {
  const Position position = to_position(row);
  std::array<double, kRolls> rolls{};
  bool done;
  {
    nb::gil_scoped_release released;
    Interrupt interrupt(std::nullopt, python_wants_to_stop, cancel ? &cancel->set : nullptr);
    done = analyst.roll_values(position, model, plies, settings, interrupt, rolls);
  }
  raise_pending();
  return done ? nb::cast(rolls) : nb::none();
}

using ReplyRow = std::tuple<nb::bytes, FiveOutputs, double, std::optional<double>>;

std::optional<std::vector<ReplyRow>> roll_replies(const Analyst& analyst, const nb::bytes& row, const CubeModel& model,
                                                  int plies, const TreeSettings& settings, const CancelFlag* cancel) {
  const Position position = to_position(row);
  std::array<RollReply, kRolls> rolls{};
  bool done;
  {
    nb::gil_scoped_release released;
    Interrupt interrupt(std::nullopt, python_wants_to_stop, cancel ? &cancel->set : nullptr);
    done = analyst.roll_replies(position, model, plies, settings, interrupt, rolls);
  }
  raise_pending();
  if (!done) return std::nullopt;
  std::vector<ReplyRow> out;
  for (const RollReply& one : rolls) {
    out.emplace_back(to_bytes(one.result), to_tuple(one.outputs), one.held, one.doubled);
  }
  return out;
}

}  // namespace

void init_search(nb::module_& core) {
  nb::class_<MockEvaluator, Evaluator>(core, "MockEvaluator", "A smooth function of pips and blots, for tests.")
      .def(nb::init<>());

  nb::class_<CancelFlag>(core, "CancelFlag")
      .def(nb::init<>())
      .def("set", [](CancelFlag& self) { self.set.store(true); })
      .def("clear", [](CancelFlag& self) { self.set.store(false); })
      .def_prop_ro("is_set", [](const CancelFlag& self) { return self.set.load(); });

  nb::class_<FilterStep>(core, "FilterStep")
      .def(
          "__init__",
          [](FilterStep* self, int keep, int extra, double threshold) {
            new (self) FilterStep{keep, extra, threshold};
          },
          nb::arg("keep"), nb::arg("extra"), nb::arg("threshold"));

  nb::class_<TreeSettings>(core, "TreeSettings")
      .def(
          "__init__",
          [](TreeSettings* self, bool cubeful, int replies, int last_replies, const CubeEfficiency& efficiency,
             int checkers) { new (self) TreeSettings{replies, last_replies, {cubeful, efficiency, checkers}}; },
          nb::arg("cubeful"), nb::arg("replies"), nb::arg("last_replies"), nb::arg("efficiency"), nb::arg("checkers"));

  nb::class_<RankSettings>(core, "RankSettings")
      .def(
          "__init__",
          [](RankSettings* self, int plies, const std::vector<FilterStep>& filter, const TreeSettings& tree) {
            new (self) RankSettings{plies, filter, tree};
          },
          nb::arg("plies"), nb::arg("filter"), nb::arg("tree"));

  nb::class_<Analyst>(core, "Analyst")
      .def(
          "__init__",
          [](Analyst* self, std::shared_ptr<const Evaluator> evaluator, int threads, std::size_t cache_bytes,
             bool exact) { new (self) Analyst(std::move(evaluator), threads, cache_bytes, exact); },
          nb::arg("evaluator"), nb::arg("threads"), nb::arg("cache_bytes"), nb::arg("exact") = true)
      .def_prop_ro("threads", &Analyst::threads)
      .def_prop_ro("cache_bytes", &Analyst::cache_bytes)
      .def("clear_cache", &Analyst::clear_cache)
      .def("rank", &rank, nb::arg("position"), nb::arg("first"), nb::arg("second"), nb::arg("model"),
           nb::arg("settings"), nb::arg("asked"), nb::arg("seconds").none() = nb::none(),
           nb::arg("cancel").none() = nb::none(),
           "Results as (position, outputs, utility, equity, plies), the plies reached, and whether it was cancelled.")
      .def("cube", &cube, nb::arg("position"), nb::arg("model"), nb::arg("owner"), nb::arg("plies"),
           nb::arg("settings"), nb::arg("cancel").none() = nb::none(),
           "(outputs, no double, double/take, double/pass, may double, dead) with the cube in these hands; None if "
           "cancelled.")
      .def("value", &value, nb::arg("position"), nb::arg("model"), nb::arg("plies"), nb::arg("settings"),
           nb::arg("cancel").none() = nb::none(), "Outputs and present value of a position; None if cancelled.")
      .def("roll_values", &roll_values, nb::arg("position"), nb::arg("model"), nb::arg("plies"), nb::arg("settings"),
           nb::arg("cancel").none() = nb::none(),
           "The value of each of the 21 rolls to the player on roll; None if cancelled.")
      .def("roll_replies", &roll_replies, nb::arg("position"), nb::arg("model"), nb::arg("plies"), nb::arg("settings"),
           nb::arg("cancel").none() = nb::none(),
           "For each of the 21 rolls the best reply, its outputs, its value and that of the doubled cube; None if "
           "cancelled.");
}

}  // namespace kibitz
