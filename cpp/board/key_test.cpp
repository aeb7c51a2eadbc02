#include "board/key.hpp"

#include <string>

#include "support/testing.hpp"

using namespace kibitz;

TEST_CASE("the starting position has its well-known ID") {
  const auto id = position_id(starting_position());
  CHECK(std::string(id.begin(), id.end()) == "4HPwATDgc/ABMA");
}

TEST_CASE("an ID reads back as the position that wrote it") {
  for (const char* text : {"4HPwATDgc/ABMA", "4HPkASLgc/ABMA", "yGfwASjgc+QBUA", "b9sBCIC5bYDQAA"}) {
    const auto position = position_from_id(text);
    CHECK(position.has_value());
    const auto id = position_id(*position);
    CHECK(std::string(id.begin(), id.end()) == text);
  }
}

TEST_CASE("an ID that is no code for a position is refused") {
  CHECK(!position_from_id("//////////////"));
  CHECK(!position_from_id("4HPwATDgc/ABM"));
  CHECK(!position_from_id("4HPwATDgc?ABMA"));
}
