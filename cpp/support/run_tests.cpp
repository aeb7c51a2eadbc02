// Runs every test case that was linked in.
#include <cstdio>

#include "support/testing.hpp"

int main() {
  int failed = 0;
  for (const auto& test : kibitz::testing::cases()) {
    const int before = kibitz::testing::failures();
    test.body();
    if (kibitz::testing::failures() == before) continue;
    ++failed;
    std::printf("FAILED %s\n", test.name);
  }
  const int total = static_cast<int>(kibitz::testing::cases().size());
  std::printf("%d passed, %d failed\n", total - failed, failed);
  return failed ? 1 : 0;
}
