// The numbers that lessons put into their text are what their labs count: each sentence with a figure has a
// row here, so that a change of a kernel, a control or the emulator that moves it is noticed.
#include <cmath>
#include <map>

#include "catch.h"
#include "explained_module.h"
#include "lab/run.h"
#include "lesson/lesson.h"

using namespace warpbook;

namespace {

const Library& library() {
  static const Library loaded = load_library({WARPBOOK_SOURCE_DIR});
  return loaded;
}

/// Runs labs with the controls that a sentence names; the others stay as the page opens them.
class Labs {
 public:
  CompilerFixture fixture;

  Labs() : session_(explained::session_for(fixture)) {}

  RunResult run(const std::string& slug, const std::string& lab_name, const std::string& variant = {},
                const Values& controls = {}, Order order = Order::forward) {
    INFO(slug << "/" << lab_name << " " << variant);
    const Lesson* lesson = library().lesson(slug);
    REQUIRE(lesson);
    const Lab* lab = lesson->lab(lab_name);
    REQUIRE(lab);
    Values set;
    for (const Control& control : lab->controls) set[control.name] = control.value;
    for (const auto& [name, value] : controls) {
      REQUIRE(set.count(name) == 1);
      set[name] = value;
    }
    const auto values = complete_values(*lab, set);
    REQUIRE(values);
    auto request = request_for(*lesson, *lab, *values, variant);
    REQUIRE(request);
    request->order = order;
    request->debug_build = DebugBuild::never;
    auto result = warpbook::run(*session_, *request);
    REQUIRE(result);
    return std::move(*result);
  }
  double counted(const std::string& name, const std::string& slug, const std::string& lab,
                 const std::string& variant = {}, const Values& controls = {}) {
    const RunResult result = run(slug, lab, variant, controls);
    REQUIRE(result.counters);
    const auto value = counter_value(*result.counters, name);
    REQUIRE(value);
    return *value;
  }

 private:
  std::unique_ptr<Session> session_;
};

double largest(const RunResult& result, const std::string& buffer) {
  double most = -1e300;
  for (const Output& output : result.outputs) {
    if (output.name != buffer) continue;
    for (size_t i = 0; i < output.count; ++i)
      most = std::max(most, element_as_double(output.type, output.data.data(), i));
  }
  return most;
}

bool has_kind(const RunResult& result, const std::string& kind) {
  return std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                     [&](const Diagnosis& diagnosis) { return diagnosis.kind == kind; });
}

}  // namespace

TEST_CASE("figures in the text: lessons 1 to 4") {
  Labs labs;
  NEEDS_NVRTC(labs.fixture);
  const auto instructions = [&](int64_t workers) {
    return labs.counted("warp_instructions", "01-why-gpu", "workers", {}, {{"workers", workers}});
  };
  // "falls by half each time", up to 32; then "it falls no further (it even grows a little)".
  double before = instructions(1);
  for (const int64_t workers : {2, 4, 8, 16, 32}) {
    const double now = instructions(workers);
    CHECK(now / before == Approx(0.5).margin(0.03));
    before = now;
  }
  CHECK(instructions(128) >= before);
  CHECK(instructions(128) < 1.5 * before);

  CHECK(labs.counted("threads", "02-hello-grid", "cover") == 768);
  CHECK(has_kind(labs.run("02-hello-grid", "cover", "no guard", {{"grid.x", 8}}), "oob-write"));
  CHECK(labs.run("02-hello-grid", "cover", {}, {{"block.x", 1025}}).status == "launch-error");
  CHECK(labs.run("02-hello-grid", "cover", {}, {{"grid.x", 0}}).status == "launch-error");
  // "(135: the largest sum is 7 + 127)"
  const RunResult sums = labs.run("02-hello-grid", "cover", "blockIdx + threadIdx", {{"grid.x", 8}});
  CHECK(largest(sums, "out") == 134);

  // "No crash. No diagnosis either", with spare elements; a race without them.
  CHECK(labs.run("04-guards-and-shapes", "padded", "one comparison").status == "ok");
  CHECK(labs.counted("global_store_lanes", "04-guards-and-shapes", "padded") == 1000);
  CHECK(labs.counted("global_store_lanes", "04-guards-and-shapes", "padded", "one comparison") > 1000);
  const auto sectors = [&](int64_t spare) {
    return labs.counted("global_store_sectors_per_request", "04-guards-and-shapes", "padded", {},
                        {{"pad", spare}, {"block.x", 32}});
  };
  CHECK(sectors(14) < sectors(13));
  CHECK(labs.counted("threads", "04-guards-and-shapes", "edge") == 2048);
  CHECK(labs.counted("warps", "04-guards-and-shapes", "edge") == 64);
  CHECK(labs.counted("divergent_branches", "04-guards-and-shapes", "edge") == 1);
  CHECK(labs.run("04-guards-and-shapes", "edge", {}, {{"n", 511}, {"up", 0}}).status == "launch-error");
}

TEST_CASE("figures in the text: lessons 6 and 7") {
  Labs labs;
  NEEDS_NVRTC(labs.fixture);
  const auto branch = [&](int64_t group, const char* counter) {
    return labs.counted(counter, "06-warps", "branch", {}, {{"group", group}});
  };
  CHECK(branch(1, "warp_instructions") == 3424);
  CHECK(branch(16, "warp_instructions") == 3424);  // "It makes no difference how they are mixed."
  CHECK(branch(32, "warp_instructions") == 2048);
  CHECK(branch(1, "thread_instructions") == branch(32, "thread_instructions"));
  const auto rounds = [&](int64_t group) {
    return labs.counted("global_load_requests", "06-warps", "trips", {}, {{"group", group}});
  };
  CHECK(rounds(1) == 1024);
  CHECK(rounds(32) == 528);
  const auto mirrored = [&](const char* variant, int64_t block) {
    return labs.run("06-warps", "mirror", variant, {{"block.x", block}});
  };
  CHECK(mirrored("__syncwarp()", 32).status == "ok");
  CHECK(has_kind(mirrored("no barrier", 32), "race-shared"));
  CHECK(has_kind(mirrored("__syncwarp()", 64), "race-shared"));
  CHECK(mirrored("__syncthreads()", 128).status == "ok");

  const auto active = [&](int64_t x, int64_t y) {
    return labs.counted("active_lane_share", "07-mandelbrot", "set", {}, {{"block.x", x}, {"block.y", y}});
  };
  CHECK(active(32, 4) == Approx(69).margin(0.5));
  CHECK(active(256, 1) == Approx(active(32, 4)).margin(0.5));
  CHECK(active(8, 16) == Approx(85).margin(0.5));
  CHECK(labs.run("07-mandelbrot", "set", {}, {{"block.x", 256}, {"block.y", 256}}).status == "launch-error");
}

TEST_CASE("figures in the text: lessons 11 and 12") {
  Labs labs;
  NEEDS_NVRTC(labs.fixture);
  const auto strided = [&](int64_t stride, int64_t offset) {
    return labs.counted("global_load_sectors_per_request", "11-coalescing", "stride", {},
                        {{"stride", stride}, {"offset", offset}});
  };
  CHECK(strided(1, 0) == 4);
  CHECK(strided(2, 0) == 8);
  CHECK(strided(8, 0) == 32);
  CHECK(strided(32, 0) == 32);
  CHECK(strided(1, 1) == 5);
  const auto loads = [&](const char* lab, const char* variant) {
    return labs.counted("global_load_sectors_per_request", "11-coalescing", lab, variant);
  };
  const auto stores = [&](const char* variant) {
    return labs.counted("global_store_sectors_per_request", "11-coalescing", "turn", variant);
  };
  CHECK(loads("layout", "particle after particle") == 32);
  CHECK(loads("layout", "field after field") == 4);
  CHECK(loads("turn", "rows read") == 4);
  CHECK(stores("rows read") == 32);
  CHECK(loads("turn", "rows written") == 32);
  CHECK(stores("rows written") == 4);
  CHECK(loads("turn", "through a tile") == 4);
  CHECK(stores("through a tile") == 4);

  const auto stencil = [&](const char* variant) {
    return labs.counted("global_load_lanes", "12-shared-memory", "stencil", variant);
  };
  CHECK(stencil("straight from global memory") == 9000);
  CHECK(stencil("tile in shared memory") == 1256);
  CHECK(has_kind(labs.run("12-shared-memory", "stencil", "tile of a fixed size", {{"block.x", 256}}),
                 "oob-write"));
  CHECK(has_kind(labs.run("12-shared-memory", "stencil", "halo forgotten"), "uninit-read"));
  CHECK(has_kind(labs.run("12-shared-memory", "counter", "shared, never set to zero"), "uninit-read"));
  const auto once = [&](const char* counter, const char* variant) {
    return labs.counted(counter, "12-shared-memory", "once", variant);
  };
  CHECK(once("global_load_lanes", "directly") == once("global_load_lanes", "by way of shared memory"));
  CHECK(once("warp_instructions", "directly") < once("warp_instructions", "by way of shared memory"));
}

TEST_CASE("figures in the text: lessons 13 and 14") {
  Labs labs;
  NEEDS_NVRTC(labs.fixture);
  const std::string slug = "13-barriers-and-races";
  CHECK(has_kind(labs.run(slug, "reverse", "without"), "race-shared"));
  CHECK(has_kind(labs.run(slug, "reverse", "for the first 16 only"), "divergent-barrier"));
  CHECK(has_kind(labs.run(slug, "reverse", "some have left"), "divergent-barrier"));
  CHECK(labs.run(slug, "reverse", "with a barrier").status == "ok");
  CHECK(largest(labs.run(slug, "scan", "two barriers a step"), "out") == 128);
  CHECK(largest(labs.run(slug, "scan", "one barrier a step"), "out") == 211);
  CHECK(largest(labs.run(slug, "scan", "one barrier a step", {}, Order::reverse), "out") == 128);
  CHECK(largest(labs.run(slug, "scan", "one barrier a step", {{"block.x", 32}}), "out") == 32);

  const auto tree = [&](const char* counter, const char* variant) {
    return labs.counted(counter, "14-reduction", "ladder", variant);
  };
  const char* second = "every second thread";
  const char* packed = "packed together";
  const char* halves = "upper half to lower half";
  CHECK(tree("warp_instructions", second) > tree("warp_instructions", packed));
  CHECK(tree("warp_instructions", packed) > tree("warp_instructions", halves));
  CHECK(tree("divergent_branches", packed) < tree("divergent_branches", second));
  CHECK(tree("shared_load_passes_per_request", packed) > 1.5);
  CHECK(tree("shared_load_bank_conflicts", halves) == 0);
  CHECK(tree("global_atomic_lanes", halves) == 8);
  CHECK(labs.run("14-reduction", "accuracy").printf.find("1638.1471") != std::string::npos);
}

TEST_CASE("figures in the text: lessons 16 to 18") {
  Labs labs;
  NEEDS_NVRTC(labs.fixture);
  const std::map<int64_t, int> passes = {{0, 1}, {1, 1}, {2, 2}, {3, 1},   {4, 4}, {5, 1},
                                         {6, 2}, {7, 1}, {8, 8}, {32, 32}, {33, 1}};
  for (const auto& [stride, expected] : passes) {
    INFO("stride " << stride);
    CHECK(labs.counted("shared_load_bank_passes", "16-bank-conflicts", "stride", {}, {{"stride", stride}}) ==
          expected);
  }
  CHECK(labs.counted("shared_load_bank_passes", "16-bank-conflicts", "stride", "cells of 8 bytes",
                     {{"stride", 1}}) == 2);
  const auto turned = [&](const char* counter, const char* variant, int64_t pad, int64_t tile) {
    return labs.counted(counter, "16-bank-conflicts", "transpose", variant, {{"PAD", pad}, {"TILE", tile}});
  };
  CHECK(turned("global_load_sectors_per_request", "straight", 0, 32) == 4);
  CHECK(turned("global_store_sectors_per_request", "straight", 0, 32) == 32);
  CHECK(turned("global_store_sectors_per_request", "by way of a tile", 0, 32) == 4);
  CHECK(turned("shared_load_passes_per_request", "by way of a tile", 0, 32) == 32);
  CHECK(turned("shared_load_passes_per_request", "by way of a tile", 1, 32) == 1);
  CHECK(turned("shared_load_passes_per_request", "by way of a tile", 2, 32) == 2);
  CHECK(turned("shared_load_passes_per_request", "by way of a tile", 1, 16) == 2);

  const auto order = [&](const char* counter, const char* variant, int64_t x, int64_t y) {
    return labs.counted(counter, "17-matmul", "order", variant, {{"block.x", x}, {"block.y", y}});
  };
  const char *rows = "rows along x", *columns = "columns along x";
  CHECK(order("global_load_lanes", rows, 32, 8) == order("global_load_lanes", columns, 32, 8));
  CHECK(order("global_load_sectors_per_request", rows, 32, 8) >
        6 * order("global_load_sectors_per_request", columns, 32, 8));
  // "Then try 64 by 1, where nothing changes, and 4 by 32, where the other variant is suddenly the better
  // one."
  CHECK(order("global_load_sectors", rows, 64, 1) == order("global_load_sectors", rows, 32, 8));
  CHECK(order("global_load_sectors", rows, 4, 32) < order("global_load_sectors", columns, 4, 32));
  const double naive = labs.counted("global_load_lanes", "17-matmul", "tiles", columns);
  CHECK(labs.counted("global_load_lanes", "17-matmul", "tiles", "tiled", {{"TILE", 16}}) == naive / 16);
  CHECK(labs.counted("global_load_lanes", "17-matmul", "tiles", "tiled", {{"TILE", 32}}) == naive / 32);
  CHECK(labs.run("17-matmul", "tiles", "tiled", {{"TILE", 64}}).status == "launch-error");
  CHECK(has_kind(labs.run("17-matmul", "tiles", "one barrier"), "race-shared"));

  CHECK(labs.counted("local_load_lanes", "18-occupancy", "local", "index computed") > 0);
  CHECK(labs.counted("local_load_lanes", "18-occupancy", "local", "index known") == 0);
  CHECK(labs.counted("global_load_lanes", "18-occupancy", "chains", {}, {{"CHAINS", 8}}) ==
        labs.counted("global_load_lanes", "18-occupancy", "chains", {}, {{"CHAINS", 1}}));
}
