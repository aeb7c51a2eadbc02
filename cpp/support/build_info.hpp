// What this library was built with and which instruction set it runs on.
#pragma once

#include <string>

namespace kibitz {

std::string compiler();
std::string instruction_set();  // the best one that the kernels have and this processor offers

}  // namespace kibitz
