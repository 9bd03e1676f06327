// A GPU behind the Device door, with the stand-in driver: what it does, in which order, and what it says.
#include "device/cuda_gpus.h"
#include "device/cuda_module.h"
#include "device/standin.h"

using namespace warpbook;
using namespace warpbook::gpu_code;

namespace {

std::unique_ptr<Device> made(const CudaOptions& options = {}) {
  auto device = make_cuda_device(options);
  INFO((device ? "" : device.error().message));
  REQUIRE(device.ok());
  return std::move(*device);
}

}  // namespace

TEST_CASE("a GPU runs a kernel from buffers to buffers, is timed, and leaves nothing behind") {
  StandIn standin;
  {
    const auto device = made();
    const Capabilities& c = device->capabilities();
    CHECK_FALSE(c.emulated);
    CHECK(c.engine == "Stand-in GPU 0");
    CHECK(c.compute == "9.0");
    CHECK(c.cuda_version == "13.0");
    CHECK(c.memory_bytes == 1u << 30);
    CHECK(c.interop);
    CHECK_FALSE(c.counters);
    CHECK_FALSE(c.why_no_counters.empty());
    CHECK(cuda::attribute_of(c.attributes, "shared_bytes_per_block_optin", 0) == 232448);
    CHECK(standin.calls("cuDevicePrimaryCtxRetain") == 0);  // the context comes with the first load

    const auto added = add_once(*device, 7);
    INFO((added ? "" : added.error().message));
    REQUIRE(added.ok());
    CHECK(device->times().load_ms);
    CHECK(device->times().copy_in_ms);
    CHECK(device->times().copy_out_ms);

    const auto a = device->allocate(128, "in", 4), b = device->allocate(128, "out", 4);
    REQUIRE(b.ok());
    std::vector<std::byte> raw(128);
    REQUIRE(device->copy_out(*b, raw).ok());
    CHECK(raw[5] == std::byte(0xCD));  // poisoned, as on the emulator
    const std::vector<KernelArgument> arguments{argument("in", *a), argument("out", *b), argument("n", 1u)};
    const auto outcome = device->launch("add", one_warp, arguments);
    REQUIRE(outcome.ok());
    CHECK(outcome->times.kernel_ms);
    CHECK(outcome->times.stamp == "measured (Stand-in GPU 0)");
  }
  CHECK(standin.misuse() == "");
  CHECK(standin.leaks() == "");
}

TEST_CASE("measuring repeats a launch on the same data, warm or cold, and says what it could not do") {
  StandIn standin;
  const auto device = made();
  REQUIRE(device->load(compiled()).ok());
  const auto out = device->allocate(128, "out", 4);
  REQUIRE(out.ok());
  std::vector<uint32_t> zeros(32);
  REQUIRE(device->copy_in(*out, std::as_bytes(std::span(zeros))).ok());
  const std::vector<KernelArgument> arguments{argument("out", *out)};
  const auto warm = device->measure("grow", one_warp, arguments, {2, 5, 10, false});
  REQUIRE(warm.ok());
  CHECK(warm->repeats == 5);
  CHECK(warm->warm_ups == 2);
  CHECK(warm->low_ms <= warm->median_ms);
  CHECK(warm->median_ms <= warm->high_ms);
  CHECK_FALSE(warm->cold_l2);
  CHECK(warm->launch_us);
  std::vector<uint32_t> after(32);
  REQUIRE(device->copy_out(*out, std::as_writable_bytes(std::span(after))).ok());
  CHECK(after == std::vector<uint32_t>(32, 1));  // put back before each launch
  const int fills = standin.calls("cuMemsetD8Async");
  const auto cold = device->measure("grow", one_warp, arguments, {1, 4, 10, true});
  REQUIRE(cold.ok());
  CHECK(cold->cold_l2);
  CHECK(standin.calls("cuMemsetD8Async") == fills + 5);
  const auto short_of_time = device->measure("grow", one_warp, arguments, {0, 1000000, 0.01, false});
  REQUIRE(short_of_time.ok());
  CHECK(short_of_time->repeats < 1000000);
  CHECK_FALSE(short_of_time->note.empty());
  CHECK(standin.misuse() == "");
}

TEST_CASE("a kernel's fault on the GPU is a diagnosis, and the next load works in a fresh context") {
  StandIn standin;
  struct Row {
    const char *kernel, *kind, *word;
  };
  const auto device = made();
  for (const Row& row : {Row{"wide", "gpu-fault", "address"}, Row{"odd", "gpu-fault", "multiple"},
                         Row{"trap", "trap", "trap"}}) {
    INFO(row.kernel);
    const auto outcome = run_one(*device, row.kernel);
    REQUIRE(outcome.ok());
    CHECK(outcome->report.status == RunStatus::fault);
    REQUIRE(outcome->report.diagnostics.size() == 1);
    CHECK(outcome->report.diagnostics[0].kind == row.kind);
    CHECK(outcome->report.diagnostics[0].message.find(row.word) != std::string::npos);
    std::vector<std::byte> bytes(16);
    CHECK_FALSE(device->copy_out(0x1000, bytes).ok());  // what was there is gone
    CHECK_FALSE(device->launch("add", one_warp, {}).ok());
    CHECK(add_once(*device, 3).ok());
  }
  CHECK(standin.misuse() == "");
}

TEST_CASE("a kernel that never ends is given up, and the GPU with it for this process") {
  StandIn standin;
  CudaOptions options;
  options.max_time = std::chrono::milliseconds(50);
  auto device = made(options);
  const auto outcome = run_one(*device, "spin");
  REQUIRE(outcome.ok());
  CHECK(outcome->report.status == RunStatus::limit);
  CHECK(outcome->report.diagnostics[0].message.find("did not end") != std::string::npos);
  const auto again = device->load(compiled());
  REQUIRE_FALSE(again.ok());
  CHECK(again.error().message.find("did not end") != std::string::npos);
  CHECK_FALSE(again.error().hint.empty());
  device.reset();                 // touches nothing that would wait for the kernel
  CHECK(standin.misuse() == "");  // the stand-in would have said so
}

TEST_CASE("a running kernel can be cancelled") {
  StandIn standin;
  auto device = made();
  REQUIRE(device->load(compiled()).ok());
  const auto out = device->allocate(128, "out", 4);
  const std::vector<KernelArgument> arguments{argument("out", *out)};
  const std::atomic<bool> stop{true};
  const auto outcome = device->launch("spin", one_warp, arguments, &stop);
  REQUIRE(outcome.ok());
  CHECK(outcome->report.status == RunStatus::cancelled);
  device.reset();
  CHECK(standin.misuse() == "");
}

TEST_CASE("launches that no GPU takes are refused in the words of the emulator") {
  StandIn standin;
  const auto device = made();
  Launch large = one_warp;
  large.block = {2048, 1, 1};
  auto outcome = run_one(*device, "spin", large);
  REQUIRE(outcome.ok());
  CHECK(outcome->report.status == RunStatus::launch_error);
  CHECK(outcome->report.diagnostics[0].kind == "block-too-large");
  CHECK(standin.calls("cuLaunchKernel") == 0);

  Launch shared = one_warp;
  shared.shared_bytes = 60000;
  outcome = run_one(*device, "shared", shared);
  REQUIRE(outcome.ok());
  CHECK(outcome->report.diagnostics[0].kind == "shared-too-large");
  shared.shared_optin = true;
  outcome = run_one(*device, "shared", shared);
  REQUIRE(outcome.ok());
  CHECK(outcome->report.status == RunStatus::ok);
  CHECK(standin.calls("cuFuncSetAttribute") == 1);

  const auto few = device->launch("add", one_warp, {});
  REQUIRE_FALSE(few.ok());
  CHECK(few.error().message.find("3 arguments") != std::string::npos);
  const auto unknown = device->launch("subtract", one_warp, {});
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().hint.find("add") != std::string::npos);
  CHECK(standin.misuse() == "");
}

TEST_CASE("a driver older than the PTX gets it lowered, and is told about when that does not help") {
  StandIn standin;
  CHECK(cuda::ptx_version_of(13000) == 90);
  CHECK(cuda::ptx_version_of(12065) == 85);
  CHECK(cuda::ptx_version_of(10000) == 0);
  CHECK(cuda::ptx_version_in(".version 8.3\n") == 83);
  CHECK(cuda::with_ptx_version("// x\n.version 9.0\n.target sm_80", 84) ==
        "// x\n.version 8.4\n.target sm_80");
  const Setting ptx_version("STANDIN_PTX", "74"), cuda_version("STANDIN_CUDA", "11040");
  {
    const auto device = made();
    const auto loaded = device->load(compiled());
    INFO((loaded ? "" : loaded.error().message));
    REQUIRE(loaded.ok());
    CHECK(device->times().load_note.find("from version 8.0 to 7.4") != std::string::npos);
    CHECK(add_once(*device, 1).ok());
  }
  const Setting older("STANDIN_PTX", "60");
  const auto device = made();
  const auto refused = device->load(compiled());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("newer than the driver") != std::string::npos);
  CHECK(refused.error().hint.find("update the NVIDIA driver") != std::string::npos);
}

TEST_CASE("code that the driver refuses comes with the driver's own words") {
  StandIn standin;
  const auto device = made();
  {
    const Setting old_gpu("STANDIN_COMPUTE", "7.5");
    const auto other = made();
    const auto refused = other->load(compiled());
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message.find("another GPU architecture") != std::string::npos);
  }
  CompiledCode broken = compiled();
  broken.ptx = ".version 8.0\n.target sm_80\n.visible .entry k( {";
  CHECK_FALSE(device->load(broken).ok());
  CHECK(device->kernels().empty());
  CHECK(add_once(*device, 2).ok());
}

TEST_CASE("a GPU is chosen by number, UUID or name, and drawing GPUs are found by UUID") {
  StandIn standin;
  const Setting two("STANDIN_DEVICES", "2");
  const auto driver = cuda::Driver::open();
  REQUIRE(driver.ok());
  const auto gpus = cuda::gpus_of(**driver);
  REQUIRE(gpus.ok());
  REQUIRE(gpus->size() == 2);
  const auto name_of = [&](const std::string& wanted) {
    const auto gpu = cuda::choose_gpu(*gpus, wanted);
    return gpu ? gpu->name : "refused: " + gpu.error().hint;
  };
  CHECK(name_of("") == "Stand-in GPU 0");
  CHECK(name_of("1") == "Stand-in GPU 1");
  CHECK(name_of("gpu 1") == "Stand-in GPU 1");
  CHECK(name_of(uuid_text((*gpus)[1].uuid)) == "Stand-in GPU 1");
  CHECK(name_of("GPU-20212223") == "Stand-in GPU 1");
  CHECK(name_of("7").find("1 (Stand-in GPU 1)") != std::string::npos);
  CHECK(cuda::gpu_with(*gpus, (*gpus)[1].uuid) == 1);
  CHECK(cuda::gpu_with(*gpus, {}) == -1);
  CudaOptions options;
  options.gpu = "1";
  CHECK(made(options)->capabilities().engine == "Stand-in GPU 1");
  options.gpu = "2";
  CHECK_FALSE(make_cuda_device(options).ok());
}

TEST_CASE("without a driver, with an old one or without a GPU the reason is a sentence") {
  {
    const Setting none("WARPBOOK_CUDA_DRIVER", "/nowhere/libcuda.so.1");
    const auto device = make_cuda_device();
    REQUIRE_FALSE(device.ok());
    CHECK(device.error().message == "No NVIDIA driver is installed (/nowhere/libcuda.so.1 was not found).");
  }
  {
    // Some library that is no driver.
    const Setting other("WARPBOOK_CUDA_DRIVER", "libm.so.6");
    const auto device = make_cuda_device();
    REQUIRE_FALSE(device.ok());
    CHECK(device.error().message.find("too old") != std::string::npos);
  }
  StandIn standin;
  const Setting none("STANDIN_DEVICES", "0");
  const auto device = make_cuda_device();
  REQUIRE_FALSE(device.ok());
  CHECK(device.error().message == "The NVIDIA driver sees no GPU in this machine.");
}

TEST_CASE("two devices on one GPU and buffers at their bounds do not disturb each other") {
  StandIn standin;
  {
    const auto one = made(), two = made();
    CHECK(add_once(*one, 1).ok());
    CHECK(add_once(*two, 2).ok());
    const auto address = one->allocate(16, "small", 1);
    REQUIRE(address.ok());
    std::vector<std::byte> bytes(17);
    CHECK_FALSE(one->copy_in(*address, bytes).ok());
    CHECK_FALSE(one->copy_out(*address + 16, std::span(bytes).first(1)).ok());
    CHECK(one->copy_in(*address + 8, std::span(bytes).first(8)).ok());
    CHECK_FALSE(two->copy_in(*address, std::span(bytes).first(1)).ok());  // not its own
    CHECK(one->free(*address).ok());
    CHECK_FALSE(one->free(*address).ok());
    CudaOptions options;
    options.max_bytes = 1000;
    const auto bounded = made(options);
    CHECK(bounded->allocate(900, "a", 1).ok());
    const auto more = bounded->allocate(101, "b", 1);
    REQUIRE_FALSE(more.ok());
    CHECK(more.error().trouble == Trouble::limit);
    const auto huge = one->allocate(1ull << 40, "huge", 1);
    REQUIRE_FALSE(huge.ok());
    CHECK(huge.error().trouble == Trouble::limit);
    CHECK(huge.error().message.find("too little free memory") != std::string::npos);
  }
  CHECK(standin.misuse() == "");
  CHECK(standin.leaks() == "");
}
