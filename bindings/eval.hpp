// What the other binding files need of the evaluators.
#pragma once

#include "core.hpp"
#include "eval/neural_evaluator.hpp"

namespace kibitz {

// A net's numbers from a file's payload; throws std::invalid_argument if they do not fit.
NetworkParameters to_parameters(int width, int hidden1, int hidden2, const nb::bytes& payload);

}  // namespace kibitz
