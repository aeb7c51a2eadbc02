// Sharing out independent pieces of work among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace kibitz {

// Does work(0) to work(count - 1), each once, in no particular order, on so many threads; 0 means all cores. A thread is
// started only for `least_per_thread` pieces or more.
template <typename Work>
void share_out(std::size_t count, std::size_t least_per_thread, int threads, const Work& work) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> helpers;
  const std::size_t useful = std::min<std::size_t>(static_cast<std::size_t>(threads), count / least_per_thread);
  for (std::size_t i = 1; i < useful; ++i) helpers.emplace_back(take);
  take();
}

}  // namespace kibitz
