// Weights of the hand-made engines as Python has them: lists of numbers.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "heuristics/tabula.hpp"
#include "heuristics/ten_factor.hpp"

namespace kibitz {

using WeightList = std::vector<double>;

inline TabulaWeights to_tabula_weights(const WeightList& values) {
  if (values.size() != 5) throw std::invalid_argument("expected tabula's four weights and the view of spaces");
  return {values[0], values[1], values[2], values[3], values[4] != 0.0};
}

inline Factors to_factor_weights(const WeightList& values) {
  if (values.size() != kFactors) throw std::invalid_argument("expected ten weights");
  Factors weights;
  std::copy(values.begin(), values.end(), weights.begin());
  return weights;
}

}  // namespace kibitz
