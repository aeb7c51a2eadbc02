#include "eval/kernels_body.inl"

namespace kibitz {

extern const Kernels kAvx512Kernels;
const Kernels kAvx512Kernels = {"avx512", accumulate, neighbours, features, dense, activate};

}  // namespace kibitz
