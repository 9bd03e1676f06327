#pragma once
// A picture that a kernel writes and the window draws: an opaque texture handle, its size in pixels and the
// GPU that owns it. platform makes them; a Device fills them (Device::write_image).
//
// The order that OpenGL and CUDA ask of each other: the texture is made, Device::write_image registers it on
// first use, maps it, copies on the device, unmaps it, and only then the frame draws it. Before the texture
// is deleted or made anew in another size, Device::forget_image. Both on the thread whose GL context is
// current.
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace warpbook {

struct ImageTarget {
  uint64_t handle = 0;  ///< platform's texture (GL_TEXTURE_2D, RGBA8); 0 = none
  /// A GL buffer of width*height*4 bytes for drivers that share buffers but no textures; 0 = none. The device
  /// fills it and then calls `unpack`.
  uint64_t pixel_buffer = 0;
  /// Another number for another GL object: GL hands the same handle out again after a deletion or with a new
  /// context, and a registration of the old object must not be taken for one of the new.
  uint64_t generation = 0;
  uint32_t width = 0, height = 0;         ///< pixels, RGBA8
  std::array<uint8_t, 16> device_uuid{};  ///< of the GPU that draws; zeros when unknown
  /// The host path: uploads width*height RGBA8 pixels, row 0 on top. Set by platform.
  void (*upload)(void* owner, const ImageTarget& target, const uint32_t* pixels) = nullptr;
  /// Copies `pixel_buffer` into the texture; null where there is no pixel buffer. Set by platform.
  void (*unpack)(void* owner, const ImageTarget& target) = nullptr;
  void* owner = nullptr;
};

/// Which way a picture may take to its texture.
enum class ImageWay { automatic, without_copy, through_host };

/// How a picture came to its texture, and what each way cost when it was last taken.
struct ImageOutcome {
  std::string way;       ///< "texture", "pixel buffer" or "host copy"
  std::string why_host;  ///< why it went through the host, in a sentence; empty when nothing refused
  std::optional<double> without_copy_ms;  ///< map, copy on the device, unmap
  std::optional<double> through_host_ms;  ///< device to pinned memory, memory to texture
};

}  // namespace warpbook
