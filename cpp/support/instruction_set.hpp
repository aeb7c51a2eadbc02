// Which instructions the fast loops may use. Answers do not depend on it.
#pragma once

namespace kibitz {

enum class InstructionSet { kBaseline, kAvx2, kAvx512 };

// The best one this processor has. The environment variable KIBITZ_ISA (sse2, avx2, avx512) asks for a lower one.
InstructionSet instruction_set();

}  // namespace kibitz
