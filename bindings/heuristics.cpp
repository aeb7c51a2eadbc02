#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "board/plays.hpp"
#include "core.hpp"
#include "heuristics.hpp"
#include "heuristics/shots.hpp"

namespace kibitz {
namespace {

using PartsTuple = std::tuple<double, double, double, double>;  // pips, blots, hits, score

using TabulaTuple = std::tuple<nb::bytes, PartsTuple, PartsTuple, double, bool, std::int64_t>;

std::vector<TabulaTuple> to_tuples(const std::vector<TabulaPlay>& plays) {
  std::vector<TabulaTuple> out;
  out.reserve(plays.size());
  for (const TabulaPlay& play : plays) {
    const TabulaParts& mine = play.player;
    const TabulaParts& theirs = play.opponent;
    out.emplace_back(to_bytes(play.result), PartsTuple{mine.pips, mine.blots, mine.hits, play.player_score},
                     PartsTuple{theirs.pips, theirs.blots, theirs.hits, play.opponent_score}, play.score, play.past,
                     play.replies);
  }
  return out;
}

auto analyze_with_tabula(const nb::bytes& row, int first, int second, const WeightList& weight_list, int threads) {
  const Position position = to_position(row);
  const Dice dice = to_dice(first, second);
  const TabulaWeights weights = to_tabula_weights(weight_list);
  std::vector<TabulaPlay> plays;
  {
    nb::gil_scoped_release released;
    plays = tabula_analyze(position, dice, weights, threads);
  }
  return to_tuples(plays);
}

auto analyze_many_with_tabula(const std::vector<std::tuple<nb::bytes, int, int>>& asked, const WeightList& weight_list,
                              int threads) {
  const TabulaWeights weights = to_tabula_weights(weight_list);
  std::vector<Position> positions;
  std::vector<Dice> dice;
  for (const auto& [row, first, second] : asked) {
    positions.push_back(to_position(row));
    dice.push_back(to_dice(first, second));
  }
  std::vector<std::vector<TabulaPlay>> analyses;
  {
    nb::gil_scoped_release released;
    analyses = tabula_analyze_many(positions, dice, weights, threads);
  }
  std::vector<std::vector<TabulaTuple>> out;
  out.reserve(analyses.size());
  for (const auto& plays : analyses) out.push_back(to_tuples(plays));
  return out;
}

auto rank_by_ten_factors(const nb::bytes& row, int first, int second, const WeightList& weight_list) {
  const Position position = to_position(row);
  const Dice dice = to_dice(first, second);
  const Factors weights = to_factor_weights(weight_list);
  std::vector<Position> results;
  legal_results(position, dice, results);
  std::vector<std::tuple<nb::bytes, Factors, double>> out;
  out.reserve(results.size());
  for (const Position& result : results) {
    const Factors raw = ten_factors(position, dice, result);
    out.emplace_back(to_bytes(result), raw, ten_factor_score(raw, weights));
  }
  return out;
}

auto shots_of(const nb::bytes& row) {
  const Shots shots = count_shots(to_position(row));
  return std::make_tuple(shots.hit, shots.any);
}

}  // namespace

void init_heuristics(nb::module_& core) {
  core.def(
      "tabula_analyze", &analyze_with_tabula, nb::arg("position"), nb::arg("first"), nb::arg("second"),
      nb::arg("weights"), nb::arg("threads"),
      "For every play: result, player's parts and score, opponent's parts and score, score, past, replies scored.");
  core.def("tabula_analyze_many", &analyze_many_with_tabula, nb::arg("asked"), nb::arg("weights"), nb::arg("threads"),
           "The same for a list of (position, first, second).");
  core.def("ten_factors", &rank_by_ten_factors, nb::arg("position"), nb::arg("first"), nb::arg("second"),
           nb::arg("weights"), "For every play: result, the ten raw values, score.");
  core.def(
      "shots", &shots_of, nb::arg("position"),
      "For each of the 21 rolls the blots it hits, as bits of the hitter's points; and how many of 36 hit at all.");
}

}  // namespace kibitz
