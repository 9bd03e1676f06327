#pragma once
// What a texture holds, read back through the OpenGL context that is current.
#include <glad/gl.h>

#include <cstdint>
#include <vector>

#include "result/image_target.h"

namespace warpbook {

/// RGBA8, row 0 on top as it was uploaded.
inline std::vector<uint32_t> in_texture(const ImageTarget& target) {
  std::vector<uint32_t> pixels(size_t(target.width) * target.height);
  glBindTexture(GL_TEXTURE_2D, GLuint(target.handle));
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  glBindTexture(GL_TEXTURE_2D, 0);
  return pixels;
}

}  // namespace warpbook
