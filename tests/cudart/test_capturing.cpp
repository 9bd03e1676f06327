// Launches on the tape with what they found: which are kept, and that they run again elsewhere.
#include <algorithm>
#include <array>

#include "catch.h"
#include "device/program_device.h"
#include "model/gpus.h"
#include "program_fixture.h"
#include "result/captured_launch.h"

using namespace warpbook;
using namespace warpbook::cudart_test;

namespace {

constexpr int to_device = 1;

/// fill writes 16 elements, scale multiplies `count` of them (of 16) by 3.
int scaled(Api& api, int count) {
  int* device = nullptr;
  api("cudaMalloc", reinterpret_cast<void**>(&device), size_t(64));
  std::vector<float> host(16, 2.0f);
  api("cudaMemcpy", static_cast<void*>(device), static_cast<const void*>(host.data()), size_t(32), to_device);
  float by = 3;
  launch(api, &stubs().scale, {1, 1, 1}, {32, 1, 1}, {&device, &by, &count});
  api("cudaDeviceSynchronize");
  return 0;
}

const TapeRow* launch_of(const Outcome& outcome) {
  for (const TapeRow& row : outcome.tape.rows)
    if (row.launch) return &row;
  FAIL("nothing was launched");
  return nullptr;
}

CapturedLaunches captured_in(const Outcome& outcome) {
  CapturedLaunches captured;
  // In pieces, as a pipe brings it.
  for (size_t at = 0; at < outcome.tape_bytes.size(); at += 1000)
    captured.take(std::string_view(outcome.tape_bytes).substr(at, 1000));
  return captured;
}

}  // namespace

TEST_CASE("a launch is kept when that was asked for, and runs again on what it found") {
  const Outcome outcome =
      in_program([](Api& api) { return scaled(api, 8); }, {{"WARPBOOK_CAPTURE", "1000000"}});
  REQUIRE(outcome.exit_code == 0);
  const TapeRow* row = launch_of(outcome);
  CHECK(row->launch->status == "ok");
  const CapturedLaunches captured = captured_in(outcome);
  const auto kept = captured.of(*row);
  const auto ptx = captured.ptx_of(*row);
  REQUIRE(kept);
  REQUIRE(ptx);
  REQUIRE(kept->arguments.size() == 3);
  const auto memory = std::find_if(kept->memory.begin(), kept->memory.end(),
                                   [](const CapturedMemory& m) { return m.variable.empty(); });
  REQUIRE(memory != kept->memory.end());
  CHECK(memory->bytes.size() == 64);
  // Nobody wrote the second half.
  CHECK(memory->unwritten == std::vector<ByteRange>{{32, 32}});

  const auto gpus = load_gpus(Path(WARPBOOK_SOURCE_DIR) / "assets" / "gpus.json");
  REQUIRE(gpus.ok());
  const auto gpu = gpu_named(*gpus, default_gpu_name);
  REQUIRE(gpu.ok());
  ProgramDevice device(*gpu, 1u << 30);
  std::vector<KernelArgument> arguments;
  for (const std::string& bytes : kept->arguments) {
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    arguments.push_back({"", {first, first + bytes.size()}});
  }
  const auto module = device.restore(*kept, *ptx, arguments);
  REQUIRE(module.ok());
  const auto unwritten = device.never_written(memory->address, 64);
  CHECK(unwritten.bytes == 32);
  const ProgramLaunch again =
      device.launch(*module, row->launch->symbol, row->launch->launch, arguments, RunOptions{}, 1, false);
  CHECK(again.report.status == RunStatus::ok);
  std::array<float, 8> now{};
  REQUIRE(device.read(memory->address, std::as_writable_bytes(std::span(now))).ok());
  CHECK(now == std::array<float, 8>{6, 6, 6, 6, 6, 6, 6, 6});
}

TEST_CASE("without being asked only launches with a diagnosis are kept") {
  const Outcome fine = in_program([](Api& api) { return scaled(api, 8); });
  CHECK(captured_in(fine).empty());
  const Outcome faulty = in_program([](Api& api) { return scaled(api, 32); });
  const TapeRow* row = launch_of(faulty);
  CHECK(row->launch->status == "fault");
  CHECK(captured_in(faulty).of(*row));
}

TEST_CASE("no more is kept than was asked for, and a damaged tape keeps what came before") {
  const Outcome little = in_program([](Api& api) { return scaled(api, 8); }, {{"WARPBOOK_CAPTURE", "40"}});
  CHECK(captured_in(little).empty());
  const Outcome outcome =
      in_program([](Api& api) { return scaled(api, 8); }, {{"WARPBOOK_CAPTURE", "1000000"}});
  CapturedLaunches cut;
  cut.take(std::string_view(outcome.tape_bytes).substr(0, outcome.tape_bytes.size() / 3));
  CapturedLaunches broken;
  broken.take(outcome.tape_bytes.substr(0, 16) + std::string(64, '\0') + outcome.tape_bytes);
  CHECK(broken.empty());
}
