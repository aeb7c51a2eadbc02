// The smallest test framework that does the job: TEST_CASE("what must be true") { CHECK(...); }
#pragma once

#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

namespace kibitz::testing {

struct Case {
  const char* name;
  std::function<void()> body;
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

inline int& failures() {
  static int count = 0;
  return count;
}

struct Register {
  Register(const char* name, std::function<void()> body) { cases().push_back({name, std::move(body)}); }
};

inline bool near(double one, double other, double tolerance = 1e-9) { return std::abs(one - other) <= tolerance; }

}  // namespace kibitz::testing

#define KIBITZ_JOIN_(a, b) a##b
#define KIBITZ_JOIN(a, b) KIBITZ_JOIN_(a, b)
#define TEST_CASE(name)                                                                                             \
  static void KIBITZ_JOIN(test_case_, __LINE__)();                                                                  \
  static const kibitz::testing::Register KIBITZ_JOIN(register_, __LINE__)(name, KIBITZ_JOIN(test_case_, __LINE__)); \
  static void KIBITZ_JOIN(test_case_, __LINE__)()
#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      ++kibitz::testing::failures();                                            \
      std::printf("%s:%d: CHECK failed: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                           \
  } while (false)
