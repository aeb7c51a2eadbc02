#include "search/evaluation_cache.hpp"

#include <bit>
#include <utility>
#include <vector>

namespace kibitz {
namespace {

std::uint64_t mixed(PositionKey key) {
  std::uint64_t hash = key.low ^ (std::uint64_t{key.high} * 0x9e3779b97f4a7c15u);
  hash ^= hash >> 31;
  hash *= 0xbf58476d1ce4e5b9u;
  hash ^= hash >> 29;
  hash *= 0x94d049bb133111ebu;
  return hash ^ (hash >> 32);
}

// Held for a few dozen cycles. Whoever does not get it at once gives up.
class TryLock {
 public:
  explicit TryLock(std::atomic<bool>& locked)
      : locked_(locked), held_(!locked.exchange(true, std::memory_order_acquire)) {}
  ~TryLock() {
    if (held_) locked_.store(false, std::memory_order_release);
  }
  TryLock(const TryLock&) = delete;
  TryLock& operator=(const TryLock&) = delete;
  bool held() const { return held_; }

 private:
  std::atomic<bool>& locked_;
  bool held_;
};

}  // namespace

EvaluationCache::EvaluationCache(std::size_t bytes) : lines_(std::bit_floor(bytes / sizeof(Line))) {
  if (lines_ != 0) memory_ = std::make_unique<Line[]>(lines_);
}

EvaluationCache::Line* EvaluationCache::line_of(PositionKey key) const { return &memory_[mixed(key) & (lines_ - 1)]; }

bool EvaluationCache::find(PositionKey key, Outputs& outputs) const {
  if (lines_ == 0) return false;
  const Line* line = line_of(key);
  const TryLock lock(line->locked);
  if (!lock.held()) return false;
  for (int i = 0; i < line->used; ++i) {
    if (line->low[i] == key.low && line->high[i] == key.high) {
      outputs = line->outputs[i];
      return true;
    }
  }
  return false;
}

void EvaluationCache::store(PositionKey key, const Outputs& outputs) {
  if (lines_ == 0) return;
  Line* line = line_of(key);
  const TryLock lock(line->locked);
  if (!lock.held()) return;
  for (int i = 0; i < line->used; ++i)
    if (line->low[i] == key.low && line->high[i] == key.high) return;
  // The newest first; the older of two falls out.
  line->low[1] = line->low[0];
  line->high[1] = line->high[0];
  line->outputs[1] = line->outputs[0];
  line->low[0] = key.low;
  line->high[0] = key.high;
  line->outputs[0] = outputs;
  if (line->used < 2) ++line->used;
}

void EvaluationCache::clear() {
  for (std::size_t i = 0; i < lines_; ++i) {
    const TryLock lock(memory_[i].locked);
    if (lock.held()) memory_[i].used = 0;
  }
}

void CachedEvaluator::evaluate(std::span<const Position> positions, std::span<Outputs> outputs) const {
  answer(nullptr, positions, outputs);
}

void CachedEvaluator::evaluate_results(const Position& before, std::span<const Position> results,
                                       std::span<Outputs> outputs) const {
  answer(&before, results, outputs);
}

void CachedEvaluator::answer(const Position* before, std::span<const Position> positions,
                             std::span<Outputs> outputs) const {
  struct Scratch {
    std::vector<PositionKey> all;
    std::vector<std::size_t> index;
    std::vector<PositionKey> keys;
    std::vector<Position> positions;
    std::vector<Outputs> outputs;
  };
  static thread_local Scratch missing;
  missing.all.clear();
  missing.index.clear();
  missing.keys.clear();
  missing.positions.clear();
  // The cache is much larger than the processor's: ask for all lines first, then look into them.
  for (const Position& position : positions) {
    missing.all.push_back(position_key(position));
    cache_->fetch(missing.all.back());
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const PositionKey key = missing.all[i];
    if (cache_->find(key, outputs[i])) continue;
    missing.index.push_back(i);
    missing.keys.push_back(key);
    missing.positions.push_back(positions[i]);
  }
  if (missing.index.empty()) return;
  missing.outputs.resize(missing.index.size());
  if (before != nullptr) {
    evaluator_->evaluate_results(*before, missing.positions, missing.outputs);
  } else {
    evaluator_->evaluate(missing.positions, missing.outputs);
  }
  for (std::size_t i = 0; i < missing.index.size(); ++i) {
    outputs[missing.index[i]] = missing.outputs[i];
    cache_->store(missing.keys[i], missing.outputs[i]);
  }
}

}  // namespace kibitz
