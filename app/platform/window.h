#pragma once
// The two back-ends behind Surface: a GLFW window, and a picture in memory by EGL that needs no display.
#include <memory>

#include "base/result.h"
#include "result/surface.h"

namespace warpbook::platform {

/// A window, or the picture in memory when the request is headless. OpenGL 3.3 core.
Result<std::unique_ptr<Surface>> make_surface(const SurfaceRequest& request);

Result<std::unique_ptr<Surface>> make_glfw_surface(const SurfaceRequest& request);
Result<std::unique_ptr<Surface>> make_egl_surface(const SurfaceRequest& request);

/// Whether a window could be opened at all: DISPLAY or WAYLAND_DISPLAY is set.
bool have_display();

}  // namespace warpbook::platform
