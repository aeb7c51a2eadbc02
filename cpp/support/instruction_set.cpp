#include "support/instruction_set.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kibitz {
namespace {

#if defined(__x86_64__)

constexpr bool has(std::uint64_t word, std::uint64_t bits) { return (word & bits) == bits; }

constexpr std::uint64_t bit(int place) { return std::uint64_t{1} << place; }

// What the processor has and the system keeps for each thread. Compilers' own questions need a part of their library
// that is not there on every system.
InstructionSet best() {
  unsigned a, b, c, d;
  constexpr std::uint64_t kFma = bit(12), kSystemSaves = bit(27), kAvx = bit(28);  // leaf 1
  if (!__get_cpuid(1, &a, &b, &c, &d) || !has(c, kFma | kSystemSaves | kAvx)) return InstructionSet::kBaseline;
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  constexpr std::uint64_t kAvx2 = bit(5), kBmi2 = bit(8);                             // leaf 7
  constexpr std::uint64_t kAvx512 = bit(16) | bit(17) | bit(28) | bit(30) | bit(31);  // F, DQ, CD, BW, VL
  constexpr std::uint64_t kVnni = bit(11);
  constexpr std::uint64_t kSavesAvx = bit(1) | bit(2), kSavesAvx512 = kSavesAvx | bit(5) | bit(6) | bit(7);
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !has(b, kAvx2 | kBmi2) || !has(low, kSavesAvx))
    return InstructionSet::kBaseline;
  return has(b, kAvx512) && has(c, kVnni) && has(low, kSavesAvx512) ? InstructionSet::kAvx512 : InstructionSet::kAvx2;
}

#endif

InstructionSet choose() {
#if defined(__x86_64__)
  const char* setting = std::getenv("KIBITZ_ISA");
  const std::string_view wanted = setting ? setting : "";
  if (wanted == "sse2") return InstructionSet::kBaseline;
  return wanted == "avx2" && best() == InstructionSet::kAvx512 ? InstructionSet::kAvx2 : best();
#else
  return InstructionSet::kBaseline;
#endif
}

}  // namespace

InstructionSet instruction_set() {
  static const InstructionSet chosen = choose();
  return chosen;
}

}  // namespace kibitz
