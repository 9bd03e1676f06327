#pragma once
// A picture that a kernel writes and the window draws: an opaque texture handle, its size in pixels and the
// GPU that owns it. platform makes them; a Device fills them.
#include <array>
#include <cstdint>

namespace warpbook {

struct ImageTarget {
  uint64_t handle = 0;                    ///< platform's texture; 0 = none
  uint32_t width = 0, height = 0;         ///< pixels, RGBA8
  std::array<uint8_t, 16> device_uuid{};  ///< of the GPU that draws; zeros when unknown
  /// The host path: uploads width*height RGBA8 pixels, row 0 on top. Set by platform.
  void (*upload)(void* owner, const ImageTarget& target, const uint32_t* pixels) = nullptr;
  void* owner = nullptr;
};

}  // namespace warpbook
