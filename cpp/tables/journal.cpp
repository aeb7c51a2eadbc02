#include "tables/journal.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "support/mapped_file.hpp"

namespace kibitz {
namespace {

struct Frame {
  std::uint64_t magic = 0x314C4E4A'5A54424BULL;  // "KBTZJNL1"
  std::uint32_t version = kTableVersion;
  TableKind kind{};
  Shape shape{0, 0};
  Journal::State state{};
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Frame) == 72);

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

std::filesystem::path of(const std::string& path) {
  return {reinterpret_cast<const char8_t*>(path.data()), reinterpret_cast<const char8_t*>(path.data()) + path.size()};
}

File open(const std::string& path, const char* mode) {
#if defined(_WIN32)
  return File(_wfopen(of(path).c_str(), std::wstring(mode, mode + std::char_traits<char>::length(mode)).c_str()));
#else
  return File(std::fopen(path.c_str(), mode));
#endif
}

}  // namespace

void Journal::read(const Take& take) const {
  std::uint64_t whole = 0;
  std::error_code ignored;
  const std::uint64_t length = std::filesystem::file_size(of(path_), ignored);
  if (ignored) return;
  if (const File file = open(path_, "rb")) {
    const Frame wanted{.kind = kind_, .shape = shape_};
    std::vector<std::byte> bytes;
    Frame frame;
    while (std::fread(&frame, sizeof frame, 1, file.get()) == 1) {
      if (frame.magic != wanted.magic || frame.version != wanted.version || frame.kind != wanted.kind ||
          frame.shape != wanted.shape || frame.size > length - whole - sizeof frame)
        break;
      bytes.resize(frame.size);
      if (!bytes.empty() && std::fread(bytes.data(), bytes.size(), 1, file.get()) != 1) break;
      if (checksum(bytes) != frame.checksum || !take(frame.state, bytes)) break;
      whole += sizeof frame + frame.size;
    }
  }
  if (whole < length) std::filesystem::resize_file(of(path_), whole, ignored);
}

bool Journal::append(const State& state, std::span<const std::byte> bytes) const {
  return write(path_, "ab", state, bytes);
}

bool Journal::replace(const State& state, std::span<const std::byte> bytes) const {
  const std::string aside = path_ + ".new";
  if (write(aside, "wb", state, bytes) && rename_for_good(aside, path_)) return true;
  std::error_code ignored;
  std::filesystem::remove(of(aside), ignored);
  return false;
}

bool Journal::write(const std::string& path, const char* mode, const State& state,
                    std::span<const std::byte> bytes) const {
  const Frame frame{.kind = kind_, .shape = shape_, .state = state, .size = bytes.size(), .checksum = checksum(bytes)};
  const File file = open(path, mode);
  return file && std::fwrite(&frame, sizeof frame, 1, file.get()) == 1 &&
         (bytes.empty() || std::fwrite(bytes.data(), bytes.size(), 1, file.get()) == 1) && std::fflush(file.get()) == 0;
}

void Journal::remove() const {
  std::error_code ignored;
  std::filesystem::remove(of(path_), ignored);
  std::filesystem::remove(of(path_ + ".new"), ignored);
}

}  // namespace kibitz
