// The one door between Python and the engine.
#include <nanobind/stl/string.h>

#include <cstdlib>

#include "core.hpp"
#include "eval/kernels.hpp"

namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

}  // namespace

NB_MODULE(_core, core) {
  core.doc() = "Kibitz's native core. Use the kibitz package instead: its names and errors are the stable ones.";
  // What a thread that still waits at the end of the process holds is no leak, and no user's business.
  nb::set_leak_warnings(std::getenv("KIBITZ_LEAKS") != nullptr);
  core.def("compiler", &compiler);
  core.def("instruction_set", [] { return std::string(kibitz::kernels().name); });
  kibitz::init_board(core);
  kibitz::init_tables(core);
  kibitz::init_eval(core);
  kibitz::init_selfplay(core);
  kibitz::init_cube(core);
  kibitz::init_search(core);
  kibitz::init_heuristics(core);
  kibitz::init_rollout(core);
  kibitz::init_arena(core);
}
