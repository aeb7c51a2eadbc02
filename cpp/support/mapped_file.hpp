// Files that are read and written as memory, the same on every system.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace kibitz {

enum class FileProblem { kNone, kMissing, kUnreadable, kBusy, kDiskFull };

// Unmapped, unlocked and closed at its end. Paths are UTF-8.
class MappedFile {
 public:
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // The whole of a regular file, to be read alone.
  static std::unique_ptr<MappedFile> open(const std::string& path, FileProblem& problem);

  // A file of `length` bytes to be written, which no other process may build at the same time. What is there already is
  // kept if it has that length and `usable` says so of it; otherwise all bytes are zero. The disk's room is claimed now,
  // so that a full disk is an error here and not a crash later.
  static std::unique_ptr<MappedFile> build(const std::string& path, std::size_t length,
                                           const std::function<bool(const std::byte*)>& usable, FileProblem& problem);

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

  // Puts everything on the disk.
  bool flush();

 private:
  // What the system calls an open file: a descriptor, or a handle.
#if defined(_WIN32)
  using File = void*;
#else
  using File = int;
#endif

  explicit MappedFile(File file) : file_(file) {}
  bool map(bool writable);

  File file_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// Gives a file another name, in place of what had it, so that the name outlives a crash.
bool rename_for_good(const std::string& from, const std::string& to);

}  // namespace kibitz
