// Targets for the race net: exact one-sided backups along games that one side plays by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "board/dice.hpp"
#include "board/position.hpp"
#include "eval/races.hpp"

namespace kibitz {

class RaceTeacher {
 public:
  RaceTeacher(std::shared_ptr<const RaceNetwork> network, std::uint64_t seed)
      : network_(std::move(network)), random_(seed) {}

  void set_network(std::shared_ptr<const RaceNetwork> network) { network_ = std::move(network); }

  // For each row, which has a checker outside its home board: one turn more than the distributions after each of the 21
  // rolls, played once to bear off the last checker and once the first in the fewest turns. kRaceOutputs chances a row,
  // those for the first checker zero if one is off. Then each row goes on by one roll, mostly well played.
  void teach(std::span<Row> rows, float* targets);

 private:
  // What can be reached by the present row.
  struct Reached {
    float mean;           // turns to bear off the rest ...
    float mean_to_first;  // ... and the first checker, if that is still to come
  };
  void reach(const Row& row);
  // The place of the one of a roll with the least mean.
  std::size_t best(int roll, float Reached::* mean) const;
  Row next(bool has_all);

  std::shared_ptr<const RaceNetwork> network_;
  std::mt19937_64 random_;
  std::vector<Position> results_;
  std::vector<TurnsDistribution> distributions_;  // of each of them
  std::vector<Reached> reached_;
  int starts_[kRolls + 1] = {};  // where each roll's results start among those reached
};

}  // namespace kibitz
