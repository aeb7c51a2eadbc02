#include "tables/table_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace kibitz {

std::uint64_t checksum(std::span<const std::byte> bytes) {
  // Four independent lanes, so that the multiplications overlap.
  constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15ULL;
  std::uint64_t lanes[4] = {1, 2, 3, 4};
  std::size_t at = 0;
  for (; at + 32 <= bytes.size(); at += 32) {
    std::uint64_t words[4];
    std::memcpy(words, bytes.data() + at, 32);
    for (int lane = 0; lane < 4; ++lane) lanes[lane] = std::rotl(lanes[lane] ^ words[lane], 29) * kPrime;
  }
  std::uint64_t sum = bytes.size() * kPrime;
  for (const std::uint64_t lane : lanes) sum = std::rotl(sum ^ lane, 31) * kPrime;
  for (; at < bytes.size(); ++at) sum = std::rotl(sum ^ static_cast<std::uint64_t>(bytes[at]), 11) * kPrime;
  return sum ^ (sum >> 32);
}

namespace {

std::uint64_t header_checksum(const TableHeader& header) {
  return checksum({reinterpret_cast<const std::byte*>(&header), offsetof(TableHeader, header_checksum)});
}

bool same_table(const TableHeader& header, TableKind kind, Shape shape) {
  return header.kind == kind && header.points == static_cast<std::uint32_t>(shape.points) &&
         header.checkers == static_cast<std::uint32_t>(shape.checkers);
}

std::byte* map_file(int file, std::size_t length, bool writable) {
  const int rights = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void* map = mmap(nullptr, length, rights, MAP_SHARED, file, 0);
  return map == MAP_FAILED ? nullptr : static_cast<std::byte*>(map);
}

}  // namespace

TableFile::~TableFile() {
  munmap(map_, length_);
  close(file_);
}

std::shared_ptr<TableFile> TableFile::open(const std::string& path, TableKind kind, Shape shape, bool check_all,
                                           TableProblem& problem) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    problem = errno == ENOENT ? TableProblem::kMissing : TableProblem::kUnreadable;
    return nullptr;
  }
  struct stat status;
  TableHeader header;
  problem = TableProblem::kNone;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    problem = TableProblem::kUnreadable;
  } else if (pread(file, &header, sizeof header, 0) != static_cast<ssize_t>(sizeof header) ||
             header.magic != kTableMagic) {
    problem = TableProblem::kForeign;
  } else if (header.version != kTableVersion) {
    problem = TableProblem::kOtherVersion;
  } else if (header.header_checksum != header_checksum(header) || header.complete != 1) {
    problem = TableProblem::kDamaged;
  } else if (!same_table(header, kind, shape)) {
    problem = TableProblem::kOtherTable;
  } else if (static_cast<std::uint64_t>(status.st_size) != kHeaderPage + header.size) {
    problem = TableProblem::kTruncated;
  }
  std::byte* map = nullptr;
  if (problem == TableProblem::kNone) {
    map = map_file(file, static_cast<std::size_t>(status.st_size), false);
    if (!map) problem = TableProblem::kUnreadable;
  }
  if (problem != TableProblem::kNone) {
    close(file);
    return nullptr;
  }
  std::shared_ptr<TableFile> table(new TableFile(file, map, static_cast<std::size_t>(status.st_size), ""));
  if (check_all && checksum(std::as_const(*table).bytes()) != header.checksum) {
    problem = TableProblem::kDamaged;
    return nullptr;
  }
  return table;
}

std::shared_ptr<TableFile> TableFile::start(const std::string& path, TableKind kind, Shape shape, std::uint64_t size,
                                            bool resume, TableProblem& problem) {
  const std::string part = path + ".part";
  const int file = ::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) {
    problem = TableProblem::kUnreadable;
    return nullptr;
  }
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    problem = TableProblem::kBusy;
    close(file);
    return nullptr;
  }
  const std::size_t length = kHeaderPage + size;
  TableHeader left;
  struct stat status;
  const bool usable = resume && pread(file, &left, sizeof left, 0) == static_cast<ssize_t>(sizeof left) &&
                      left.magic == kTableMagic && left.version == kTableVersion && same_table(left, kind, shape) &&
                      left.size == size && fstat(file, &status) == 0 &&
                      static_cast<std::uint64_t>(status.st_size) == length;
  problem = TableProblem::kNone;
  if (!usable && ftruncate(file, 0) != 0) problem = TableProblem::kUnreadable;
  // Claimed now, so that a full disk is an error here and not a crash in the middle of the build.
  if (problem == TableProblem::kNone && posix_fallocate(file, 0, static_cast<off_t>(length)) != 0)
    problem = TableProblem::kDiskFull;
  std::byte* map = problem == TableProblem::kNone ? map_file(file, length, true) : nullptr;
  if (!map) {
    if (problem == TableProblem::kNone) problem = TableProblem::kUnreadable;
    close(file);
    unlink(part.c_str());
    return nullptr;
  }
  std::shared_ptr<TableFile> table(new TableFile(file, map, length, path));
  if (!usable) {
    TableHeader& header = table->header();
    header.magic = kTableMagic;
    header.version = kTableVersion;
    header.kind = kind;
    header.points = static_cast<std::uint32_t>(shape.points);
    header.checkers = static_cast<std::uint32_t>(shape.checkers);
    header.size = size;
  }
  return table;
}

void TableFile::keep(std::uint64_t progress) {
  msync(map_, length_, MS_SYNC);
  header().progress = progress;
}

bool TableFile::finish(double seconds) {
  const std::string part = path_ + ".part";
  header().complete = 1;
  header().progress = 0;
  header().milliseconds += static_cast<std::uint64_t>(1000 * seconds);
  header().checksum = checksum(bytes());
  header().header_checksum = header_checksum(header());
  if (msync(map_, length_, MS_SYNC) != 0 || fsync(file_) != 0) return false;
  if (std::rename(part.c_str(), path_.c_str()) != 0) return false;
  // The name is safe once the directory is.
  const std::size_t slash = path_.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : path_.substr(0, slash + 1);
  const int directory = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (directory >= 0) {
    fsync(directory);
    close(directory);
  }
  return true;
}

}  // namespace kibitz
