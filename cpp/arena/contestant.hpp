// Those who play in the arena's native games.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "board/dice.hpp"
#include "board/position.hpp"
#include "cube/cube_model.hpp"
#include "heuristics/tabula.hpp"
#include "heuristics/ten_factor.hpp"
#include "search/analyst.hpp"

namespace kibitz {

// What has to be decided. The model's side 0 is the player on roll; in a take question that is the doubler.
struct Decision {
  const Position& position;
  const CubeModel& model;
  std::uint64_t number;  // different at every turn, for those who choose at random
};

// Each thread has its own.
class Contestant {
 public:
  virtual ~Contestant() = default;
  // The result of the play, seen by the opponent; the position itself, swapped, where nothing can move.
  virtual Position play(const Decision& decision, Dice dice) = 0;
  // Those who know nothing of the cube leave it alone, and take whatever they are given.
  virtual bool doubles(const Decision&) { return false; }
  virtual bool takes(const Decision&) { return true; }
};

// The neural engine at any plies: exactly what the analyst says.
struct EngineSettings {
  std::shared_ptr<const Evaluator> evaluator;
  RankSettings rank;
  TreeSettings cube;
  std::size_t cache_bytes = 0;
};

// Makes as many contestants of one kind as there are threads.
struct ContestantMaker {
  std::function<std::unique_ptr<Contestant>()> make;
};

ContestantMaker engine_maker(const EngineSettings& settings);
ContestantMaker tabula_maker(const TabulaWeights& weights);
ContestantMaker ten_factor_maker(const Factors& weights);
ContestantMaker random_maker();

}  // namespace kibitz
