#include "eval/kernels_body.inl"

namespace kibitz {

extern const Kernels kAvx2Kernels;
const Kernels kAvx2Kernels = {"avx2", accumulate, neighbours, features, dense, activate};

}  // namespace kibitz
