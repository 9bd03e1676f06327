#include "platform/gl_canvas.h"

#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>

namespace warpbook::platform {

namespace {

// Called by a Device's host path on the thread that draws. Rows come top first and textures are sampled with
// v = 0 on top, so nothing is flipped.
void upload_pixels(void*, const ImageTarget& target, const uint32_t* pixels) {
  if (target.handle == 0 || pixels == nullptr) return;
  glBindTexture(GL_TEXTURE_2D, GLuint(target.handle));
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, GLsizei(target.width), GLsizei(target.height), GL_RGBA,
                  GL_UNSIGNED_BYTE, pixels);
  glBindTexture(GL_TEXTURE_2D, 0);
}

// From the pixel buffer, which a GPU has filled, into the texture: both are OpenGL's, and nothing passes the
// host.
void unpack_pixels(void*, const ImageTarget& target) {
  if (target.handle == 0 || target.pixel_buffer == 0) return;
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, GLuint(target.pixel_buffer));
  glBindTexture(GL_TEXTURE_2D, GLuint(target.handle));
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, GLsizei(target.width), GLsizei(target.height), GL_RGBA,
                  GL_UNSIGNED_BYTE, nullptr);
  glBindTexture(GL_TEXTURE_2D, 0);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

bool has_extension(const char* name) {
  GLint count = 0;
  glGetIntegerv(GL_NUM_EXTENSIONS, &count);
  for (GLint i = 0; i < count; ++i) {
    const GLubyte* one = glGetStringi(GL_EXTENSIONS, GLuint(i));
    if (one && std::strcmp(reinterpret_cast<const char*>(one), name) == 0) return true;
  }
  return false;
}

}  // namespace

// A clock makes generations of two contexts differ, also when one follows the other in the same process.
GlCanvas::GlCanvas()
    : next_generation_(uint64_t(std::chrono::steady_clock::now().time_since_epoch().count())) {}

void GlCanvas::find_functions(void* (*find)(const char* name)) {
  unsigned_bytes_ = reinterpret_cast<UnsignedBytes>(find("glGetUnsignedBytei_vEXT"));
}

void GlCanvas::attach() {
  assert(!attached_);
  ImGui_ImplOpenGL3_Init("#version 330");
  attached_ = true;
}

void GlCanvas::detach() {
  if (attached_) ImGui_ImplOpenGL3_Shutdown();
  attached_ = false;
}

void GlCanvas::upload_fonts() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void GlCanvas::begin_frame() { ImGui_ImplOpenGL3_NewFrame(); }

void GlCanvas::draw(uint32_t background, int width, int height) {
  glViewport(0, 0, width, height);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(float(background & 255) / 255.0f, float(background >> 8 & 255) / 255.0f,
               float(background >> 16 & 255) / 255.0f, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

std::vector<uint32_t> GlCanvas::pixels(int width, int height) const {
  std::vector<uint32_t> frame(size_t(width) * size_t(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, frame.data());
  for (int row = 0; row < height / 2; ++row) {
    std::swap_ranges(frame.begin() + ptrdiff_t(row) * width, frame.begin() + ptrdiff_t(row + 1) * width,
                     frame.begin() + ptrdiff_t(height - 1 - row) * width);
  }
  for (uint32_t& pixel : frame) pixel |= 0xff000000u;
  return frame;
}

ImageTarget GlCanvas::make_image(uint32_t width, uint32_t height) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  // A picture of cells stays crisp when it is enlarged; a large one shrinks without sparkle.
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  const std::vector<uint32_t> blank(size_t(width) * height, 0);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, GLsizei(width), GLsizei(height), 0, GL_RGBA, GL_UNSIGNED_BYTE,
               blank.data());
  glBindTexture(GL_TEXTURE_2D, 0);
  // Takes no memory to speak of until a GPU fills it, which only drivers without shared textures ask for.
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  glBufferData(GL_PIXEL_UNPACK_BUFFER, GLsizeiptr(width) * height * 4, nullptr, GL_STREAM_DRAW);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  ImageTarget target;
  target.handle = texture;
  target.pixel_buffer = buffer;
  target.generation = next_generation_++;
  target.unpack = unpack_pixels;
  target.width = width;
  target.height = height;
  target.device_uuid = device_uuid();
  target.upload = upload_pixels;
  return target;
}

void GlCanvas::release_image(ImageTarget& target) {
  const GLuint texture = GLuint(target.handle);
  if (texture != 0) glDeleteTextures(1, &texture);
  const GLuint buffer = GLuint(target.pixel_buffer);
  if (buffer != 0) glDeleteBuffers(1, &buffer);
  target = ImageTarget{};
}

std::array<uint8_t, 16> GlCanvas::device_uuid() const {
  // GL_EXT_memory_object: the number by which Vulkan and CUDA know the same GPU.
  constexpr GLenum device_uuid_ext = 0x9597;
  std::array<uint8_t, 16> uuid{};
  if (!unsigned_bytes_ || !has_extension("GL_EXT_memory_object")) return uuid;
  unsigned_bytes_(device_uuid_ext, 0, uuid.data());
  return uuid;
}

std::string GlCanvas::renderer() const {
  const auto text = [](GLenum name) {
    const GLubyte* value = glGetString(name);
    return value ? std::string(reinterpret_cast<const char*>(value)) : std::string("unknown");
  };
  return text(GL_RENDERER) + ", " + text(GL_VERSION);
}

}  // namespace warpbook::platform
