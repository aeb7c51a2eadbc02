#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>

#include "board/key.hpp"
#include "board/plays.hpp"
#include "core.hpp"

namespace kibitz {
namespace {

using MoveTuple = std::tuple<int, int, bool>;

std::vector<nb::bytes> results_of(const nb::bytes& row, int first, int second) {
  std::vector<Position> results;
  legal_results(to_position(row), to_dice(first, second), results);
  std::vector<nb::bytes> out;
  out.reserve(results.size());
  for (const Position& result : results) out.push_back(to_bytes(result));
  return out;
}

std::vector<MoveTuple> moves_of(const nb::bytes& before, int first, int second, const nb::bytes& after) {
  std::vector<MoveTuple> out;
  for (const Move& move : moves_between(to_position(before), to_dice(first, second), to_position(after)))
    out.emplace_back(move.source + 1, move.target + 1, move.hit);
  return out;
}

using BulkResults = std::pair<nb::ndarray<nb::numpy, std::int64_t>, nb::ndarray<nb::numpy, std::uint8_t>>;

BulkResults legal_results_bulk(const Boards& boards, const DiceArray& dice) {
  const std::size_t count = boards.shape(0);
  if (dice.shape(0) != count) throw std::invalid_argument("expected as many rolls as boards");
  const std::uint8_t* rolls = dice.data();
  for (std::size_t i = 0; i < count; ++i) to_dice(rolls[2 * i], rolls[2 * i + 1]);

  std::vector<std::int64_t> offsets(count + 1, 0);
  std::vector<Position> all;
  {
    nb::gil_scoped_release released;
    std::vector<Position> results;
    all.reserve(24 * count);
    for (std::size_t i = 0; i < count; ++i) {
      legal_results(positions(boards)[i], Dice(rolls[2 * i], rolls[2 * i + 1]), results);
      all.insert(all.end(), results.begin(), results.end());
      offsets[i + 1] = static_cast<std::int64_t>(all.size());
    }
  }
  const std::size_t total = all.size();
  return {to_numpy<std::int64_t>(std::move(offsets), {count + 1}),
          to_numpy<std::uint8_t>(std::move(all), {total, 2, static_cast<std::size_t>(kSlots)})};
}

std::string id_of(const nb::bytes& row) {
  const auto id = position_id(to_position(row));
  return {id.begin(), id.end()};
}

std::optional<nb::bytes> row_from_id(const std::string& id) {
  const auto position = position_from_id(id);
  if (!position) return std::nullopt;
  return to_bytes(*position);
}

}  // namespace

void init_board(nb::module_& core) {
  core.def("legal_results", &results_of, nb::arg("position"), nb::arg("first"), nb::arg("second"),
           "The distinct positions after every legal play, each seen by the opponent.");
  core.def("moves_between", &moves_of, nb::arg("position"), nb::arg("first"), nb::arg("second"), nb::arg("result"),
           "The steps (source, target, hit) that lead to a result; 25 is the bar, 0 is off.");
  core.def("legal_results_bulk", &legal_results_bulk, nb::arg("boards"), nb::arg("dice"),
           "For n boards and rolls: n + 1 offsets, and all results one after the other.");
  core.def("position_id", &id_of, nb::arg("position"));
  core.def("position_from_id", &row_from_id, nb::arg("position_id"));
}

}  // namespace kibitz
