// The window on a desktop, by GLFW. One window a process, as GLFW's own state is global.
#define GLFW_INCLUDE_NONE  // glad declares OpenGL
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "platform/gl_canvas.h"
#include "platform/key_queue.h"
#include "platform/window.h"

namespace warpbook::platform {

namespace {

std::string last_glfw_error() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words ? words : "no reason given";
}

class GlfwSurface : public Surface {
 public:
  GlfwSurface(GLFWwindow* window, float scale) : window_(window), scale_(scale) {
    canvas_.find_functions(
        [](const char* name) { return reinterpret_cast<void*>(glfwGetProcAddress(name)); });
  }

  ~GlfwSurface() override {
    if (window_) glfwDestroyWindow(window_);
    glfwTerminate();
  }

  bool headless() const override { return false; }
  int width() const override { return size().first; }
  int height() const override { return size().second; }
  float display_scale() const override { return scale_; }
  std::string renderer() const override { return canvas_.renderer(); }
  std::array<uint8_t, 16> device_uuid() const override { return canvas_.device_uuid(); }

  Result<Done> attach() override {
    if (!ImGui_ImplGlfw_InitForOpenGL(window_, false)) {
      return Error{"the window's input could not be set up", Trouble::unsupported, {}, {}};
    }
    install_callbacks();
    canvas_.attach();
    return Done{};
  }
  void detach() override {
    canvas_.detach();
    ImGui_ImplGlfw_Shutdown();
  }
  void upload_fonts() override { canvas_.upload_fonts(); }

  bool wait(double timeout) override {
    // A hidden window has no picture to draw: it sleeps until something happens to it.
    if (timeout <= 0 || !keys_.empty()) {
      glfwPollEvents();
      stirred_ = woken_ = false;
      return true;
    }
    glfwWaitEventsTimeout(timeout);
    // Not by the clock: on a busy machine an event may be taken after the time is over, and a click that no
    // frame follows is lost.
    const bool woken = woken_.exchange(false);
    return std::exchange(stirred_, false) || woken;
  }
  void wake() override {
    woken_ = true;
    glfwPostEmptyEvent();
  }

  void begin_frame() override {
    canvas_.begin_frame();
    keys_.play_frame([this](const KeyEvent& event) {
      if (event.kind == KeyEvent::Kind::character) {
        ImGui_ImplGlfw_CharCallback(window_, event.code_point);
      } else {
        const int action = event.kind == KeyEvent::Kind::press ? GLFW_PRESS : GLFW_RELEASE;
        ImGui_ImplGlfw_KeyCallback(window_, event.key, event.scancode, action, event.modifiers);
      }
    });
    ImGui_ImplGlfw_NewFrame();
    const auto [pixels_wide, pixels_high] = size();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(float(pixels_wide), float(pixels_high));
    io.DisplayFramebufferScale = ImVec2(1, 1);
  }
  void draw(uint32_t background) override {
    const auto [pixels_wide, pixels_high] = size();
    canvas_.draw(background, pixels_wide, pixels_high);
  }
  std::vector<uint32_t> pixels() override {
    const auto [pixels_wide, pixels_high] = size();
    return canvas_.pixels(pixels_wide, pixels_high);
  }
  void present() override { glfwSwapBuffers(window_); }

  bool should_close() const override { return glfwWindowShouldClose(window_) != 0; }
  void set_title(const std::string& title) override { glfwSetWindowTitle(window_, title.c_str()); }
  ImageTarget make_image(uint32_t image_width, uint32_t image_height) override {
    return canvas_.make_image(image_width, image_height);
  }
  void release_image(ImageTarget& target) override { canvas_.release_image(target); }

 private:
  static GlfwSurface& self(GLFWwindow* window) {
    return *static_cast<GlfwSurface*>(glfwGetWindowUserPointer(window));
  }

  // The mouse goes to ImGui's back-end at once (it remembers clicks between frames), keys go through the
  // queue.
  void install_callbacks() {
    glfwSetWindowUserPointer(window_, this);
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* window, int focused) {
      self(window).stirred_ = true;
      ImGui_ImplGlfw_WindowFocusCallback(window, focused);
    });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* window, int entered) {
      self(window).stirred_ = true;
      ImGui_ImplGlfw_CursorEnterCallback(window, entered);
    });
    glfwSetCursorPosCallback(window_,
                             [](GLFWwindow* window, double, double) { self(window).stirred_ = true; });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int button, int action, int modifiers) {
      self(window).stirred_ = true;
      ImGui_ImplGlfw_MouseButtonCallback(window, button, action, modifiers);
    });
    glfwSetScrollCallback(window_, [](GLFWwindow* window, double across, double down) {
      self(window).stirred_ = true;
      ImGui_ImplGlfw_ScrollCallback(window, across, down);
    });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { self(window).stirred_ = true; });
    glfwSetFramebufferSizeCallback(window_,
                                   [](GLFWwindow* window, int, int) { self(window).stirred_ = true; });
    glfwSetWindowCloseCallback(window_, [](GLFWwindow* window) { self(window).stirred_ = true; });
    glfwSetMonitorCallback(ImGui_ImplGlfw_MonitorCallback);
    glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int scancode, int action, int modifiers) {
      self(window).stirred_ = true;
      if (key < 0 || action == GLFW_REPEAT) return;  // ImGui repeats by itself
      const bool modifier = key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER;
      const auto kind = action == GLFW_PRESS ? KeyEvent::Kind::press : KeyEvent::Kind::release;
      const bool shift = key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT;
      // Space also presses buttons, so it has to be seen as a key.
      const bool text = key > GLFW_KEY_SPACE && key <= GLFW_KEY_WORLD_2 &&
                        (modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) == 0;
      self(window).keys_.push({kind, key, scancode, modifiers, modifier, shift, text, 0});
    });
    glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned code_point) {
      self(window).stirred_ = true;
      self(window).keys_.push({KeyEvent::Kind::character, 0, 0, 0, false, false, false, code_point});
    });
  }

  std::pair<int, int> size() const {
    int pixels_wide = 0, pixels_high = 0;
    glfwGetFramebufferSize(window_, &pixels_wide, &pixels_high);
    return {pixels_wide, pixels_high};
  }

  GLFWwindow* window_ = nullptr;
  float scale_ = 1;
  GlCanvas canvas_;
  KeyQueue keys_;
  bool stirred_ = false;            ///< something happened to the window since the last wait
  std::atomic<bool> woken_{false};  ///< by wake(), from any thread
};

/// The wished size, at most what the first monitor leaves for windows: where no window manager trims it, a
/// part of a larger window could never be seen.
std::pair<int, int> fitting(int width, int height) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (!monitor) return {width, height};
  int left = 0, top = 0, wide = 0, high = 0;
  glfwGetMonitorWorkarea(monitor, &left, &top, &wide, &high);
  return {wide > 0 ? std::min(width, wide) : width, high > 0 ? std::min(height, high) : height};
}

}  // namespace

Result<std::unique_ptr<Surface>> make_glfw_surface(const SurfaceRequest& request) {
  glfwSetErrorCallback(nullptr);
  if (!glfwInit()) {
    return Error{
        fmt::format("no window can be opened here: {}", last_glfw_error()),
        Trouble::unsupported,
        {},
        "without a display, warpbook --headless --lesson SLUG --screenshot FILE.png draws the same page"};
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "warpbook");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "warpbook");
  const auto [width, height] = fitting(request.width, request.height);
  GLFWwindow* window = glfwCreateWindow(width, height, request.title.c_str(), nullptr, nullptr);
  if (!window) {
    const std::string reason = last_glfw_error();
    glfwTerminate();
    return Error{fmt::format("the window could not be opened: {}", reason),
                 Trouble::unsupported,
                 {},
                 "OpenGL 3.3 is needed; Mesa's software renderer has it: LIBGL_ALWAYS_SOFTWARE=1 warpbook"};
  }
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  if (gladLoadGL(glfwGetProcAddress) == 0) {
    glfwDestroyWindow(window);
    glfwTerminate();
    return Error{"the display driver offers no OpenGL 3.3", Trouble::unsupported, {}, {}};
  }
  float scale = request.scale;
  if (scale <= 0) {
    float across = 1, down = 1;
    glfwGetWindowContentScale(window, &across, &down);
    scale = across > 0 && std::isfinite(across) ? across : 1.0f;
  }
  const int side = int(std::lround(std::sqrt(double(request.icon.size()))));
  if (side > 0 && size_t(side) * size_t(side) == request.icon.size()) {
    std::vector<uint32_t> copy = request.icon;  // GLFW asks for a pointer that may be written
    const GLFWimage image{side, side, reinterpret_cast<unsigned char*>(copy.data())};
    glfwSetWindowIcon(window, 1, &image);
  }
  return std::unique_ptr<Surface>(std::make_unique<GlfwSurface>(window, scale));
}

bool have_display() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  };
  return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

Result<std::unique_ptr<Surface>> make_surface(const SurfaceRequest& request) {
  // Mesa maps the file of its shader cache: when the disk is full, the first write to it ends the process
  // (SIGBUS). Our few shaders compile in no time. Who sets the variables keeps what they set.
  for (const char* name : {"MESA_SHADER_CACHE_DISABLE", "MESA_GLSL_CACHE_DISABLE"}) setenv(name, "true", 0);
  return request.headless ? make_egl_surface(request) : make_glfw_surface(request);
}

}  // namespace warpbook::platform
