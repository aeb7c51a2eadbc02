#include "eval/kernels.hpp"

#include <cstdlib>
#include <string_view>

namespace kibitz {

extern const Kernels kBaselineKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#endif

namespace {

const Kernels& choose_kernels() {
#if defined(__x86_64__)
  const char* setting = std::getenv("KIBITZ_ISA");
  const std::string_view wanted = setting ? setting : "";
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vnni");
  const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx512 && (wanted.empty() || wanted == kAvx512Kernels.name)) return kAvx512Kernels;
  if (has_avx2 && wanted != kBaselineKernels.name) return kAvx2Kernels;
#endif
  return kBaselineKernels;
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = choose_kernels();
  return chosen;
}

}  // namespace kibitz
