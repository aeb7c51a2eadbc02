// Functions that are compiled for several instruction sets, of which the best one runs. To have the same digits
// everywhere, such a function makes its sums in the same order on all of them, or of integers.
//
// The body is a KIBITZ_INLINE function, and so is all that it calls; `const auto name = cloned<body>();` is what others
// call. Compilers can clone by themselves, but not on every system, and not so that KIBITZ_ISA decides.
#pragma once

#include "support/instruction_set.hpp"

#define KIBITZ_INLINE __attribute__((always_inline)) inline

namespace kibitz {

template <auto kBody, typename Function = decltype(kBody)>
struct Clones;

template <auto kBody, typename Result, typename... Arguments>
struct Clones<kBody, Result (*)(Arguments...)> {
  static Result baseline(Arguments... arguments) { return kBody(arguments...); }
#if defined(__x86_64__)
  __attribute__((target("arch=x86-64-v3"))) static Result avx2(Arguments... arguments) { return kBody(arguments...); }
  __attribute__((target("arch=x86-64-v4"))) static Result avx512(Arguments... arguments) { return kBody(arguments...); }
#endif
};

template <auto kBody>
auto cloned() {
  using All = Clones<kBody>;
#if defined(__x86_64__)
  if (instruction_set() == InstructionSet::kAvx512) return &All::avx512;
  if (instruction_set() == InstructionSet::kAvx2) return &All::avx2;
#endif
  return &All::baseline;
}

// Sixteen floats: one AVX-512 register, or as many smaller ones as the processor needs. Aligned as plain floats.
typedef float Floats __attribute__((vector_size(64), aligned(4)));
inline constexpr int kFloats = 16;
KIBITZ_INLINE const Floats& floats(const float* place) { return *reinterpret_cast<const Floats*>(place); }
KIBITZ_INLINE Floats& floats(float* place) { return *reinterpret_cast<Floats*>(place); }

}  // namespace kibitz
