// Sharing out independent pieces of work among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace kibitz {

// As many threads as asked for; 0 means one for each core.
inline int threads_or_all(int threads) {
  if (threads > 0) return threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Does work(worker, 0) to work(worker, count - 1), each once, in no particular order, on so many threads; 0 means all
// cores. Every thread has a worker of its own, made by make(), and is started only for `least_per_thread` pieces or
// more.
template <typename Make, typename Work>
void share_out(std::size_t count, std::size_t least_per_thread, int threads, const Make& make, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    auto worker = make();
    for (std::size_t i = next++; i < count; i = next++) work(worker, i);
  };
  std::vector<std::jthread> helpers;
  const auto useful = std::min(static_cast<std::size_t>(threads_or_all(threads)), count / least_per_thread);
  for (std::size_t i = 1; i < useful; ++i) helpers.emplace_back(take);
  take();
}

// The same for work(0) to work(count - 1), which needs nobody in particular.
template <typename Work>
void share_out(std::size_t count, std::size_t least_per_thread, int threads, const Work& work) {
  share_out(count, least_per_thread, threads, [] { return 0; }, [&](int, std::size_t i) { work(i); });
}

}  // namespace kibitz
