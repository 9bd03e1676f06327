// The emulator through the doors Device and Inspector, with PTX written here.
#include <cstring>

#include "catch.h"
#include "device/device.h"
#include "device/module_cache.h"

using namespace warpbook;

namespace {

/// out[i] = in[i] + addend for the threads of one block; and a kernel that counts its launches in a variable.
constexpr const char* ptx = R"(.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 launches = 5;
.visible .entry add(.param .u64 p_in, .param .u64 p_out, .param .u32 p_addend)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p_in];
  ld.param.u64 %rd2, [p_out];
  ld.param.u32 %r1, [p_addend];
  cvta.to.global.u64 %rd3, %rd1;
  cvta.to.global.u64 %rd4, %rd2;
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd6, %rd3, %rd5;
  add.s64 %rd7, %rd4, %rd5;
  ld.global.u32 %r3, [%rd6];
  add.s32 %r4, %r3, %r1;
  st.global.u32 [%rd7], %r4;
  ret;
}
.visible .entry _Z5countPj(.param .u64 p_out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p_out];
  cvta.to.global.u64 %rd2, %rd1;
  ld.global.u32 %r1, [launches];
  add.s32 %r2, %r1, 1;
  st.global.u32 [launches], %r2;
  st.global.u32 [%rd2], %r2;
  ret;
}
)";

GpuRow gpu() {
  GpuRow row;
  row.name = "test GPU", row.compute = "8.0", row.sms = 4;
  row.max_warps_per_sm = 64, row.max_blocks_per_sm = 32;
  row.shared_per_sm = 167936, row.shared_per_block_optin = 166912;
  return row;
}

CompiledCode code() {
  CompiledCode compiled;
  compiled.ptx = ptx;
  compiled.source_file = "kernel.cu";
  compiled.names = {{"count", "_Z5countPj"}};
  return compiled;
}

template <class T>
KernelArgument argument(std::string name, T value) {
  KernelArgument made;
  made.name = std::move(name);
  made.bytes.resize(sizeof value);
  std::memcpy(made.bytes.data(), &value, sizeof value);
  return made;
}

template <class T>
std::vector<T> read_back(Device& device, DeviceAddress from, size_t count) {
  std::vector<T> values(count);
  REQUIRE(device.copy_out(from, std::as_writable_bytes(std::span(values))).ok());
  return values;
}

}  // namespace

TEST_CASE("the emulated device runs a kernel from buffers to buffers") {
  const auto device = make_emulated_device(gpu());
  CHECK(device->capabilities().emulated);
  CHECK(device->capabilities().engine == "emulator");
  CHECK(device->capabilities().compute == "8.0");
  CHECK(device->capabilities().counters);
  REQUIRE(device->load(code()).ok());
  const auto kernels = device->kernels();
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "add");
  CHECK(kernels[0].parameters.size() == 3);

  std::vector<uint32_t> in(32);
  for (uint32_t i = 0; i < 32; ++i) in[i] = i * i;
  const auto a = device->allocate(128, "in", 4), b = device->allocate(128, "out", 4);
  REQUIRE(a.ok());
  REQUIRE(b.ok());
  REQUIRE(device->copy_in(*a, std::as_bytes(std::span(in))).ok());
  const std::vector<KernelArgument> arguments{argument("in", *a), argument("out", *b),
                                              argument("addend", 7u)};
  const Launch launch{{1, 1, 1}, {32, 1, 1}};
  const auto outcome = device->launch("add", launch, arguments);
  REQUIRE(outcome.ok());
  CHECK(outcome->report.status == RunStatus::ok);
  const auto out = read_back<uint32_t>(*device, *b, 32);
  for (uint32_t i = 0; i < 32; ++i) CHECK(out[i] == i * i + 7);

  CHECK(outcome->times.load_ms);
  CHECK(outcome->times.copy_in_ms);
  CHECK(outcome->times.emulator_ms);
  CHECK_FALSE(outcome->times.kernel_ms);  // the emulator's time is no GPU's
  CHECK_FALSE(outcome->times.copy_out_ms);
  CHECK(device->times().copy_out_ms);
}

TEST_CASE("the inspector counts and keeps the GPU's limits") {
  const auto device = make_emulated_device(gpu());
  REQUIRE(device->load(code()).ok());
  Inspector* inspector = device->inspector();
  REQUIRE(inspector != nullptr);
  const auto a = device->allocate(4096, "in", 4), b = device->allocate(4096, "out", 4);
  std::vector<uint32_t> zeros(1024);
  REQUIRE(device->copy_in(*a, std::as_bytes(std::span(zeros))).ok());
  const std::vector<KernelArgument> arguments{argument("in", *a), argument("out", *b),
                                              argument("addend", 1u)};
  RunOptions options;
  options.level = Level::measure;
  const auto counted = inspector->inspect("add", {{1, 1, 1}, {64, 1, 1}}, arguments, options);
  REQUIRE(counted.ok());
  CHECK(counted->report.counters.threads == 64);
  CHECK(counted->report.counters.global_load.requests == 2);
  CHECK(counted->report.counters.global_load.sectors == 8);

  GpuRow small = gpu();
  small.max_threads_per_block = 32;
  small.compute = "7.5";
  inspector->set_gpu(small);
  CHECK(device->capabilities().compute == "7.5");
  const auto refused = inspector->inspect("add", {{1, 1, 1}, {64, 1, 1}}, arguments, options);
  REQUIRE(refused.ok());
  CHECK(refused->report.status == RunStatus::launch_error);
  const bool known = inspector->instruction_set() == "avx2" || inspector->instruction_set() == "plain";
  CHECK(known);
}

TEST_CASE("loading again gives fresh variables, launches by source name, and parses once") {
  const auto device = make_emulated_device(gpu());
  const auto count_once = [&] {
    const auto out = device->allocate(4, "out", 4);
    REQUIRE(out.ok());
    const std::vector<KernelArgument> arguments{argument("out", *out)};
    const auto outcome = device->launch("count", {}, arguments);
    REQUIRE(outcome.ok());
    CHECK(outcome->report.status == RunStatus::ok);
    const uint32_t value = read_back<uint32_t>(*device, *out, 1)[0];
    REQUIRE(device->free(*out).ok());
    return value;
  };
  REQUIRE(device->load(code()).ok());
  CHECK(count_once() == 6);
  CHECK(count_once() == 7);
  REQUIRE(device->load(code()).ok());
  CHECK(count_once() == 6);

  ModuleCache modules(2);
  const auto first = modules.load(ptx);
  REQUIRE(first.ok());
  CHECK(modules.load(ptx).value() == *first);
  const auto text = [](int n) { return std::string(ptx) + "// " + std::to_string(n) + "\n"; };
  REQUIRE(modules.load(text(1)).ok());
  CHECK(modules.load(ptx).value() == *first);
  REQUIRE(modules.load(text(2)).ok());  // pushes out text 1, used longest ago
  CHECK(modules.load(ptx).value() == *first);
  REQUIRE(modules.load(text(1)).ok());
  REQUIRE(modules.load(text(2)).ok());
  CHECK(modules.load(ptx).value() != *first);
}

TEST_CASE("trouble with the engine is an error in words") {
  const auto device = make_emulated_device(gpu());
  CHECK(device->launch("add", {}, {}).error().trouble == Trouble::bad_input);
  CompiledCode broken = code();
  broken.ptx = ".version 8.0\n.target sm_80\n.visible .entry k( {";
  CHECK_FALSE(device->load(broken).ok());
  CHECK(device->kernels().empty());
  REQUIRE(device->load(code()).ok());
  const auto unknown = device->launch("subtract", {}, {});
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().trouble == Trouble::not_found);
  CHECK(unknown.error().hint.find("add") != std::string::npos);
  device->reset();
  CHECK(device->kernels().empty());
  CHECK_FALSE(device->launch("add", {}, {}).ok());
}

TEST_CASE("a picture goes to the target's upload by way of the host") {
  struct Shown {
    std::vector<uint32_t> pixels;
  } shown;
  ImageTarget target;
  target.width = 4, target.height = 2, target.owner = &shown;
  const auto device = make_emulated_device(gpu());
  const auto image = device->allocate(32, "image", 4);
  REQUIRE(image.ok());
  CHECK_FALSE(device->write_image(target, *image).ok());
  target.upload = [](void* owner, const ImageTarget& to, const uint32_t* pixels) {
    static_cast<Shown*>(owner)->pixels.assign(pixels, pixels + to.width * to.height);
  };
  const std::vector<uint32_t> pixels{1, 2, 3, 4, 5, 6, 7, 8};
  REQUIRE(device->copy_in(*image, std::as_bytes(std::span(pixels))).ok());
  REQUIRE(device->write_image(target, *image).ok());
  CHECK(shown.pixels == pixels);
  target.height = 3;
  CHECK_FALSE(device->write_image(target, *image).ok());  // more than the buffer holds
}
