// The picture in memory, by EGL without a surface: the same frames as the window, on a machine with no
// display.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

#include <condition_variable>
#include <mutex>

#include "platform/gl_canvas.h"
#include "platform/window.h"

namespace warpbook::platform {

namespace {

/// EGL_NV_device_cuda: which CUDA device an EGL device is.
constexpr EGLint cuda_device_nv = 0x323A;

bool is_cuda_device(EGLDeviceEXT device, int wanted) {
  const auto query =
      reinterpret_cast<PFNEGLQUERYDEVICEATTRIBEXTPROC>(eglGetProcAddress("eglQueryDeviceAttribEXT"));
  const auto words =
      reinterpret_cast<PFNEGLQUERYDEVICESTRINGEXTPROC>(eglGetProcAddress("eglQueryDeviceStringEXT"));
  if (!query || !words) return false;
  const char* extensions = words(device, EGL_EXTENSIONS);
  if (!extensions || std::string_view(extensions).find("EGL_NV_device_cuda") == std::string_view::npos)
    return false;
  EGLAttrib number = -1;
  return query(device, cuda_device_nv, &number) && number == wanted;
}

// The GPU that was asked for; else Mesa's surfaceless platform first; NVIDIA's driver offers its devices
// instead; the default display last.
EGLDisplay open_display(int cuda_device) {
  const auto get_platform_display =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  const auto query_devices =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  if (get_platform_display && query_devices && cuda_device >= 0) {
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (query_devices(16, devices, &count)) {
      for (EGLint i = 0; i < count; ++i) {
        if (!is_cuda_device(devices[i], cuda_device)) continue;
        EGLDisplay display = get_platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr);
        if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
      }
    }
  }
  if (get_platform_display) {
    EGLDisplay display = get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
    EGLDeviceEXT devices[8];
    EGLint count = 0;
    if (query_devices && query_devices(8, devices, &count)) {
      for (EGLint i = 0; i < count; ++i) {
        display = get_platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr);
        if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
      }
    }
  }
  EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
  return EGL_NO_DISPLAY;
}

class EglSurface : public Surface {
 public:
  EglSurface(EGLDisplay display, EGLContext context, const SurfaceRequest& request)
      : display_(display),
        context_(context),
        width_(request.width),
        height_(request.height),
        scale_(request.scale > 0 ? request.scale : 1.0f) {
    canvas_.find_functions([](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &colour_);
    glBindRenderbuffer(GL_RENDERBUFFER, colour_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width_, height_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
  }
  ~EglSurface() override {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &colour_);
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
    eglTerminate(display_);
  }
  bool complete() const { return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE; }

  bool headless() const override { return true; }
  int width() const override { return width_; }
  int height() const override { return height_; }
  float display_scale() const override { return scale_; }
  std::string renderer() const override { return canvas_.renderer(); }
  std::array<uint8_t, 16> device_uuid() const override { return canvas_.device_uuid(); }
  Result<Done> attach() override {
    canvas_.attach();
    return Done{};
  }
  void detach() override { canvas_.detach(); }
  void upload_fonts() override { canvas_.upload_fonts(); }

  bool wait(double timeout) override {
    std::unique_lock lock(mutex_);
    if (timeout > 0) {
      woken_.wait_for(lock, std::chrono::duration<double>(timeout), [this] { return pending_; });
    }
    return std::exchange(pending_, false);
  }
  void wake() override {
    {
      const std::lock_guard lock(mutex_);
      pending_ = true;
    }
    woken_.notify_one();
  }
  void begin_frame() override {
    canvas_.begin_frame();
    ImGui::GetIO().DisplaySize = ImVec2(float(width_), float(height_));
  }
  void draw(uint32_t background) override {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    canvas_.draw(background, width_, height_);
  }
  std::vector<uint32_t> pixels() override {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    return canvas_.pixels(width_, height_);
  }
  void present() override {}
  bool should_close() const override { return false; }
  void set_title(const std::string&) override {}
  ImageTarget make_image(uint32_t image_width, uint32_t image_height) override {
    return canvas_.make_image(image_width, image_height);
  }
  void release_image(ImageTarget& target) override { canvas_.release_image(target); }

 private:
  EGLDisplay display_;
  EGLContext context_;
  int width_, height_;
  float scale_;
  GLuint framebuffer_ = 0, colour_ = 0;
  GlCanvas canvas_;
  std::mutex mutex_;
  std::condition_variable woken_;
  bool pending_ = false;
};

}  // namespace

Result<std::unique_ptr<Surface>> make_egl_surface(const SurfaceRequest& request) {
  if (request.width < 1 || request.height < 1 || request.width > 16384 || request.height > 16384) {
    return Error{fmt::format("a picture of {} x {} pixels cannot be made", request.width, request.height),
                 Trouble::bad_input,
                 {},
                 "each side may have 1 to 16384 pixels"};
  }
  const Error no_egl{"no picture can be drawn: EGL is not usable here",
                     Trouble::unsupported,
                     {},
                     "Mesa's packages libegl1 and libgl1-mesa-dri are enough"};
  EGLDisplay display = open_display(request.cuda_device);
  if (display == EGL_NO_DISPLAY) return no_egl;
  eglBindAPI(EGL_OPENGL_API);
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint found = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &found) || found < 1)
    config = nullptr;  // EGL_NO_CONFIG_KHR
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               3,
                               EGL_CONTEXT_MINOR_VERSION,
                               3,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_NONE};
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
  if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) ||
      gladLoadGL(GLADloadfunc(eglGetProcAddress)) == 0) {
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    eglTerminate(display);
    return no_egl;
  }
  auto surface = std::make_unique<EglSurface>(display, context, request);
  if (!surface->complete()) {
    return Error{fmt::format("the driver makes no picture of {} x {} pixels", request.width, request.height),
                 Trouble::unsupported,
                 {},
                 {}};
  }
  return std::unique_ptr<Surface>(std::move(surface));
}

}  // namespace warpbook::platform
