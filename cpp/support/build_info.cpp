#include "support/build_info.hpp"

#include "eval/kernels.hpp"

namespace kibitz {

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

std::string instruction_set() { return kernels().name; }

}  // namespace kibitz
