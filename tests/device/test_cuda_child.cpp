// A learner's kernel on the GPU in a process of its own, with the stand-in driver: faults, loops without end
// and a killed process cost that process alone.
#include <chrono>

#include "base/files.h"
#include "base/sanitized.h"
#include "base/shared_memory.h"
#include "base/temporary_folder.h"
#include "device/standin.h"

using namespace warpbook;
using namespace warpbook::gpu_code;

namespace {

struct Child {
  Setting driver{"WARPBOOK_CUDA_DRIVER", standin_path()};
  std::unique_ptr<Device> device;
  explicit Child(std::chrono::milliseconds max_time = std::chrono::milliseconds(10000),
                 uint64_t host_bytes = CudaChildOptions{}.host_bytes) {
    CudaChildOptions options;
    options.worker = {std::string(WARPBOOK_BINARY_DIR) + "/tests/cuda_worker"};
    options.gpu.name = "Stand-in GPU 0";
    options.cuda.max_time = max_time;
    options.host_bytes = host_bytes;
    device = make_cuda_child(std::move(options));
  }
};

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("the child runs, measures and copies as the device itself does, also more than the window holds") {
  Child child;
  const auto added = add_once(*child.device, 4);
  INFO((added ? "" : added.error().message));
  REQUIRE(added.ok());
  CHECK(child.device->times().load_ms);
  CHECK(child.device->kernels().size() == 8);
  const auto out = child.device->allocate(128, "out", 4);
  REQUIRE(out.ok());
  const std::vector<KernelArgument> arguments{argument("out", *out)};
  const auto measured = child.device->measure("grow", one_warp, arguments, {1, 3, 1, false});
  REQUIRE(measured.ok());
  CHECK(measured->repeats == 3);
  CHECK(measured->launch_us);

  const size_t many = (40u << 20) + 3;
  std::vector<std::byte> in(many), back(many);
  for (size_t i = 0; i < many; ++i) in[i] = std::byte(i * 7 + (i >> 20));
  const auto large = child.device->allocate(many, "large", 1);
  REQUIRE(large.ok());
  REQUIRE(child.device->copy_in(*large, in).ok());
  REQUIRE(child.device->copy_out(*large, back).ok());
  CHECK(in == back);
  CHECK(child.device->free(*large).ok());
  CHECK_FALSE(child.device->free(*large).ok());
}

TEST_CASE("what a kernel prints in the child comes with its outcome") {
  Child child;
  const auto outcome = run_one(*child.device, "print", {{2, 1, 1}, {1, 1, 1}});
  REQUIRE(outcome.ok());
  CHECK(outcome->report.printf == "hello\nhello\n");
}

TEST_CASE("faults, endless kernels and a killed process are diagnoses, and a fresh child is there at once") {
  struct Row {
    const char *kernel, *setting, *word;
    RunStatus status;
  };
  Child child(std::chrono::milliseconds(100));
  for (const Row& row :
       {Row{"wide", "", "belongs to no buffer", RunStatus::fault}, Row{"trap", "", "trap", RunStatus::fault},
        Row{"spin", "", "did not end", RunStatus::limit},
        Row{"add", "STANDIN_HANG", "did not end", RunStatus::limit},
        Row{"grow", "STANDIN_KILL", "is gone", RunStatus::fault}}) {
    INFO(row.kernel);
    // Settings reach a child when it starts.
    Child own(std::chrono::milliseconds(100));
    Child& used = *row.setting ? own : child;
    const Setting setting(*row.setting ? row.setting : "STANDIN_UNUSED", row.kernel);
    REQUIRE(used.device->load(compiled()).ok());
    const auto out = used.device->allocate(128, "out", 4);
    REQUIRE(out.ok());
    std::vector<KernelArgument> arguments{argument("out", *out)};
    if (row.kernel == std::string("add"))
      arguments = {argument("in", *out), argument("out", *out), argument("addend", 1u)};
    const auto outcome = used.device->launch(row.kernel, one_warp, arguments);
    REQUIRE(outcome.ok());
    CHECK(outcome->report.status == row.status);
    REQUIRE(outcome->report.diagnostics.size() == 1);
    INFO(outcome->report.diagnostics[0].message);
    CHECK(outcome->report.diagnostics[0].message.find(row.word) != std::string::npos);
    // Nothing of before is there, and nothing hangs.
    std::vector<std::byte> bytes(16);
    CHECK_FALSE(used.device->copy_out(*out, bytes).ok());
    if (!*row.setting) {
      const double seconds = seconds_of([&] {
        const auto works = add_once(*used.device, 8);
        INFO((works ? "" : works.error().message));
        CHECK(works.ok());
      });
      // A second is the promise on a quiet machine; sanitizers and a loaded one get more.
      CHECK(seconds < 10);
    }
  }
}

TEST_CASE("a run in the child can be cancelled, and the next one works") {
  Child child;
  REQUIRE(child.device->load(compiled()).ok());
  const auto out = child.device->allocate(128, "out", 4);
  REQUIRE(out.ok());
  const std::vector<KernelArgument> arguments{argument("out", *out)};
  const std::atomic<bool> stop{true};
  const auto outcome = child.device->launch("spin", one_warp, arguments, &stop);
  REQUIRE(outcome.ok());
  CHECK(outcome->report.status == RunStatus::cancelled);
  CHECK(add_once(*child.device, 1).ok());
}

TEST_CASE("a child without a driver, or that is no child, is an error in words") {
  {
    Child child;
    const Setting none("WARPBOOK_CUDA_DRIVER", "/nowhere/libcuda.so.1");
    const auto loaded = child.device->load(compiled());
    REQUIRE_FALSE(loaded.ok());
    CHECK(loaded.error().message.find("No NVIDIA driver") != std::string::npos);
  }
  CudaChildOptions options;
  options.worker = {"/bin/false"};
  const auto loaded = make_cuda_child(options)->load(compiled());
  REQUIRE_FALSE(loaded.ok());
  CHECK(loaded.error().trouble == Trouble::io);
  options.worker = {"/nowhere/worker"};
  CHECK_FALSE(make_cuda_child(options)->load(compiled()).ok());
}

TEST_CASE("the driver is used in the right order and left clean by a child that ends") {
  TemporaryFolder folder;
  const Path report = folder.path() / "report";
  {
    const Setting tell("STANDIN_REPORT", report.string());
    Child child;
    REQUIRE(add_once(*child.device, 2).ok());
    REQUIRE(run_one(*child.device, "wide").ok());
    REQUIRE(add_once(*child.device, 2).ok());
  }
  const auto text = read_file(report);
  CHECK((!text || *text == ""));
}

TEST_CASE("shared memory is one memory under a name that goes") {
  auto memory = SharedMemory::create(10000);
  REQUIRE(memory.ok());
  auto other = SharedMemory::open(memory->name(), 10000);
  REQUIRE(other.ok());
  memory->bytes()[9999] = std::byte(7);
  CHECK(other->bytes()[9999] == std::byte(7));
  CHECK_FALSE(SharedMemory::open(memory->name(), 20000).ok());
  memory->forget_name();
  CHECK_FALSE(SharedMemory::open(memory->name(), 10000).ok());
}

TEST_CASE("the child's memory of the host has a bound, and meeting it is a sentence") {
  if (sanitized) return;                           // there is no bound then
  const Setting hungry("STANDIN_HUNGRY", "grow");  // takes 4 GiB
  {
    Child child;
    const auto outcome = run_one(*child.device, "grow");
    REQUIRE(outcome.ok());
    CHECK(outcome->report.status == RunStatus::ok);
  }
  Child child(std::chrono::milliseconds(10000), uint64_t{3} << 30);
  const auto outcome = run_one(*child.device, "grow");
  const bool failed = !outcome.ok() || outcome->report.status != RunStatus::ok;
  CHECK(failed);
  const std::string said = !outcome.ok()                         ? outcome.error().message
                           : outcome->report.diagnostics.empty() ? ""
                                                                 : outcome->report.diagnostics[0].message;
  INFO(said);
  CHECK(said.find("memory") != std::string::npos);
  CHECK(add_once(*child.device, 3).ok());
}
