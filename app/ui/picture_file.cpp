#include "ui/picture_file.h"

#include <stb_image.h>
#include <stb_image_write.h>

#include <cstring>
#include <string>

namespace warpbook::ui {

Result<Done> write_picture(const Path& file, const Picture& picture) {
  std::string bytes;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), size_t(size));
  };
  if (!stbi_write_png_to_func(append, &bytes, picture.width, picture.height, 4, picture.pixels.data(),
                              picture.width * 4)) {
    return Error{"the picture could not be packed as PNG", Trouble::io, {file.string(), 0, 0}, {}};
  }
  return write_file(file, bytes);
}

Result<Picture> read_picture(const Path& file) {
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.error();
  Picture picture;
  int channels = 0;
  unsigned char* data =
      stbi_load_from_memory(reinterpret_cast<const unsigned char*>(bytes->data()), int(bytes->size()),
                            &picture.width, &picture.height, &channels, 4);
  if (!data)
    return Error{"this is no picture that can be read",
                 Trouble::bad_input,
                 {file.string(), 0, 0},
                 stbi_failure_reason()};
  picture.pixels.resize(size_t(picture.width) * size_t(picture.height));
  std::memcpy(picture.pixels.data(), data, picture.pixels.size() * 4);
  stbi_image_free(data);
  return picture;
}

}  // namespace warpbook::ui
