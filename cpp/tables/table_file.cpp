#include "tables/table_file.hpp"

#include <bit>
#include <cstddef>
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
  return header.kind == kind && header.shape == shape;
}

TableProblem problem_of(FileProblem problem) {
  switch (problem) {
    case FileProblem::kMissing: return TableProblem::kMissing;
    case FileProblem::kBusy: return TableProblem::kBusy;
    case FileProblem::kDiskFull: return TableProblem::kDiskFull;
    case FileProblem::kUnreadable: return TableProblem::kUnreadable;
    case FileProblem::kNone: break;
  }
  return TableProblem::kNone;
}

// Why a finished file is not the wanted table, by what it says of itself.
TableProblem defect(const MappedFile& file, TableKind kind, Shape shape) {
  if (file.size() < sizeof(TableHeader)) return TableProblem::kForeign;
  const TableHeader& header = *reinterpret_cast<const TableHeader*>(file.data());
  if (header.magic != kTableMagic) return TableProblem::kForeign;
  if (header.version != kTableVersion) return TableProblem::kOtherVersion;
  if (header.header_checksum != header_checksum(header) || header.complete != 1) return TableProblem::kDamaged;
  if (!same_table(header, kind, shape)) return TableProblem::kOtherTable;
  if (file.size() != kHeaderPage + header.size) return TableProblem::kTruncated;
  return TableProblem::kNone;
}

}  // namespace

std::shared_ptr<TableFile> TableFile::open(const std::string& path, TableKind kind, Shape shape, bool check_all,
                                           TableProblem& problem) {
  FileProblem trouble;
  std::unique_ptr<MappedFile> file = MappedFile::open(path, trouble);
  problem = file ? defect(*file, kind, shape) : problem_of(trouble);
  if (problem != TableProblem::kNone) return nullptr;
  std::shared_ptr<TableFile> table(new TableFile(std::move(file), ""));
  if (check_all && checksum(std::as_const(*table).bytes()) != table->header().checksum) {
    problem = TableProblem::kDamaged;
    return nullptr;
  }
  return table;
}

std::shared_ptr<TableFile> TableFile::start(const std::string& path, TableKind kind, Shape shape, std::uint64_t size,
                                            bool resume, TableProblem& problem) {
  bool resumed = false;
  const auto usable = [&](const std::byte* bytes) {
    const TableHeader& left = *reinterpret_cast<const TableHeader*>(bytes);
    resumed = resume && left.magic == kTableMagic && left.version == kTableVersion && same_table(left, kind, shape) &&
              left.size == size;
    return resumed;
  };
  FileProblem trouble;
  std::unique_ptr<MappedFile> file = MappedFile::build(path + ".part", kHeaderPage + size, usable, trouble);
  problem = problem_of(trouble);
  if (!file) return nullptr;
  std::shared_ptr<TableFile> table(new TableFile(std::move(file), path));
  if (!resumed) {
    TableHeader& header = table->header();
    header.magic = kTableMagic;
    header.version = kTableVersion;
    header.kind = kind;
    header.shape = shape;
    header.size = size;
  }
  return table;
}

void TableFile::keep(std::uint64_t progress) {
  file_->flush();
  header().progress = progress;
}

bool TableFile::finish(double seconds) {
  header().complete = 1;
  header().progress = 0;
  header().milliseconds += static_cast<std::uint64_t>(1000 * seconds);
  header().checksum = checksum(bytes());
  header().header_checksum = header_checksum(header());
  return file_->flush() && rename_for_good(path_ + ".part", path_);
}

}  // namespace kibitz
