// Tables on disk: a header of one page, then the values as they are in memory, mapped rather than read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "support/mapped_file.hpp"
#include "tables/rows.hpp"

namespace kibitz {

enum class TableKind : std::uint32_t { kOneSided = 1, kTwoSided = 2, kHypergammon = 3 };

// The beginning of the file. Numbers are little-endian; a machine that is not will refuse the file by its magic number.
struct TableHeader {
  std::uint64_t magic = 0;
  std::uint32_t version = 0;
  TableKind kind{};
  Shape shape{0, 0};
  std::uint64_t size = 0;             // bytes after the header page
  std::uint64_t rows = 0;             // meaning by kind: where the second part starts
  std::uint64_t progress = 0;         // builds that can be resumed: what is done so far
  std::uint64_t complete = 0;         // 1 once the build is done
  std::uint64_t milliseconds = 0;     // how long the build took, all its runs together
  std::uint64_t checksum = 0;         // of the bytes after the header page
  std::uint64_t header_checksum = 0;  // of all the above
};
static_assert(sizeof(TableHeader) == 80);

inline constexpr std::size_t kHeaderPage = 4096;
inline constexpr std::uint64_t kTableMagic = 0x31424154'5A54424BULL;  // "KBTZTAB1"
inline constexpr std::uint32_t kTableVersion = 1;

// A checksum that keeps up with the memory.
std::uint64_t checksum(std::span<const std::byte> bytes);

// Why a file cannot be used. kNone: it can.
enum class TableProblem {
  kNone,
  kMissing,
  kUnreadable,
  kForeign,
  kOtherVersion,
  kOtherTable,
  kTruncated,
  kDamaged,
  kBusy,
  kDiskFull
};

// A mapped table file, closed when the last owner lets go.
class TableFile {
 public:
  // Opens a finished table for reading. With `check_all` every byte is read and compared with the checksum.
  static std::shared_ptr<TableFile> open(const std::string& path, TableKind kind, Shape shape, bool check_all,
                                         TableProblem& problem);

  // Starts or resumes a build in `path`.part, which no other process may build at the same time. What an earlier build
  // left there is kept if it is of the same table and `resume` is wanted.
  static std::shared_ptr<TableFile> start(const std::string& path, TableKind kind, Shape shape, std::uint64_t size,
                                          bool resume, TableProblem& problem);

  const TableHeader& header() const { return *reinterpret_cast<const TableHeader*>(file_->data()); }
  TableHeader& header() { return *reinterpret_cast<TableHeader*>(file_->data()); }
  std::span<const std::byte> bytes() const {
    return {file_->data() + kHeaderPage, static_cast<std::size_t>(header().size)};
  }
  std::span<std::byte> bytes() { return {file_->data() + kHeaderPage, static_cast<std::size_t>(header().size)}; }

  // Puts on the disk what has been built so far, and only then notes how far that is.
  void keep(std::uint64_t progress);

  // The build is done: everything goes to the disk, and only then the file gets its name.
  bool finish(double seconds);

 private:
  TableFile(std::unique_ptr<MappedFile> file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

  std::unique_ptr<MappedFile> file_;
  std::string path_;  // the name it is to get; empty when opened for reading
};

}  // namespace kibitz
