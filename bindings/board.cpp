#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "board/key.hpp"
#include "board/plays.hpp"
#include "board/validity.hpp"
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

// The first board that cannot occur, -1 if there is none. What is wrong with it, Python says.
std::int64_t first_invalid(const Boards& boards) {
  nb::gil_scoped_release released;
  const Position* all = positions(boards);
  const Position* end = all + boards.shape(0);
  const Position* found = std::find_if_not(all, end, is_valid);
  return found == end ? -1 : found - all;
}

// The generator trusts its boards; who calls this has asked first_invalid().
BulkResults legal_results_bulk(const Boards& boards, const DiceArray& dice) {
  const std::size_t count = boards.shape(0);
  if (dice.shape(0) != count) throw std::invalid_argument("expected as many rolls as boards");
  const std::uint8_t* rolls = dice.data();
  for (std::size_t i = 0; i < count; ++i) to_dice(rolls[2 * i], rolls[2 * i + 1]);

  std::vector<std::int64_t> offsets(count + 1, 0);
  std::vector<Position> all;
  {
    nb::gil_scoped_release released;
    all.reserve(24 * count);
    for (std::size_t i = 0; i < count; ++i) {
      append_legal_results(positions(boards)[i], Dice(rolls[2 * i], rolls[2 * i + 1]), all);
      offsets[i + 1] = static_cast<std::int64_t>(all.size());
    }
  }
  const std::size_t total = all.size();
  return {to_numpy<std::int64_t>(std::move(offsets), {count + 1}),
          to_numpy<std::uint8_t>(std::move(all), {total, 2, static_cast<std::size_t>(kSlots)})};
}

// The work of legal_results_bulk without its output: what the generator alone costs.
std::size_t count_results(const Boards& boards) {
  nb::gil_scoped_release released;
  std::vector<Position> results;
  std::size_t total = 0;
  for (std::size_t i = 0; i < boards.shape(0); ++i)
    for (const Dice dice : kAllRolls) {
      legal_results(positions(boards)[i], dice, results);
      total += results.size();
    }
  return total;
}

std::string id_of(const nb::bytes& row) {
  const auto id = position_id(to_position(row));
  return {id.begin(), id.end()};
}

nb::ndarray<nb::numpy, std::uint8_t> ids_of(const Boards& boards) {
  const std::size_t count = boards.shape(0);
  std::vector<std::array<char, kPositionIdLength>> ids(count);
  {
    nb::gil_scoped_release released;
    for (std::size_t i = 0; i < count; ++i) ids[i] = position_id(positions(boards)[i]);
  }
  return to_numpy<std::uint8_t>(std::move(ids), {count, static_cast<std::size_t>(kPositionIdLength)});
}

// One number for the keys of all boards: the work of making them, and proof that it was done.
std::uint64_t mixed_keys(const Boards& boards) {
  nb::gil_scoped_release released;
  std::uint64_t mixed = 0;
  for (std::size_t i = 0; i < boards.shape(0); ++i) {
    const PositionKey key = position_key(positions(boards)[i]);
    mixed = mixed * 0x9e3779b97f4a7c15 + (key.low ^ key.high);
  }
  return mixed;
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
  core.def("first_invalid", &first_invalid, nb::arg("boards"), "The index of the first impossible board, or -1.");
  core.def("position_ids", &ids_of, nb::arg("boards"), "The Position IDs of n boards as (n, 14) characters.");
  core.def("mixed_keys", &mixed_keys, nb::arg("boards"), "One number made of the position keys of all boards.");
  core.def("count_results", &count_results, nb::arg("boards"),
           "How many distinct results all 21 rolls have on these boards together.");
  core.def("position_id", &id_of, nb::arg("position"));
  core.def("position_from_id", &row_from_id, nb::arg("position_id"));
}

}  // namespace kibitz
