#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <filesystem>

#include "support/mapped_file.hpp"

namespace kibitz {
namespace {

std::wstring wide(const std::string& path) {
  return std::filesystem::path(std::u8string(path.begin(), path.end())).wstring();
}

// Others may read it and give it another name while it is open, as elsewhere.
constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

long long length_of(HANDLE file) {
  LARGE_INTEGER length;
  return GetFileType(file) == FILE_TYPE_DISK && GetFileSizeEx(file, &length) ? length.QuadPart : -1;
}

bool set_length(HANDLE file, long long length) {
  LARGE_INTEGER end;
  end.QuadPart = length;
  return SetFilePointerEx(file, end, nullptr, FILE_BEGIN) && SetEndOfFile(file);
}

// Locks a byte that lies behind every file, since a locked byte could not be read by others.
bool lock(HANDLE file) {
  OVERLAPPED place = {};
  place.OffsetHigh = 0x40000000;
  return LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place);
}

}  // namespace

MappedFile::~MappedFile() {
  if (data_) UnmapViewOfFile(data_);
  CloseHandle(file_);
}

bool MappedFile::map(bool writable) {
  const long long length = length_of(file_);
  if (length < 0) return false;
  size_ = static_cast<std::size_t>(length);
  if (size_ == 0) return true;
  const HANDLE mapping = CreateFileMappingW(file_, nullptr, writable ? PAGE_READWRITE : PAGE_READONLY, 0, 0, nullptr);
  if (!mapping) return false;
  void* place = MapViewOfFile(mapping, writable ? FILE_MAP_WRITE : FILE_MAP_READ, 0, 0, 0);
  CloseHandle(mapping);  // the view keeps it
  data_ = static_cast<std::byte*>(place);
  return data_ != nullptr;
}

std::unique_ptr<MappedFile> MappedFile::open(const std::string& path, FileProblem& problem) {
  const HANDLE handle =
      CreateFileW(wide(path).c_str(), GENERIC_READ, kShared, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    const DWORD error = GetLastError();
    const bool missing = error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND;
    problem = missing ? FileProblem::kMissing : FileProblem::kUnreadable;
    return nullptr;
  }
  std::unique_ptr<MappedFile> file(new MappedFile(handle));
  problem = file->map(false) ? FileProblem::kNone : FileProblem::kUnreadable;
  return problem == FileProblem::kNone ? std::move(file) : nullptr;
}

std::unique_ptr<MappedFile> MappedFile::build(const std::string& path, std::size_t length,
                                              const std::function<bool(const std::byte*)>& usable,
                                              FileProblem& problem) {
  const HANDLE handle = CreateFileW(wide(path).c_str(), GENERIC_READ | GENERIC_WRITE, kShared, nullptr, OPEN_ALWAYS,
                                    FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    problem = FileProblem::kUnreadable;
    return nullptr;
  }
  std::unique_ptr<MappedFile> file(new MappedFile(handle));
  if (!lock(handle)) {
    problem = FileProblem::kBusy;
    return nullptr;
  }
  problem = FileProblem::kNone;
  const auto wanted = static_cast<long long>(length);
  if (length_of(handle) == wanted) {
    if (file->map(true) && usable(file->data_)) return file;
    if (file->data_) UnmapViewOfFile(file->data_);
    file->data_ = nullptr;
  }
  if (!set_length(handle, 0))
    problem = FileProblem::kUnreadable;
  else if (!set_length(handle, wanted))
    problem = FileProblem::kDiskFull;
  else if (!file->map(true))
    problem = FileProblem::kUnreadable;
  if (problem == FileProblem::kNone) return file;
  file.reset();
  DeleteFileW(wide(path).c_str());
  return nullptr;
}

bool MappedFile::flush() { return FlushViewOfFile(data_, 0) && FlushFileBuffers(file_); }

bool rename_for_good(const std::string& from, const std::string& to) {
  return MoveFileExW(wide(from).c_str(), wide(to).c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
}

}  // namespace kibitz

#endif
