// Pictures from the GPU to textures: the order that the driver demands, both ways, and what is said when the
// way without a copy is refused.
#include "device/standin.h"

using namespace warpbook;
using namespace warpbook::gpu_code;

namespace {

struct Shown {
  std::vector<uint32_t> pixels;
  int unpacked = 0;
};

ImageTarget target_of(Shown& shown, uint64_t handle, uint32_t width = 4, uint32_t height = 2) {
  ImageTarget target;
  target.handle = handle, target.width = width, target.height = height, target.owner = &shown;
  target.upload = [](void* owner, const ImageTarget& to, const uint32_t* pixels) {
    static_cast<Shown*>(owner)->pixels.assign(pixels, pixels + to.width * to.height);
  };
  return target;
}

struct Ready {
  StandIn standin;
  std::unique_ptr<Device> device;
  DeviceAddress image = 0;
  std::vector<uint32_t> pixels{1, 2, 3, 4, 5, 6, 7, 0xff00ff00};
  Ready() {
    auto made = make_cuda_device();
    REQUIRE(made.ok());
    device = std::move(*made);
    const auto address = device->allocate(32, "image", 4);
    REQUIRE(address.ok());
    image = *address;
    REQUIRE(device->copy_in(image, std::as_bytes(std::span(pixels))).ok());
  }
};

}  // namespace

TEST_CASE("a picture reaches its texture without the host, registered once") {
  Ready ready;
  Shown shown;
  const ImageTarget target = target_of(shown, 5);
  for (int frame = 0; frame < 3; ++frame) {
    const auto outcome = ready.device->write_image(target, ready.image);
    REQUIRE(outcome.ok());
    CHECK(outcome->way == "texture");
    CHECK(outcome->why_host.empty());
    CHECK(outcome->without_copy_ms);
    CHECK_FALSE(outcome->through_host_ms);
  }
  CHECK(shown.pixels.empty());
  CHECK(ready.standin.texture(5, 8) == ready.pixels);
  CHECK(ready.standin.calls("cuGraphicsGLRegisterImage") == 1);
  CHECK(ready.standin.calls("cuGraphicsMapResources") == 3);
  CHECK(ready.standin.calls("cuGraphicsUnmapResources") == 3);

  const auto host = ready.device->write_image(target, ready.image, ImageWay::through_host);
  REQUIRE(host.ok());
  CHECK(host->way == "host copy");
  CHECK(host->without_copy_ms);  // both costs, to compare
  CHECK(host->through_host_ms);
  CHECK(shown.pixels == ready.pixels);

  ready.device->forget_image(target);
  CHECK(ready.standin.calls("cuGraphicsUnregisterResource") == 1);
  ready.device.reset();
  CHECK(ready.standin.misuse() == "");
  CHECK(ready.standin.leaks() == "");
}

TEST_CASE("two textures at once, a new size, and a handle that GL gave out again are each registered") {
  Ready ready;
  Shown shown;
  ImageTarget one = target_of(shown, 5), two = target_of(shown, 6, 2, 4);
  for (const ImageTarget& target : {one, two, one, two}) {
    const auto outcome = ready.device->write_image(target, ready.image);
    REQUIRE(outcome.ok());
    CHECK(outcome->way == "texture");
  }
  CHECK(ready.standin.calls("cuGraphicsGLRegisterImage") == 2);
  one.width = 2, one.height = 2;  // resized: the registration of before goes
  CHECK(ready.device->write_image(one, ready.image).ok());
  CHECK(ready.standin.calls("cuGraphicsUnregisterResource") == 1);
  CHECK(ready.standin.texture(5, 4) == std::vector<uint32_t>{1, 2, 3, 4});
  one.generation = 1;  // the context was lost and made anew
  CHECK(ready.device->write_image(one, ready.image).ok());
  CHECK(ready.standin.calls("cuGraphicsUnregisterResource") == 2);
  CHECK(ready.standin.misuse() == "");
}

TEST_CASE("where OpenGL is drawn by something else the host copy serves, and says why") {
  Ready ready;
  Shown shown;
  for (const auto& [who, word] : {std::pair("none", "not drawn by an NVIDIA GPU"),
                                  std::pair("other", "something else than this GPU")}) {
    const Setting gl("STANDIN_GL", who);
    shown.pixels.clear();
    const ImageTarget target = target_of(shown, who == std::string("none") ? 7 : 8);
    const auto outcome = ready.device->write_image(target, ready.image);
    REQUIRE(outcome.ok());
    CHECK(outcome->way == "host copy");
    CHECK(outcome->why_host.find(word) != std::string::npos);
    CHECK(shown.pixels == ready.pixels);
    const auto demanded = ready.device->write_image(target, ready.image, ImageWay::without_copy);
    REQUIRE_FALSE(demanded.ok());
    CHECK(demanded.error().message == outcome->why_host);
  }
  CHECK(ready.standin.calls("cuGraphicsGLRegisterImage") == 0);
  CHECK(ready.standin.misuse() == "");
}

TEST_CASE("a driver that shares buffers but no textures fills the pixel buffer") {
  Ready ready;
  Shown shown;
  ImageTarget target = target_of(shown, 9);
  target.pixel_buffer = 11;
  target.unpack = [](void* owner, const ImageTarget&) { ++static_cast<Shown*>(owner)->unpacked; };
  const Setting fail("STANDIN_FAIL", "cuGraphicsGLRegisterImage:0:801");
  const auto outcome = ready.device->write_image(target, ready.image);
  REQUIRE(outcome.ok());
  CHECK(outcome->way == "pixel buffer");
  CHECK(shown.unpacked == 1);
  CHECK(ready.standin.texture(11, 8) == ready.pixels);
  CHECK(ready.standin.misuse() == "");
}

TEST_CASE("a refusal in the middle gives the texture back and goes through the host") {
  for (const char* entry : {"cuGraphicsMapResources", "cuGraphicsSubResourceGetMappedArray",
                            "cuMemcpy2DAsync_v2", "cuGraphicsUnmapResources"}) {
    INFO(entry);
    Ready ready;
    Shown shown;
    const ImageTarget target = target_of(shown, 5);
    const Setting fail("STANDIN_FAIL", std::string(entry) + ":1:999");
    const auto outcome = ready.device->write_image(target, ready.image);
    REQUIRE(outcome.ok());
    CHECK(outcome->way == "host copy");
    CHECK_FALSE(outcome->why_host.empty());
    CHECK(shown.pixels == ready.pixels);
    CHECK(ready.standin.misuse() == "");
  }
  Ready ready;
  Shown shown;
  CHECK_FALSE(ready.device->write_image(target_of(shown, 5, 4, 3), ready.image).ok());  // more than there is
}
