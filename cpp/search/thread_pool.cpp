#include "search/thread_pool.hpp"

#include <chrono>

#include "support/share_out.hpp"

namespace kibitz {
namespace {

// The next tasks of a search mostly come within microseconds, and to be woken takes a thread longer than that: it looks
// out for them for a moment before it goes to sleep.
template <typename Condition>
void look_out_for(Condition condition) {
  constexpr auto kMoment = std::chrono::microseconds(60);
  const auto end = std::chrono::steady_clock::now() + kMoment;
  do {
    for (int look = 0; look < 64; ++look) {
      if (condition()) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  } while (std::chrono::steady_clock::now() < end);
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  threads = threads_or_all(threads);
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(int count, const std::function<void(int)>& task, const std::function<void()>& idle) {
  if (workers_.empty() || count < 2 || taken_.exchange(true, std::memory_order_acquire)) {
    for (int i = 0; i < count; ++i) task(i);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    count_ = count;
    next_.store(0, std::memory_order_relaxed);
    busy_ = static_cast<int>(workers_.size());
    ++round_;
  }
  wake_.notify_all();
  take_tasks();
  look_out_for([this] { return busy_ == 0; });
  std::unique_lock lock(mutex_);
  while (!done_.wait_for(lock, std::chrono::milliseconds(10), [this] { return busy_ == 0; })) {
    if (!idle) continue;
    lock.unlock();
    idle();
    lock.lock();
  }
  task_ = nullptr;
  lock.unlock();
  taken_.store(false, std::memory_order_release);
}

void ThreadPool::take_tasks() {
  for (int i = next_.fetch_add(1, std::memory_order_relaxed); i < count_;
       i = next_.fetch_add(1, std::memory_order_relaxed))
    (*task_)(i);
}

void ThreadPool::work() {
  unsigned seen = 0;
  for (;;) {
    look_out_for([&] { return is_new(seen); });
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return is_new(seen); });
      if (closing_) return;
      seen = round_;
    }
    take_tasks();
    {
      const std::lock_guard lock(mutex_);
      --busy_;
    }
    done_.notify_one();
  }
}

}  // namespace kibitz
