#pragma once
// The seam between the app and the machine's window: platform makes a Surface (a window, or a picture in
// memory), ui draws on it. Sizes are pixels of the framebuffer, times are seconds.
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "result/image_target.h"

namespace warpbook {

struct SurfaceRequest {
  bool headless = false;
  int width = 1440, height = 900;  ///< pixels
  float scale = 0;                 ///< pixels a dp; 0 = the display's own
  std::string title;
  std::vector<uint32_t> icon;  ///< square, RGBA8; may be empty
  /// The GPU that runs kernels, as CUDA counts: a picture in memory is drawn by that GPU where EGL offers it,
  /// since only then can the two share pictures. -1 = whatever draws here.
  int cuda_device = -1;
};

class Surface {
 public:
  virtual ~Surface() = default;
  virtual bool headless() const = 0;
  virtual int width() const = 0;
  virtual int height() const = 0;
  /// Pixels a dp that the display asks for.
  virtual float display_scale() const = 0;
  /// What draws: GL_RENDERER and GL_VERSION.
  virtual std::string renderer() const = 0;
  /// Of the GPU that draws, where OpenGL tells it (GL_EXT_memory_object); else zeros.
  virtual std::array<uint8_t, 16> device_uuid() const { return {}; }

  /// Between these two calls the current ImGui context draws here. attach needs a context, detach comes
  /// before its end.
  virtual Result<Done> attach() = 0;
  virtual void detach() = 0;
  /// The font atlas of the context was rebuilt.
  virtual void upload_fonts() = 0;

  /// Sleeps until an event, wake() or the timeout; 0 only polls. True when there was something to react to.
  virtual bool wait(double timeout) = 0;
  /// Ends wait() early. The one call that any thread may make.
  virtual void wake() = 0;
  /// Fills the context's input state; before ImGui::NewFrame.
  virtual void begin_frame() = 0;
  /// Draws what ImGui::Render made, on `background` (RGBA8, ImGui's order).
  virtual void draw(uint32_t background) = 0;
  /// The picture as drawn, row 0 on top, RGBA8. Between draw() and present().
  virtual std::vector<uint32_t> pixels() = 0;
  virtual void present() = 0;

  virtual bool should_close() const = 0;
  virtual void set_title(const std::string& title) = 0;
  /// Textures that a kernel's picture goes to. The target's `upload` works on the thread that draws.
  virtual ImageTarget make_image(uint32_t width, uint32_t height) = 0;
  virtual void release_image(ImageTarget& target) = 0;
};

using SurfaceMaker = std::function<Result<std::unique_ptr<Surface>>(const SurfaceRequest&)>;

}  // namespace warpbook
