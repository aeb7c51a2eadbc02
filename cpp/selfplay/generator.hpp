// Self-play: games whose every position is paired with an exact one-ply backup, and the lambda returns along them.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "board/dice.hpp"
#include "board/position.hpp"
#include "cube/cube_model.hpp"
#include "decide/reply_chooser.hpp"
#include "eval/evaluator.hpp"

namespace kibitz {

struct GeneratorSettings {
  bool exact = true;              // back up all 21 rolls; otherwise the one that was rolled: noisy, but many more games
  int shortlist = 5;              // results of a roll that the pruning net leaves for the strong net
  float explore = 0.05f;          // chance of a random play at each turn
  float near_exploration = 0.0f;  // chance of another play that is nearly as good: what is never played is never learnt
  float random_openings = 0.25f;  // share of games that start with a stretch of random plays
  float doubt = 0.0f;  // where net and backup differ by more equity than this, a second ply is backed up; 0: never
};

// A position of a game, with what is known of it, for the player on roll.
struct RecordedTurn {
  Position position;
  Outputs value;   // what the net says
  Outputs backup;  // what a look ahead says
  bool
      traced;  // whether what the next turn learnt flows back: it is one of the same game, and no random play led there
};

// The lambda returns of turns in their order: a backup, and what the turn after it learnt beyond its value.
void lambda_returns(std::span<const RecordedTurn> turns, float lambda, Outputs* targets);

class Generator {
 public:
  Generator(std::shared_ptr<const Evaluator> evaluator, GeneratorSettings settings, std::uint64_t seed);

  void set_evaluator(std::shared_ptr<const Evaluator> evaluator) { evaluator_ = std::move(evaluator); }
  void set_settings(GeneratorSettings settings) { settings_ = settings; }

  // Where a game starts: at the start, or after a stretch of random plays.
  Position start();

  // Plays one game and appends its turns. It ends with the contact: races are learnt otherwise.
  void play_game(const Position& start, std::vector<RecordedTurn>& turns);

  // The average over all rolls of the best reply, looked at this many plies deep, for the player on roll.
  Outputs backup(const Position& position, int plies) const;

 private:
  class Game;

  Position random_opening();
  Dice roll();
  // One of the plays that the chooser has just evaluated, close to the best, each as likely as the others.
  Position near_best(const Reply& best);

  std::shared_ptr<const Evaluator> evaluator_;
  GeneratorSettings settings_;
  std::mt19937_64 random_;
  LeafModel leaf_;  // money, with a dead cube
  ReplyChooser chooser_;
  std::vector<Position> results_, near_;
};

}  // namespace kibitz
