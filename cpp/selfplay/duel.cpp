#include "selfplay/duel.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <thread>

#include "board/plays.hpp"
#include "eval/neural_evaluator.hpp"
#include "eval/position_class.hpp"

namespace kibitz {
namespace {

class Player {
 public:
  Player(const Evaluator& evaluator, int shortlist) : evaluator_(evaluator), shortlist_(shortlist) {}

  Position play(const Position& position, Dice dice) {
    legal_results(position, dice, results_);
    if (results_.empty()) return position.swapped();
    if (shortlist_ > 0 && static_cast<int>(results_.size()) > shortlist_) {
      glances_.resize(results_.size());
      evaluator_.glance(position, results_, glances_);
      order_.resize(results_.size());
      std::iota(order_.begin(), order_.end(), 0u);
      std::nth_element(order_.begin(), order_.begin() + shortlist_, order_.end(),
                       [&](auto a, auto b) { return glances_[a] < glances_[b]; });
      std::vector<Position> kept;
      for (int i = 0; i < shortlist_; ++i) kept.push_back(results_[order_[i]]);
      results_.swap(kept);
    }
    outputs_.resize(results_.size());
    evaluator_.evaluate_results(position, results_, outputs_);
    std::size_t best = 0;
    for (std::size_t i = 1; i < results_.size(); ++i)
      if (outputs_[i].equity() < outputs_[best].equity()) best = i;
    return results_[best];
  }

 private:
  const Evaluator& evaluator_;
  int shortlist_;
  std::vector<Position> results_;
  std::vector<Outputs> outputs_;
  std::vector<float> glances_;
  std::vector<std::uint32_t> order_;
};

// Points of the player who moves first.
float play_game(Player& starter, Player& other, std::mt19937_64 dice) {
  const auto die = [&] { return 1 + static_cast<int>(dice() % 6); };
  Player* players[2] = {&starter, &other};
  Position position = starting_position();
  int turn = 0;
  int first = die();
  int second = die();
  while (first == second) second = die();
  while (classify(position) != PositionClass::kOver) {
    position = players[turn]->play(position, Dice(first, second));
    turn = 1 - turn;
    first = die();
    second = die();
  }
  const float equity = final_outputs(position).equity();
  return turn == 0 ? equity : -equity;
}

}  // namespace

std::vector<float> duel(const Evaluator& first, const Evaluator& second, int pairs, std::uint64_t seed, int shortlist,
                        int threads) {
  std::vector<float> points(pairs);
  std::atomic<int> next = 0;
  const auto work = [&] {
    Player a(first, shortlist);
    Player b(second, shortlist);
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
