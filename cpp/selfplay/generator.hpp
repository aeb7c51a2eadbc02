// Self-play: games whose every position is paired with an exact one-ply backup.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
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
  float lambda = 0.0f;            // how much of what later positions learnt flows back along the game
  float explore = 0.05f;          // chance of a random play at each turn
  float near_exploration = 0.0f;  // chance of another play that is nearly as good: what is never played is never learnt
  float random_openings = 0.25f;  // share of games that start with a stretch of random plays
  float doubt = 0.0f;  // where net and backup differ by more equity than this, a second ply is backed up; 0: never
};

struct Sample {
  Position position;
  Outputs target;  // for the player on roll
};

class Generator {
 public:
  Generator(std::shared_ptr<const Evaluator> evaluator, GeneratorSettings settings, std::uint64_t seed);

  void set_evaluator(std::shared_ptr<const Evaluator> evaluator) { evaluator_ = std::move(evaluator); }
  void set_settings(GeneratorSettings settings) { settings_ = settings; }

  // Plays one game and appends its positions with their targets. It ends with the contact: races are learnt otherwise.
  void play_game(std::vector<Sample>& samples);

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
