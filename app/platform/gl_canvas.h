#pragma once
// What both back-ends share of OpenGL: ImGui's renderer, textures for pictures, and reading the frame back.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "result/image_target.h"

namespace warpbook::platform {

class GlCanvas {
 public:
  GlCanvas();
  /// What glad was not asked for, by the back-end's own way to find it; once the context is current.
  void find_functions(void* (*find)(const char* name));
  void attach();
  void detach();
  void upload_fonts();
  void begin_frame();
  /// Clears the bound framebuffer and draws ImGui's draw data.
  void draw(uint32_t background, int width, int height);
  std::vector<uint32_t> pixels(int width, int height) const;
  ImageTarget make_image(uint32_t width, uint32_t height);
  void release_image(ImageTarget& target);
  std::string renderer() const;
  std::array<uint8_t, 16> device_uuid() const;

 private:
  using UnsignedBytes = void (*)(unsigned target, unsigned index, unsigned char* data);
  UnsignedBytes unsigned_bytes_ = nullptr;
  uint64_t next_generation_;  ///< another one for each texture of the process, whatever context it is of
  bool attached_ = false;
};

}  // namespace warpbook::platform
