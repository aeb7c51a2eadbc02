#include "eval/kernels_body.inl"

namespace kibitz {

#if defined(__x86_64__)
constexpr const char* kBaselineName = "sse2";
#elif defined(__aarch64__)
constexpr const char* kBaselineName = "neon";
#else
constexpr const char* kBaselineName = "scalar";
#endif

extern const Kernels kBaselineKernels;
const Kernels kBaselineKernels = {kBaselineName, accumulate, neighbours, features, dense, activate};

}  // namespace kibitz
