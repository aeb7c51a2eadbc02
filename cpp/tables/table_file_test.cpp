#include "tables/table_file.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "support/testing.hpp"

using namespace kibitz;

namespace {

std::string temporary_folder() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const auto folder = std::filesystem::temp_directory_path() / ("kibitz-tables-" + std::to_string(now));
  std::filesystem::create_directory(folder);
  return folder.string();
}

}  // namespace

TEST_CASE("a table file is there only when it is finished, and refused when a byte has changed") {
  const std::string folder = temporary_folder();
  const std::string path = folder + "/table";
  TableProblem problem;
  {
    auto file = TableFile::start(path, TableKind::kTwoSided, {6, 2}, 1000, false, problem);
    CHECK(file != nullptr);
    CHECK(!TableFile::open(path, TableKind::kTwoSided, {6, 2}, true, problem) && problem == TableProblem::kMissing);
    // Nobody else can build it at the same time.
    CHECK(!TableFile::start(path, TableKind::kTwoSided, {6, 2}, 1000, false, problem) &&
          problem == TableProblem::kBusy);
    for (std::size_t i = 0; i < 1000; ++i) file->bytes()[i] = static_cast<std::byte>(i);
    CHECK(file->finish(1.5));
  }
  auto file = TableFile::open(path, TableKind::kTwoSided, {6, 2}, true, problem);
  CHECK(file && problem == TableProblem::kNone);
  CHECK(file && file->header().milliseconds == 1500 && file->bytes()[7] == std::byte{7});
  CHECK(!TableFile::open(path, TableKind::kTwoSided, {6, 3}, true, problem) && problem == TableProblem::kOtherTable);
  file.reset();

  std::FILE* damaged = std::fopen(path.c_str(), "r+b");
  std::fseek(damaged, static_cast<long>(kHeaderPage) + 500, SEEK_SET);
  std::fputc(0, damaged);
  std::fclose(damaged);
  CHECK(!TableFile::open(path, TableKind::kTwoSided, {6, 2}, true, problem) && problem == TableProblem::kDamaged);
  std::filesystem::resize_file(path, 4500);
  CHECK(!TableFile::open(path, TableKind::kTwoSided, {6, 2}, true, problem) && problem == TableProblem::kTruncated);
  std::filesystem::remove_all(folder);
}
