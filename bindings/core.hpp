// What the binding files share: one init function per room, and positions as 50 bytes.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "board/dice.hpp"
#include "board/position.hpp"

namespace nb = nanobind;

namespace kibitz {

void init_board(nb::module_& core);
void init_eval(nb::module_& core);
void init_selfplay(nb::module_& core);
void init_cube(nb::module_& core);
void init_search(nb::module_& core);
void init_tables(nb::module_& core);
void init_heuristics(nb::module_& core);
void init_rollout(nb::module_& core);
void init_arena(nb::module_& core);

using Boards = nb::ndarray<const std::uint8_t, nb::shape<-1, 2, kSlots>, nb::c_contig, nb::device::cpu>;
using DiceArray = nb::ndarray<const std::uint8_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

using Rows = nb::ndarray<const std::uint8_t, nb::shape<-1, kSlots>, nb::c_contig, nb::device::cpu>;

inline const Row* rows_of(const Rows& rows) { return reinterpret_cast<const Row*>(rows.data()); }

inline const Position* positions(const Boards& boards) { return reinterpret_cast<const Position*>(boards.data()); }

inline Position to_position(const nb::bytes& row) {
  if (row.size() != sizeof(Position)) throw std::invalid_argument("expected a position of 50 bytes");
  Position position;
  std::memcpy(&position, row.data(), sizeof(Position));
  return position;
}

inline nb::bytes to_bytes(const Position& position) { return nb::bytes(&position, sizeof(Position)); }

inline Dice to_dice(int first, int second) {
  if (first < 1 || first > 6 || second < 1 || second > 6) throw std::invalid_argument("expected dice from 1 to 6");
  return Dice(first, second);
}

// Hands a vector to numpy without copying it. `width` values make one row of shape (..., rest of shape).
template <typename Value, typename Stored>
nb::ndarray<nb::numpy, Value> to_numpy(std::vector<Stored>&& values, std::initializer_list<std::size_t> shape) {
  auto owned = std::make_unique<std::vector<Stored>>(std::move(values));
  auto* data = reinterpret_cast<Value*>(owned->data());
  nb::capsule owner(owned.release(), [](void* pointer) noexcept { delete static_cast<std::vector<Stored>*>(pointer); });
  return nb::ndarray<nb::numpy, Value>(data, shape, owner);
}

}  // namespace kibitz
