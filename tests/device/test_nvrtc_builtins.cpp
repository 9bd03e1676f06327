// NVRTC's builtins are open before it asks for them by name: in the wheels it does not look beside itself.
#include <fstream>
#include <iterator>

#include "catch.h"
#include "device/compiler_fixture.h"
#include "device/nvrtc.h"
#include "device/nvrtc_place.h"

using namespace warpbook;

TEST_CASE("NVRTC's builtins of the same folder are open as soon as it is loaded") {
  const CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const std::string library = fixture.compiler->place().library;
  const std::vector<Path> beside = builtins_beside(library);
  if (beside.empty()) {
    WARN("not tested: there are no builtins beside " << library);
    return;
  }
  // The kernel's list of what is mapped has no size, so it is read to its end.
  const auto mapped = [] {
    std::ifstream maps("/proc/self/maps");
    return std::string(std::istreambuf_iterator<char>(maps), {});
  };
  const auto nvrtc = Nvrtc::load(library);
  REQUIRE(nvrtc.ok());
  CHECK(mapped().find(std::filesystem::canonical(beside.front()).string()) != std::string::npos);
}
