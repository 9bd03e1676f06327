// A picture of 1024 x 1024 from launch to texture, without a copy and through the host: one JSON object with
// both ways' times. Draws off screen, by EGL. Exit 0 when the pictures are right, 1 when they are not, 4 when
// there is no GPU or no OpenGL.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

#include "device/cuda_device.h"
#include "platform/window.h"

using namespace warpbook;

namespace {

using Json = nlohmann::ordered_json;

/// pixels[i] = i * step + seed, whatever the picture's size.
constexpr const char* ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry paint(.param .u64 p_out, .param .u32 p_seed)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p_out];
  ld.param.u32 %r1, [p_seed];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r2, 256, %r3;
  mad.lo.u32 %r5, %r4, 2654435761, %r1;
  or.b32 %r5, %r5, -16777216;
  mul.wide.u32 %rd2, %r4, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r5;
  ret;
}
)";

int refuse(const Error& error) {
  fmt::print("{}\n", Json{{"trouble", error.message}}.dump());
  return 4;
}

template <class T>
KernelArgument argument(const char* name, T value) {
  KernelArgument made{name, std::vector<std::byte>(sizeof value)};
  std::memcpy(made.bytes.data(), &value, sizeof value);
  return made;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const bool small = argc > 1 && std::string(argv[1]) == "--small";
  const uint32_t size = small ? 64 : 1024;
  auto device = make_cuda_device();
  if (!device) return refuse(device.error());
  std::string why;
  SurfaceRequest request;
  request.headless = true;
  request.width = request.height = 64;
  // Drawn by the GPU that computes, where EGL offers it.
  for (const FoundGpu& gpu : find_gpus(why))
    if (gpu.uuid == (*device)->capabilities().uuid) request.cuda_device = gpu.number;
  auto surface = platform::make_surface(request);
  if (!surface) return refuse(surface.error());
  CompiledCode code;
  code.ptx = ptx;
  if (const auto loaded = (*device)->load(code); !loaded) return refuse(loaded.error());
  const auto pixels = (*device)->allocate(uint64_t(size) * size * 4, "pixels", 4);
  if (!pixels) return refuse(pixels.error());

  ImageTarget target = (*surface)->make_image(size, size);
  Json out;
  out["gpu"] = (*device)->capabilities().engine;
  out["opengl"] = (*surface)->renderer();
  out["same_gpu"] = (*surface)->device_uuid() == (*device)->capabilities().uuid;
  out["size"] = size;
  bool right = true;
  for (const auto& [name, way] : {std::pair("without_copy", ImageWay::without_copy),
                                  std::pair("through_host", ImageWay::through_host)}) {
    std::vector<double> whole, alone;
    Json part;
    for (uint32_t frame = 0; frame < (small ? 3u : 100u); ++frame) {
      const std::vector<KernelArgument> arguments{argument("out", *pixels), argument("seed", frame)};
      const auto start = std::chrono::steady_clock::now();
      const auto launched = (*device)->launch("paint", {{size * size / 256, 1, 1}, {256, 1, 1}}, arguments);
      if (!launched || launched->report.status != RunStatus::ok) {
        part["trouble"] = launched ? "the kernel failed" : launched.error().message;
        right = false;
        break;
      }
      const auto written = (*device)->write_image(target, *pixels, way);
      const double ms =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      if (!written) {
        part["trouble"] = written.error().message;  // a refusal is an answer, not a failure
        break;
      }
      part["way"] = written->way;
      whole.push_back(ms);
      alone.push_back(way == ImageWay::without_copy ? written->without_copy_ms.value_or(0)
                                                    : written->through_host_ms.value_or(0));
    }
    part["launch_to_texture_ms"] = median(whole);
    part["picture_ms"] = median(alone);
    part["frames"] = whole.size();
    part["below_one_frame"] = !whole.empty() && median(whole) < 16;
    out[name] = std::move(part);
  }
  (*device)->forget_image(target);
  (*surface)->release_image(target);
  fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
  return right ? 0 : 1;
}
