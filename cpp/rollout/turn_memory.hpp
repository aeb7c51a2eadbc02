// Remembers the first turns, which many games share.
#pragma once

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "board/key.hpp"
#include "rollout/player.hpp"
#include "support/random.hpp"

namespace kibitz {

class TurnMemory {
 public:
  static constexpr int kTurns = 2;  // turns that are worth remembering: one position at the first, 21 at the second

  struct Key {
    PositionKey position;
    std::int16_t turn;
    std::int8_t cube;
    std::int8_t side;
    std::int8_t roll;

    bool operator==(const Key&) const = default;
  };

  bool find(const Key& key, Turn& turn) const {
    const std::shared_lock lock(mutex_);
    const auto found = turns_.find(key);
    if (found == turns_.end()) return false;
    turn = found->second;
    return true;
  }

  void store(const Key& key, const Turn& turn) {
    const std::unique_lock lock(mutex_);
    if (turns_.size() < kMost) turns_.emplace(key, turn);
  }

 private:
  static constexpr std::size_t kMost = 1 << 14;  // constant in the number of games: about 3 MB

  struct Hash {
    std::size_t operator()(const Key& key) const {
      const std::uint64_t rest = key.position.high | std::uint64_t(key.roll) << 16 | std::uint64_t(key.cube) << 24 |
                                 std::uint64_t(key.side) << 32 | std::uint64_t(key.turn) << 40;
      return static_cast<std::size_t>(mixed(mixed(key.position.low) ^ rest));
    }
  };

  mutable std::shared_mutex mutex_;
  std::unordered_map<Key, Turn, Hash> turns_;
};

}  // namespace kibitz
