#pragma once
// Memory that two processes see, by name for as long as it takes the second to open it.
#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"

namespace warpbook {

class SharedMemory {
 public:
  /// `bytes` of zeros that really exist: a full /dev/shm is an error here and not a fault later.
  static Result<SharedMemory> create(size_t bytes);
  static Result<SharedMemory> open(const std::string& name, size_t bytes);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  SharedMemory(const SharedMemory&) = delete;
  ~SharedMemory();

  const std::string& name() const { return name_; }
  std::span<std::byte> bytes() const { return {data_, size_}; }
  /// Takes the name away; who has it open keeps it. Done at the latest when the creator's object ends.
  void forget_name();

 private:
  SharedMemory() = default;
  /// Maps the open file, closes it, and gives this object away.
  Result<SharedMemory> mapped(int file, size_t bytes);
  std::string name_;
  std::byte* data_ = nullptr;
  size_t size_ = 0;
  bool named_ = false;
};

}  // namespace warpbook
