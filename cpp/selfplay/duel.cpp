#include "selfplay/duel.hpp"

#include <atomic>
#include <random>
#include <thread>

#include "eval/choose.hpp"
#include "tables/exact.hpp"

namespace kibitz {
namespace {

// Points of the player who moves first.
float play_game(Chooser& starter, Chooser& other, std::mt19937_64 dice) {
  const auto die = [&] { return 1 + static_cast<int>(dice() % 6); };
  Chooser* players[2] = {&starter, &other};
  Position position = starting_position();
  int turn = 0;
  int first = die();
  int second = die();
  while (first == second) second = die();
  while (outcome(position) == 0) {
    position = players[turn]->best(position, Dice(first, second)).result;
    turn = 1 - turn;
    first = die();
    second = die();
  }
  const auto points = static_cast<float>(outcome(position));
  return turn == 0 ? points : -points;
}

}  // namespace

std::vector<float> duel(const Evaluator& first, const Evaluator& second, int pairs, std::uint64_t seed, int shortlist,
                        int threads) {
  std::vector<float> points(pairs);
  std::atomic<int> next = 0;
  const auto work = [&] {
    Chooser a(first, shortlist);
    Chooser b(second, shortlist);
    for (int pair = next++; pair < pairs; pair = next++) {
      const std::mt19937_64 dice(seed * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(pair));
      points[pair] = (play_game(a, b, dice) - play_game(b, a, dice)) / 2.0f;
    }
  };
  std::vector<std::thread> workers;
  for (int i = 1; i < threads; ++i) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  return points;
}

}  // namespace kibitz
