#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <tuple>

#include "core.hpp"
#include "cube/cube_efficiency.hpp"
#include "cube/cube_model.hpp"
#include "cube/cube_points.hpp"
#include "cube/match_equity.hpp"

namespace kibitz {
namespace {

using FiveOutputs = std::array<double, 5>;

Outputs to_outputs(const FiveOutputs& five) {
  return {static_cast<float>(five[0]), static_cast<float>(five[1]), static_cast<float>(five[2]),
          static_cast<float>(five[3]), static_cast<float>(five[4])};
}

int checked_state(const CubeModel&, int state) {
  if (state < 0 || state >= kMaxStates) throw std::invalid_argument("there is no such cube state");
  return state;
}

Side checked_side(int side) {
  if (side != 0 && side != 1) throw std::invalid_argument("expected side 0 or 1");
  return side;
}

std::shared_ptr<CubeModel> make_model(int my_away, int their_away, int cube, CubeOwner owner, bool crawford,
                                      bool jacoby, bool beavers, int max_cube, const MatchEquity* table) {
  const MatchState match{my_away, their_away, crawford, jacoby, beavers, cube, owner, max_cube};
  if (cube < 1) throw std::invalid_argument("the cube shows at least 1");
  if ((my_away == 0) != (their_away == 0) || my_away < 0 || their_away < 0)
    throw std::invalid_argument("both sides need points in a match, neither in a money game");
  if (my_away > 0) {
    if (table == nullptr) throw std::invalid_argument("a match needs an equity table");
    if (std::max(my_away, their_away) > table->length())
      throw std::invalid_argument("the match is longer than the equity table");
  }
  return std::make_shared<CubeModel>(match, table);
}

void bind_match_equity(nb::module_& core) {
  nb::class_<MatchEquity>(core, "MatchEquity")
      .def(
          "__init__",
          [](MatchEquity* self, const std::vector<std::vector<double>>& pre, const std::vector<double>& post) {
            std::vector<double> flat;
            for (const auto& row : pre) {
              if (row.size() != pre.size()) throw std::invalid_argument("expected a square table");
              flat.insert(flat.end(), row.begin(), row.end());
            }
            if (pre.empty() || post.size() != pre.size())
              throw std::invalid_argument("expected as many post-Crawford values as rows");
            new (self) MatchEquity(static_cast<int>(pre.size()), std::move(flat), post);
          },
          nb::arg("pre_crawford"), nb::arg("post_crawford"))
      .def_prop_ro("length", &MatchEquity::length)
      .def("chance", &MatchEquity::chance, nb::arg("my_away"), nb::arg("their_away"), nb::arg("after_crawford"))
      .def("after_game", &MatchEquity::after_game, nb::arg("my_away"), nb::arg("their_away"), nb::arg("points"));

  nb::enum_<CubeOwner>(core, "CubeOwner")
      .value("CENTRED", CubeOwner::kCentred)
      .value("MINE", CubeOwner::kMine)
      .value("THEIRS", CubeOwner::kTheirs);

  nb::class_<Efficiency>(core, "Efficiency", "How far between dead (0) and live (1) the cube is.")
      .def(nb::init<double, double, double, double, double, double>(), nb::arg("shared"), nb::arg("jacoby"),
           nb::arg("owned"), nb::arg("swing"), nb::arg("far"), nb::arg("gammons"))
      .def(nb::init_implicit<double>(), nb::arg("all"))
      .def_rw("shared", &Efficiency::shared)
      .def_rw("jacoby", &Efficiency::jacoby)
      .def_rw("owned", &Efficiency::owned)
      .def_rw("swing", &Efficiency::swing)
      .def_rw("far", &Efficiency::far)
      .def_rw("gammons", &Efficiency::gammons);

  nb::class_<CubeEfficiency::Race>(core, "RaceEfficiency")
      .def_rw("most", &CubeEfficiency::Race::most)
      .def_rw("half_pips", &CubeEfficiency::Race::half_pips);

  nb::class_<CubeEfficiency>(core, "CubeEfficiency")
      .def(nb::init<>())
      .def(
          "of", [](const CubeEfficiency& self, const nb::bytes& row) { return self.of(to_position(row)); },
          nb::arg("position"))
      .def_rw("contact", &CubeEfficiency::contact)
      .def_rw("shared_race", &CubeEfficiency::shared_race)
      .def_rw("owned_race", &CubeEfficiency::owned_race)
      .def_rw("swing_pips", &CubeEfficiency::swing_pips);
}

void bind_cube_model(nb::module_& core) {
  nb::class_<CubeModel>(core, "CubeModel")
      .def(nb::new_(&make_model), nb::kw_only(), nb::arg("my_away") = 0, nb::arg("their_away") = 0, nb::arg("cube") = 1,
           nb::arg("owner") = CubeOwner::kCentred, nb::arg("crawford") = false, nb::arg("jacoby") = true,
           nb::arg("beavers") = false, nb::arg("max_cube") = 1024, nb::arg("table").none() = nb::none())
      .def_prop_ro("is_money", &CubeModel::is_money)
      .def_prop_ro("present", &CubeModel::present)
      .def("with_owner", &CubeModel::with_owner, nb::arg("owner"))
      .def(
          "doubled",
          [](const CubeModel& self, int state, int side) {
            return self.doubled(checked_state(self, state), checked_side(side));
          },
          nb::arg("state"), nb::arg("doubler"))
      .def(
          "undecided",
          [](const CubeModel& self, const FiveOutputs& outputs, const Efficiency& efficiency, int side, int state) {
            return self.undecided(to_outputs(outputs), efficiency, checked_side(side), checked_state(self, state));
          },
          nb::arg("outputs"), nb::arg("efficiency"), nb::arg("on_roll"), nb::arg("state"),
          "The value of five outputs in a cube state before the player on roll thinks of doubling.")
      .def(
          "decided",
          [](const CubeModel& self, const FiveOutputs& outputs, const Efficiency& efficiency, int side, int state) {
            StateValues values{};
            const StateMask mask = self.closure(StateMask{1} << checked_state(self, state));
            self.undecided(to_outputs(outputs), efficiency, checked_side(side), mask, values);
            self.decide(side, mask, values);
            return values[state];
          },
          nb::arg("outputs"), nb::arg("efficiency"), nb::arg("on_roll"), nb::arg("state"),
          "The same with the best cube decision.")
      .def(
          "dead",
          [](const CubeModel& self, const FiveOutputs& outputs, int side, int state) {
            return self.dead(to_outputs(outputs), checked_side(side), checked_state(self, state));
          },
          nb::arg("outputs"), nb::arg("on_roll"), nb::arg("state"), "The value with a dead cube.")
      .def("normalised", &CubeModel::normalised, nb::arg("utility"), nb::arg("side"))
      .def("match_chance", &CubeModel::match_chance, nb::arg("utility"))
      .def(
          "points",
          [](const CubeModel& self, const FiveOutputs& outputs, int state, const Efficiency& efficiency) {
            const CubePoints points = cube_points(self, to_outputs(outputs), checked_state(self, state), efficiency);
            return std::tuple(points.double_point, points.cash_point, points.too_good_point);
          },
          nb::arg("outputs"), nb::arg("state"), nb::arg("efficiency"),
          "Doubling, cash and too-good point; not a number where there is none.");
}

}  // namespace

void init_cube(nb::module_& core) {
  bind_match_equity(core);
  bind_cube_model(core);
}

}  // namespace kibitz
