// A team of threads that walk through the same steps together.
#pragma once

#include <barrier>
#include <cstddef>
#include <thread>
#include <vector>

#include "support/share_out.hpp"

namespace kibitz {

// Unless a number is asked for, one alone does work that is so small that threads would mostly wait for each other.
inline int threads_for(int threads, bool large) { return threads > 0 || large ? threads : 1; }

class Team {
 public:
  explicit Team(int threads) : size_(threads_or_all(threads)), meeting_(size_) {}

  int size() const { return size_; }

  // Waits until all members are here.
  void meet() {
    if (size_ > 1) meeting_.arrive_and_wait();
  }

  // A member's share of `count` things. Which member does what must not change the results.
  struct Share {
    std::size_t begin;
    std::size_t end;
  };
  Share share(int member, std::size_t count) const {
    const auto of = static_cast<std::size_t>(size_);
    const auto which = static_cast<std::size_t>(member);
    return {count * which / of, count * (which + 1) / of};
  }

  // Runs body(member) on every member, and returns when all are done.
  template <typename Body>
  void run(const Body& body) {
    std::vector<std::jthread> others;
    others.reserve(static_cast<std::size_t>(size_ - 1));
    for (int member = 1; member < size_; ++member) others.emplace_back([&body, member] { body(member); });
    body(0);
  }

 private:
  int size_;
  std::barrier<> meeting_;
};

}  // namespace kibitz
