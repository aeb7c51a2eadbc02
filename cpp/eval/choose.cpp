#include "eval/choose.hpp"

#include <algorithm>
#include <numeric>

#include "board/plays.hpp"

namespace kibitz {

Chooser::Choice Chooser::best(const Position& position, Dice dice) {
  legal_results(position, dice, results_);
  considered_ = static_cast<int>(results_.size());
  if (results_.empty()) {
    const Position passed = position.swapped();
    return {passed, evaluator_->evaluate(passed)};
  }
  if (shortlist_ > 0 && considered_ > shortlist_) {
    glances_.resize(results_.size());
    evaluator_->glance(position, results_, glances_);
    order_.resize(results_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    std::nth_element(order_.begin(), order_.begin() + shortlist_, order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return glances_[a] < glances_[b]; });
    // In the order in which they were generated, so that equal results are told apart the same way everywhere.
    std::sort(order_.begin(), order_.begin() + shortlist_);
    kept_.clear();
    for (int i = 0; i < shortlist_; ++i) kept_.push_back(results_[order_[i]]);
    results_.swap(kept_);
  }
  outputs_.resize(results_.size());
  evaluator_->evaluate_results(position, results_, outputs_);
  std::size_t best = 0;
  for (std::size_t i = 1; i < results_.size(); ++i)
    if (is_better(outputs_[i].equity(), results_[i], outputs_[best].equity(), results_[best])) best = i;
  return {results_[best], outputs_[best]};
}

}  // namespace kibitz
