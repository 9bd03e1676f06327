#pragma once
// Host memory for device buffers and their shadows: taken from the system page by page when first touched, so
// that a gigabyte that a kernel never touches costs nothing.
#include <cstddef>
#include <cstdint>

namespace warpbook::simt {

/// The byte that fresh device, shared and local memory is filled with.
inline constexpr unsigned char poison = 0xCD;

class Pages {
 public:
  Pages() = default;
  ~Pages();
  Pages(Pages&& other) noexcept;
  Pages& operator=(Pages&& other) noexcept;

  /// Zeros. Empty when the system has no room left.
  static Pages zeros(uint64_t bytes);
  /// Filled with `poison`; large ones lazily.
  static Pages poisoned(uint64_t bytes);
  /// Zeros at this very address, a multiple of 4096. Empty when something else lies there.
  static Pages zeros_at(uint64_t address, uint64_t bytes);
  /// Memory that belongs to somebody else, who keeps it as long.
  static Pages borrowed(std::byte* data, uint64_t bytes);

  std::byte* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  std::byte* data_ = nullptr;
  uint64_t bytes_ = 0;
  bool borrowed_ = false;
};

}  // namespace warpbook::simt
