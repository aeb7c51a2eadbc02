// The head of a net's numbers: what kind of net they make and how large its layers are. Nothing is left to be guessed
// from how many numbers follow.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "eval/kernels.hpp"

namespace kibitz {

// Little-endian, as all numbers of a payload.
struct Architecture {
  enum Kind : std::uint32_t { kPositions = 1, kRow = 2 };  // a net for positions, or for one side of a race

  std::uint32_t kind = 0;
  std::uint32_t units = 0;  // inputs of the first layer
  std::uint32_t width = 0;
  std::uint32_t hidden1 = 0;
  std::uint32_t hidden2 = 0;  // 0 where there is one hidden layer less
  std::uint32_t sets = 0;     // of later layers

  std::string bytes() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }

  // Takes the head off a payload. False if there is none, or none that a net can have.
  static bool take(std::string_view& payload, Kind kind, Architecture& found) {
    if (payload.size() < sizeof found) return false;
    std::memcpy(&found, payload.data(), sizeof found);
    payload.remove_prefix(sizeof found);
    constexpr std::uint32_t kMost = kMaxWidth;
    return found.kind == kind && found.width <= kMost && found.hidden1 <= kMost && found.hidden2 <= kMost &&
           found.units <= kMost && found.sets <= kMost;
  }
};
static_assert(sizeof(Architecture) == 24);

// The next numbers of a payload, as many as the vector is to have. False if there are not so many.
template <typename Numbers>
bool take_numbers(std::string_view& payload, std::size_t count, Numbers& numbers) {
  const std::size_t size = count * sizeof(numbers[0]);
  if (payload.size() < size) return false;
  numbers.resize(count);
  if (size > 0) std::memcpy(numbers.data(), payload.data(), size);
  payload.remove_prefix(size);
  return true;
}

}  // namespace kibitz
