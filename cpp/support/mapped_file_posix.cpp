#if !defined(_WIN32)

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "support/mapped_file.hpp"

namespace kibitz {
namespace {

// The length of a regular file; below zero if it is none.
off_t length_of(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? status.st_size : -1;
}

bool claim(int file, off_t length) {
#if defined(__APPLE__)
  fstore_t wanted = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, length, 0};
  return fcntl(file, F_PREALLOCATE, &wanted) != -1 && ftruncate(file, length) == 0;
#else
  return posix_fallocate(file, 0, length) == 0;
#endif
}

}  // namespace

MappedFile::~MappedFile() {
  if (data_) munmap(data_, size_);
  close(file_);
}

bool MappedFile::map(bool writable) {
  const off_t length = length_of(file_);
  if (length < 0) return false;
  size_ = static_cast<std::size_t>(length);
  if (size_ == 0) return true;
  void* place = mmap(nullptr, size_, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file_, 0);
  if (place != MAP_FAILED) data_ = static_cast<std::byte*>(place);
  return data_ != nullptr;
}

std::unique_ptr<MappedFile> MappedFile::open(const std::string& path, FileProblem& problem) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    problem = errno == ENOENT ? FileProblem::kMissing : FileProblem::kUnreadable;
    return nullptr;
  }
  std::unique_ptr<MappedFile> file(new MappedFile(descriptor));
  problem = file->map(false) ? FileProblem::kNone : FileProblem::kUnreadable;
  return problem == FileProblem::kNone ? std::move(file) : nullptr;
}

std::unique_ptr<MappedFile> MappedFile::build(const std::string& path, std::size_t length,
                                              const std::function<bool(const std::byte*)>& usable,
                                              FileProblem& problem) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    problem = FileProblem::kUnreadable;
    return nullptr;
  }
  std::unique_ptr<MappedFile> file(new MappedFile(descriptor));
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    problem = FileProblem::kBusy;
    return nullptr;
  }
  problem = FileProblem::kNone;
  const auto wanted = static_cast<off_t>(length);
  if (length_of(descriptor) == wanted) {
    if (file->map(true) && usable(file->data_)) return file;
    if (file->data_) munmap(file->data_, file->size_);
    file->data_ = nullptr;
  }
  if (ftruncate(descriptor, 0) != 0)
    problem = FileProblem::kUnreadable;
  else if (!claim(descriptor, wanted))
    problem = FileProblem::kDiskFull;
  else if (!file->map(true))
    problem = FileProblem::kUnreadable;
  if (problem == FileProblem::kNone) return file;
  unlink(path.c_str());
  return nullptr;
}

bool MappedFile::flush() { return msync(data_, size_, MS_SYNC) == 0 && fsync(file_) == 0; }

bool rename_for_good(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return false;
  // The name is safe once the directory is.
  const std::size_t slash = to.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : to.substr(0, slash + 1);
  const int directory = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (directory >= 0) {
    fsync(directory);
    close(directory);
  }
  return true;
}

}  // namespace kibitz

#endif
