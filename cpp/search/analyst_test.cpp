#include "search/analyst.hpp"

#include "board/plays.hpp"
#include "eval/mock_evaluator.hpp"
#include "support/testing.hpp"

using namespace kibitz;

namespace {

CubeModel money() { return CubeModel(MatchState{}, nullptr); }

RankSettings settings(int plies) {
  RankSettings chosen;
  chosen.plies = plies;
  chosen.filter = {FilterStep{2, 3, 0.1}};
  return chosen;
}

bool same(const Ranking& a, const Ranking& b) {
  if (a.results.size() != b.results.size()) return false;
  for (std::size_t i = 0; i < a.results.size(); ++i)
    if (!(a.results[i].result == b.results[i].result) || a.results[i].utility != b.results[i].utility ||
        !(a.results[i].outputs == b.results[i].outputs))
      return false;
  return true;
}

}  // namespace

TEST_CASE("threads and caches of any size give the same digits") {
  const auto evaluator = std::make_shared<MockEvaluator>();
  const CubeModel model = money();
  Interrupt never;
  const Ranking plain = Analyst(evaluator, 1, 0).rank(starting_position(), Dice(4, 2), model, settings(2), {}, never);
  for (const int threads : {1, 2, 7})
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{64}, std::size_t{4096}, std::size_t{1} << 22})
      CHECK(same(
          plain,
          Analyst(evaluator, threads, bytes).rank(starting_position(), Dice(4, 2), model, settings(2), {}, never)));
}

TEST_CASE("an interrupted search keeps its finished looks") {
  const CubeModel model = money();
  std::atomic<bool> cancelled{true};
  Interrupt at_once(std::nullopt, {}, &cancelled);
  const Ranking ranking = Analyst(std::make_shared<MockEvaluator>(), 2, 0)
                              .rank(starting_position(), Dice(4, 2), model, settings(3), {}, at_once);
  CHECK(ranking.stopped);
  CHECK(ranking.plies == 0);
  std::vector<Position> results;
  legal_results(starting_position(), Dice(4, 2), results);
  CHECK(ranking.results.size() == results.size());
}

TEST_CASE("a cache finds what was stored under the whole key and nothing else") {
  EvaluationCache cache(64);  // one line of two entries
  CHECK(cache.bytes() == 64);
  const Outputs first{0.1f, 0, 0, 0, 0}, second{0.2f, 0, 0, 0, 0}, third{0.3f, 0, 0, 0, 0};
  const PositionKey a{1, 0}, b{1, 1}, c{2, 0};
  Outputs found;
  CHECK(!cache.find(a, found));
  cache.store(a, first);
  cache.store(b, second);
  CHECK(cache.find(a, found) && found == first);
  CHECK(cache.find(b, found) && found == second);
  cache.store(c, third);  // the oldest falls out
  CHECK(!cache.find(a, found));
  CHECK(cache.find(b, found) && found == second);
  CHECK(cache.find(c, found) && found == third);
  cache.clear();
  CHECK(!cache.find(c, found));
  EvaluationCache none(0);
  none.store(a, first);
  CHECK(!none.find(a, found));
}

TEST_CASE("a pool runs every task once, also when it is called from within") {
  ThreadPool pool(4);
  std::vector<std::atomic<int>> counts(1000);
  pool.run(1000, [&](int task) {
    if (task == 500) pool.run(3, [&](int inner) { counts[inner].fetch_add(10); });
    counts[task].fetch_add(1);
  });
  for (int task = 0; task < 1000; ++task) CHECK(counts[task] == (task < 3 ? 11 : 1));
}
