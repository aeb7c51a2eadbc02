#include "heuristics/tabula.hpp"

#include "board/plays.hpp"
#include "heuristics/tabula_replies.hpp"
#include "support/share_out.hpp"

namespace kibitz {
namespace {

// A play takes a few microseconds, starting a thread some tens of them.
constexpr std::size_t kPlaysPerThread = 16;

}  // namespace

TabulaParts tabula_parts(const Position& before, const Position& after, const TabulaWeights& weights) {
  const Row& mine = after.theirs;
  const Row& theirs = after.mine;
  int pips = 0;
  for (int slot = 0; slot < kSlots; ++slot) pips += mine[slot] * kPseudopips[slot];
  TabulaParts parts;
  parts.pips = pips;
  if (!in_contact(after)) return parts;
  // A blot is in danger while some opposing checker is still behind it.
  const int nearest_hittable = kPoints - rearmost(theirs);
  int blots = 0;
  int hits = 0;
  for (int slot = 0; slot < kPoints; ++slot) {
    const int value = kPseudopips[weights.opponent_spaces ? mirrored(slot) : slot];
    if (mine[slot] == 1 && slot >= nearest_hittable) blots += value;
    // Opposing checkers move in my turn only by being hit.
    if (before.theirs[mirrored(slot)] == 1 && theirs[mirrored(slot)] == 0) hits += value;
  }
  parts.blots = blots;
  parts.hits = hits;
  return parts;
}

TabulaPlay tabula_play(const Position& before, const Position& result, const TabulaWeights& weights) {
  TabulaPlay play;
  play.result = result;
  play.player = tabula_parts(before, result, weights);
  play.player_score = play.player.score(weights);
  play.past = !in_contact(result);
  if (play.past) {
    play.score = play.player_score;
    return play;
  }
  ReplyScorer scorer(result, weights);
  for (const Dice dice : kAllRolls) {
    const ReplySums sums = scorer.replies(dice);
    const double share = dice.weight() / (36.0 * static_cast<double>(sums.count));
    play.opponent.pips += share * static_cast<double>(sums.pips);
    play.opponent.blots += share * static_cast<double>(sums.blots);
    play.opponent.hits += share * static_cast<double>(sums.hits);
    play.replies += sums.count;
  }
  play.opponent_score = play.opponent.score(weights);
  play.score = play.player_score + play.opponent_score * weights.opponent;
  return play;
}

std::vector<TabulaPlay> tabula_analyze(const Position& position, Dice dice, const TabulaWeights& weights, int threads) {
  std::vector<Position> results;
  legal_results(position, dice, results);
  std::vector<TabulaPlay> plays(results.size());
  share_out(results.size(), kPlaysPerThread, threads,
            [&](std::size_t i) { plays[i] = tabula_play(position, results[i], weights); });
  return plays;
}

std::vector<std::vector<TabulaPlay>> tabula_analyze_many(std::span<const Position> positions,
                                                         std::span<const Dice> dice, const TabulaWeights& weights,
                                                         int threads) {
  std::vector<std::vector<TabulaPlay>> analyses(positions.size());
  share_out(positions.size(), 2, threads,
            [&](std::size_t i) { analyses[i] = tabula_analyze(positions[i], dice[i], weights, 1); });
  return analyses;
}

}  // namespace kibitz
