#include "heuristics/games.hpp"

#include "board/plays.hpp"
#include "support/share_out.hpp"

namespace kibitz {
namespace {

// Between the best of players a game takes some 50 turns, between random ones a few hundred. One that goes on for ever
// is given up without points.
constexpr int kMostTurns = 20'000;

// A well-mixed function of its argument (the finalizer of SplitMix64).
constexpr std::uint64_t mixed_bits(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

// 64 random bits leave so little bias in one of 36 that no number of games would show it.
Dice roll(std::uint64_t bits) {
  const int pair = static_cast<int>(bits % 36);
  return Dice(1 + pair / 6, 1 + pair % 6);
}

// What the loser pays: double without a checker borne off, triple if one is also still in the winner's home or on the bar.
std::int8_t stake(const Row& loser) {
  if (checkers(loser) < kCheckers) return 1;
  return rearmost(loser) >= kPoints - kHome ? 3 : 2;
}

}  // namespace

Chooser tabula_chooser(const TabulaWeights& weights) {
  return [weights](const Position& before, Dice, std::span<const Position> results, std::uint64_t) {
    std::size_t best = 0;
    double lowest = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const double score = tabula_play(before, results[i], weights).score;
      if (i == 0 || score < lowest) {
        lowest = score;
        best = i;
      }
    }
    return best;
  };
}

Chooser ten_factor_chooser(const Factors& weights) {
  return [weights](const Position& before, Dice dice, std::span<const Position> results, std::uint64_t) {
    std::size_t best = 0;
    double highest = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const double score = ten_factor_score(ten_factors(before, dice, results[i]), weights);
      if (i == 0 || score > highest) {
        highest = score;
        best = i;
      }
    }
    return best;
  };
}

Chooser random_chooser() {
  return [](const Position&, Dice, std::span<const Position> results, std::uint64_t random) {
    return static_cast<std::size_t>(random % results.size());
  };
}

GameResult play_game(const Chooser& first, const Chooser& second, std::uint64_t seed) {
  Position position = starting_position();
  std::vector<Position> results;
  std::uint64_t state = mixed_bits(seed);
  const auto next_bits = [&] { return mixed_bits(state++); };
  for (int turn = 0; turn < kMostTurns; ++turn) {
    Dice dice = roll(next_bits());
    // The opening roll shows two different dice: whoever has the higher one starts.
    while (turn == 0 && dice.is_double()) dice = roll(next_bits());
    const bool firsts_turn = turn % 2 == 0;
    const std::uint64_t random = next_bits();
    legal_results(position, dice, results);
    if (results.empty()) {
      position = position.swapped();
      continue;
    }
    position = results[(firsts_turn ? first : second)(position, dice, results, random)];
    if (checkers(position.theirs) == 0) {
      const std::int8_t points = stake(position.mine);
      return {firsts_turn ? points : static_cast<std::int8_t>(-points), turn + 1};
    }
  }
  return {0, kMostTurns};
}

std::vector<GameResult> play_pairs(const Chooser& first, const Chooser& second, std::size_t pairs, std::uint64_t seed,
                                   int threads) {
  std::vector<GameResult> results(2 * pairs);
  share_out(pairs, 1, threads, [&](std::size_t pair) {
    const std::uint64_t dice = mixed_bits(seed) + pair;
    results[2 * pair] = play_game(first, second, dice);
    GameResult& exchanged = results[2 * pair + 1];
    exchanged = play_game(second, first, dice);
    exchanged.points = static_cast<std::int8_t>(-exchanged.points);
  });
  return results;
}

}  // namespace kibitz
