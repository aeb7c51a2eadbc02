// What a build that is cut off leaves behind: frames of plain bytes, each with its checksum, in a file of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "tables/rows.hpp"
#include "tables/table_file.hpp"

namespace kibitz {

// A kill at any moment leaves whole frames, and perhaps the beginning of one, which is not read.
class Journal {
 public:
  using State = std::array<std::uint64_t, 4>;  // what the builder wants to know beside the bytes
  using Take = std::function<bool(const State& state, std::span<const std::byte> bytes)>;

  Journal(std::string path, TableKind kind, Shape shape) : path_(std::move(path)), kind_(kind), shape_(shape) {}

  // Hands the frames over in their order, until there is none, or one that is damaged, of another table or not taken.
  // What follows is cut off.
  void read(const Take& take) const;

  // One frame more, or one in place of all. False if it could not be written; what was there is there still.
  bool append(const State& state, std::span<const std::byte> bytes) const;
  bool replace(const State& state, std::span<const std::byte> bytes) const;

  void remove() const;

 private:
  bool write(const std::string& path, const char* mode, const State& state, std::span<const std::byte> bytes) const;

  std::string path_;
  TableKind kind_;
  Shape shape_;
};

}  // namespace kibitz
