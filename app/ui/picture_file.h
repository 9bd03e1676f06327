#pragma once
// PNG files of whole frames.
#include <cstdint>
#include <vector>

#include "base/files.h"
#include "base/result.h"

namespace warpbook::ui {

struct Picture {
  int width = 0, height = 0;
  std::vector<uint32_t> pixels;  ///< RGBA8, row 0 on top
};

Result<Done> write_picture(const Path& file, const Picture& picture);
Result<Picture> read_picture(const Path& file);

}  // namespace warpbook::ui
