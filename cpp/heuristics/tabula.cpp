#include "heuristics/tabula.hpp"

#include <bit>

#include "board/masks.hpp"
#include "board/plays.hpp"
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
  const auto value = [&](int slot) { return kPseudopips[weights.opponent_spaces ? mirrored(slot) : slot]; };
  // A blot is in danger while some opposing checker is still behind it.
  const int rear = rearmost(theirs);
  for (Mask left = facing_at_least(mine, 1) & ~facing_at_least(mine, 2); left; left &= left - 1)
    if (const int seen = std::countr_zero(left); seen < rear) parts.blots += value(mirrored(seen));
  // Opposing checkers move in my turn only by being hit.
  const Mask hit = facing_at_least(before.theirs, 1) & ~facing_at_least(before.theirs, 2) & ~facing_at_least(theirs, 1);
  for (Mask left = hit; left; left &= left - 1) parts.hits += value(std::countr_zero(left));
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
  std::vector<Position> replies;
  for (const Dice dice : kAllRolls) {
    legal_results(result, dice, replies);
    if (replies.empty()) replies.push_back(result.swapped());
    TabulaParts sum;
    for (const Position& reply : replies) sum += tabula_parts(result, reply, weights);
    play.opponent += sum * (dice.weight() / (36.0 * static_cast<double>(replies.size())));
    play.replies += static_cast<std::int64_t>(replies.size());
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
