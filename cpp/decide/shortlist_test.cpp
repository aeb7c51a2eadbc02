#include "decide/shortlist.hpp"

#include <vector>

#include "board/dice.hpp"
#include "board/plays.hpp"
#include "eval/mock_evaluator.hpp"
#include "support/testing.hpp"

using namespace kibitz;

namespace {

// A prefilter by the pips of the one who played: whoever runs furthest comes first.
class PipPrefilter : public MockEvaluator {
 public:
  bool prefilter(const Position&, std::span<const Position> results, std::span<float> equities) const override {
    for (std::size_t i = 0; i < results.size(); ++i) equities[i] = static_cast<float>(pips(results[i].theirs));
    return true;
  }
};

}  // namespace

TEST_CASE("lowest values come first and equal ones in their order") {
  const std::vector<float> values{9, 3, 1, 3, 1, 2};
  std::vector<int> indices;
  lowest(values, 1, 5, 3, indices);
  CHECK((indices == std::vector<int>{2, 4, 5}));
  lowest(values, 0, 2, 10, indices);
  CHECK((indices == std::vector<int>{1, 0}));
}

TEST_CASE("thinning out keeps the best of each roll in their order") {
  const Position start = starting_position();
  std::vector<Position> results;
  std::array<RollResults, kRolls> rolls;
  for (int roll = 0; roll < kRolls; ++roll) {
    const int first = static_cast<int>(results.size());
    append_legal_results(start, kAllRolls[roll], results);
    rolls[roll] = {first, static_cast<int>(results.size()) - first, 4};
  }
  const std::vector<Position> all = results;
  const auto before = rolls;
  thin_out(MockEvaluator{}, start, results, rolls);
  CHECK(results == all);  // who has no prefilter leaves everything
  thin_out(PipPrefilter{}, start, results, rolls);
  CHECK(results.size() < all.size());
  int end = 0;
  for (int roll = 0; roll < kRolls; ++roll) {
    CHECK(rolls[roll].first == end);
    CHECK(rolls[roll].count == std::min(4, before[roll].count));
    end += rolls[roll].count;
    int from = before[roll].first;
    for (int i = rolls[roll].first; i < end; ++i) {
      while (from < before[roll].first + before[roll].count && !(all[from] == results[i])) ++from;
      CHECK(from < before[roll].first + before[roll].count);
    }
  }
  CHECK(static_cast<int>(results.size()) == end);
}
