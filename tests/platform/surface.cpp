// What making a window or an off-screen surface does to the process around it.
#include <cstdlib>
#include <string_view>

#include "catch.h"
#include "platform/window.h"

using namespace warpbook;

TEST_CASE("Mesa keeps no cache file that a full disk could make fatal, unless the user asked for one") {
  SurfaceRequest request;
  request.headless = true;
  request.width = request.height = 16;
  unsetenv("MESA_SHADER_CACHE_DISABLE");
  setenv("MESA_GLSL_CACHE_DISABLE", "false", 1);
  { const auto made = platform::make_surface(request); }
  const char* disabled = std::getenv("MESA_SHADER_CACHE_DISABLE");
  REQUIRE(disabled);
  CHECK(std::string_view(disabled) == "true");
  CHECK(std::string_view(std::getenv("MESA_GLSL_CACHE_DISABLE")) == "false");
  unsetenv("MESA_GLSL_CACHE_DISABLE");
}
