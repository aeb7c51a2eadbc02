// Random numbers that follow from what they are asked for, and from nothing else.
#pragma once

#include <cstdint>

namespace kibitz {

inline constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15u;

// The finaliser of SplitMix64: a bijection of 64 bits in which every bit of the input moves about half of the output.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += kGoldenRatio;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace kibitz
