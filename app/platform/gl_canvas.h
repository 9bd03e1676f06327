#pragma once
// What both back-ends share of OpenGL: ImGui's renderer, textures for pictures, and reading the frame back.
#include <cstdint>
#include <string>
#include <vector>

#include "result/image_target.h"

namespace warpbook::platform {

class GlCanvas {
 public:
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

 private:
  bool attached_ = false;
};

}  // namespace warpbook::platform
