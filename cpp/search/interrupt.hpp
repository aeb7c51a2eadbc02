// Why a search should stop before it is done: somebody said so, the time is up, or the caller's own question says yes.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

namespace kibitz {

class Interrupt {
 public:
  using Clock = std::chrono::steady_clock;

  // `poll`, if any, is asked every few milliseconds, by the thread that made this object and no other.
  explicit Interrupt(std::optional<double> seconds = std::nullopt, std::function<bool()> poll = {},
                     const std::atomic<bool>* cancelled = nullptr)
      : poll_(std::move(poll)), cancelled_(cancelled), owner_(std::this_thread::get_id()), polled_(Clock::now()) {
    if (seconds)
      deadline_ = polled_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
  }

  // Cheap enough to be asked at every node that rolls the dice.
  bool due() {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    if (cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed)) return stop();
    if (!deadline_ && !poll_) return false;
    const Clock::time_point now = Clock::now();
    if (deadline_ && now >= *deadline_) {
      out_of_time_.store(true, std::memory_order_relaxed);
      return stop();
    }
    if (poll_ && std::this_thread::get_id() == owner_ && now - polled_ >= std::chrono::milliseconds(10)) {
      polled_ = now;
      if (poll_()) return stop();
    }
    return false;
  }

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  // Stopped by the clock alone, which is no failure: the deepest finished look counts.
  bool out_of_time() const { return out_of_time_.load(std::memory_order_relaxed); }

 private:
  bool stop() {
    stopped_.store(true, std::memory_order_relaxed);
    return true;
  }

  std::atomic<bool> stopped_{false};
  std::atomic<bool> out_of_time_{false};
  std::optional<Clock::time_point> deadline_;
  std::function<bool()> poll_;
  const std::atomic<bool>* cancelled_;
  std::thread::id owner_;
  Clock::time_point polled_;
};

}  // namespace kibitz
