#include "eval/kernels_body.inl"

namespace kibitz {

extern const Kernels kAvx512Kernels;
const Kernels kAvx512Kernels = {"avx512", accumulate, neighbours, tactics, dense, activate};

}  // namespace kibitz
