// POSIX shared memory.
#include "base/shared_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace warpbook {

namespace {

Error trouble(const char* doing, int code) {
  return Error{
      fmt::format("Could not {} shared memory: {}.", doing, std::strerror(code)), Trouble::io, {}, {}};
}

Result<std::byte*> map(int file, size_t bytes) {
  void* place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (place == MAP_FAILED) return trouble("map", errno);
  return static_cast<std::byte*>(place);
}

}  // namespace

Result<SharedMemory> SharedMemory::create(size_t bytes) {
  SharedMemory memory;
  // The clock keeps the names of one process apart; O_EXCL refuses should it ever not.
  memory.name_ =
      fmt::format("/warpbook-{}-{}", ::getpid(), std::chrono::steady_clock::now().time_since_epoch().count());
  const int file = ::shm_open(memory.name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return trouble("make", errno);
  memory.named_ = true;
  if (const int code = ::posix_fallocate(file, 0, off_t(bytes)); code != 0) {
    ::close(file);
    return trouble("get", code);
  }
  return memory.mapped(file, bytes);
}

Result<SharedMemory> SharedMemory::open(const std::string& name, size_t bytes) {
  SharedMemory memory;
  memory.name_ = name;
  const int file = ::shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0);
  if (file < 0) return trouble("open", errno);
  const off_t size = ::lseek(file, 0, SEEK_END);
  if (size < off_t(bytes)) {
    ::close(file);
    return Error{
        fmt::format("The shared memory has {} bytes and not {}.", int64_t(size), bytes), Trouble::io, {}, {}};
  }
  return memory.mapped(file, bytes);
}

Result<SharedMemory> SharedMemory::mapped(int file, size_t bytes) {
  const auto place = map(file, bytes);
  ::close(file);
  if (!place) return place.error();
  data_ = *place;
  size_ = bytes;
  return std::move(*this);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept { *this = std::move(other); }

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(named_, other.named_);
  return *this;
}

SharedMemory::~SharedMemory() {
  forget_name();
  if (data_ != nullptr) ::munmap(data_, size_);
}

void SharedMemory::forget_name() {
  if (named_) ::shm_unlink(name_.c_str());
  named_ = false;
}

}  // namespace warpbook
