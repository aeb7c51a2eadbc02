#include "eval/kernels.hpp"

#include "support/instruction_set.hpp"

namespace kibitz {

extern const Kernels kBaselineKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#endif

const Kernels& kernels() {
#if defined(__x86_64__)
  if (instruction_set() == InstructionSet::kAvx512) return kAvx512Kernels;
  if (instruction_set() == InstructionSet::kAvx2) return kAvx2Kernels;
#endif
  return kBaselineKernels;
}

}  // namespace kibitz
