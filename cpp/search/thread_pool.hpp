// Threads that wait for work. The caller works too, so a pool of one has no thread of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kibitz {

class ThreadPool {
 public:
  // 0 threads: one for each core.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls task(0) ... task(count - 1), each once, in any order, and returns when all are done. If another caller has
  // the workers, this one does its tasks alone: slower, never different. `idle` is called every few milliseconds while
  // the caller waits for the last tasks of the others.
  void run(int count, const std::function<void(int)>& task, const std::function<void()>& idle = {});

 private:
  void work();
  void take_tasks();
  bool is_new(unsigned seen) const { return closing_ || round_ != seen; }

  std::atomic<bool> taken_{false};  // by a caller; a task may call too, so this is no mutex
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(int)>* task_ = nullptr;
  std::atomic<int> next_{0};
  int count_ = 0;
  // Changed under the mutex, but looked at without it too while a thread waits for a moment.
  std::atomic<int> busy_{0};
  std::atomic<unsigned> round_{0};
  std::atomic<bool> closing_{false};
  std::vector<std::thread> workers_;
};

}  // namespace kibitz
