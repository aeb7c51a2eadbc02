#include "tables/journal.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "support/testing.hpp"

using namespace kibitz;

TEST_CASE("a journal gives its whole frames back, and cuts off what a kill has left of another") {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const std::string path =
      (std::filesystem::temp_directory_path() / ("kibitz-journal-" + std::to_string(now))).string();
  const Journal journal(path, TableKind::kOneSided, {6, 15});
  std::vector<Journal::State> found;
  const auto take = [&](const Journal::State& state, std::span<const std::byte> bytes) {
    found.push_back(state);
    return bytes.size() == state[1];
  };
  const auto read = [&](const Journal& from) {
    found.clear();
    from.read(take);
    return found.size();
  };
  CHECK(read(journal) == 0);
  const std::vector<std::byte> bytes(1000, std::byte{7});
  for (std::uint64_t number = 0; number < 3; ++number) CHECK(journal.append({number, 1000}, bytes));
  CHECK(read(journal) == 3 && found[2][0] == 2);
  const auto length = std::filesystem::file_size(path);
  std::filesystem::resize_file(path, length - 1);
  CHECK(read(journal) == 2 && std::filesystem::file_size(path) == length / 3 * 2);
  CHECK(journal.append({2, 1000}, bytes) && read(journal) == 3);

  std::FILE* damaged = std::fopen(path.c_str(), "r+b");
  std::fseek(damaged, static_cast<long>(length / 3 + 500), SEEK_SET);
  std::fputc(0, damaged);
  std::fclose(damaged);
  CHECK(read(journal) == 1);
  CHECK(journal.replace({9, 0}, {}) && read(journal) == 1 && found[0][0] == 9);
  CHECK(read(Journal(path, TableKind::kOneSided, {6, 14})) == 0 && std::filesystem::file_size(path) == 0);
  journal.remove();
  CHECK(!std::filesystem::exists(path));
}
