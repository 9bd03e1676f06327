// A kernel's picture in a real OpenGL texture (Mesa, off screen), by the way without a copy and by the host:
// the stand-in driver fills the registered texture by real OpenGL, so the pixels must be right.
#include "device/standin.h"
#include "platform/window.h"
#include "support/texture.h"

using namespace warpbook;
using namespace warpbook::gpu_code;

namespace {

std::vector<uint32_t> pattern(size_t count, uint32_t seed) {
  std::vector<uint32_t> pixels(count);
  for (size_t i = 0; i < count; ++i) pixels[i] = (uint32_t(i) * 2654435761u + seed) | 0xff000000u;
  return pixels;
}

DeviceAddress put(Device& device, const std::vector<uint32_t>& pixels) {
  const auto address = device.allocate(pixels.size() * 4, "pixels", 4);
  REQUIRE(address.ok());
  REQUIRE(device.copy_in(*address, std::as_bytes(std::span(pixels))).ok());
  return *address;
}

}  // namespace

TEST_CASE("pictures of a GPU are right in real textures by both ways, in two targets and after a resize") {
  SurfaceRequest request;
  request.headless = true;
  request.width = request.height = 64;
  auto made = platform::make_surface(request);
  if (!made) {
    WARN("no off-screen OpenGL here: " << made.error().message);
    return;
  }
  Surface& surface = **made;
  StandIn standin;
  auto device = make_cuda_device();
  REQUIRE(device.ok());
  ImageTarget one = surface.make_image(32, 16), two = surface.make_image(8, 8);
  const auto first = pattern(32 * 16, 1), second = pattern(8 * 8, 2), third = pattern(16 * 16, 3);
  const DeviceAddress at_first = put(**device, first), at_second = put(**device, second),
                      at_third = put(**device, third);
  const auto show = [&](const ImageTarget& target, DeviceAddress from, ImageWay way) {
    const auto outcome = (*device)->write_image(target, from, way);
    INFO((outcome ? outcome->why_host : outcome.error().message));
    REQUIRE(outcome.ok());
    return outcome->way;
  };
  CHECK(show(one, at_first, ImageWay::automatic) == "texture");
  CHECK(show(two, at_second, ImageWay::without_copy) == "texture");
  CHECK(in_texture(one) == first);
  CHECK(in_texture(two) == second);
  const auto other = pattern(32 * 16, 9);
  REQUIRE((*device)->copy_in(at_first, std::as_bytes(std::span(other))).ok());
  CHECK(show(one, at_first, ImageWay::through_host) == "host copy");
  CHECK(in_texture(one) == other);

  (*device)->forget_image(one);
  surface.release_image(one);
  one = surface.make_image(16, 16);
  CHECK(show(one, at_third, ImageWay::automatic) == "texture");
  CHECK(in_texture(one) == third);
  {
    const Setting fail("STANDIN_FAIL", "cuGraphicsMapResources:0:999");
    ImageTarget refused = surface.make_image(8, 8);
    CHECK(show(refused, at_second, ImageWay::automatic) == "host copy");
    CHECK(in_texture(refused) == second);
    (*device)->forget_image(refused);
    surface.release_image(refused);
  }
  (*device)->forget_image(one);
  (*device)->forget_image(two);
  surface.release_image(one);
  surface.release_image(two);
  device->reset();
  CHECK(standin.misuse() == "");
  CHECK(standin.leaks() == "");
}
