#pragma once
// Kernels of tests/lab/ladders run on a corner of their grid, and timed by the model as if the whole grid had
// run: its blocks do the same work, and each block's work grows with the depth of its loops as counted
// instructions do.
#include <fstream>
#include <sstream>

#include "catch.h"
#include "lab/model_run.h"
#include "lab/run.h"
#include "model/occupancy.h"
#include "model/time_model.h"

namespace ladder {

using namespace warpbook;

inline std::string source_of(const std::string& name) {
  std::ifstream file(Path(WARPBOOK_SOURCE_DIR) / "tests" / "lab" / "ladders" / name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Session* session() {
  static const std::unique_ptr<Session> opened = [] {
    SessionOptions options;
    options.root = WARPBOOK_SOURCE_DIR;
    options.device = "emulated";
    auto made = open_session(options);
    REQUIRE(made.ok());
    std::error_code ignored;
    const Path cache = Path(WARPBOOK_BINARY_DIR) / "tests" / "ladder-cache";
    std::filesystem::create_directories(cache, ignored);
    (*made)->compiler = std::make_unique<Compiler>(
        cache, 64u << 20,
        std::vector<std::string>{std::string(WARPBOOK_BINARY_DIR) + "/tests/compile_worker"});
    return std::move(*made);
  }();
  if (!opened->compiler->place().missing.empty()) {
    WARN("NVRTC is missing: the ladders were not run");
    return nullptr;
  }
  return opened.get();
}

/// A run with what the models need of it.
struct Ran {
  RunResult result;
  RunModels models;
};

inline const std::vector<GpuSpec>& gpus() {
  static const GpuTable table = [] {
    auto loaded = load_gpu_table(Path(WARPBOOK_SOURCE_DIR) / "assets" / "gpus.json");
    REQUIRE(loaded.ok());
    return std::move(*loaded);
  }();
  return table.gpus;
}

/// A run at level measure; `args` are complete.
inline Ran run_of(const std::string& file, const std::string& kernel, Dim3 grid, Dim3 block,
                  std::vector<std::string> args) {
  RunRequest request;
  request.source = source_of(file);
  request.file = file;
  request.kernel = kernel;
  request.launch = Launch{grid, block, 0, false};
  request.args = std::move(args);
  request.args_complete = true;
  request.level = Level::measure;
  request.threads = 1;
  RunModels models;
  auto ran = run_with_models(*session(), request, gpus(), models);
  REQUIRE(ran.ok());
  INFO(kernel << ": " << (ran->diagnostics.empty() ? std::string() : ran->diagnostics[0].message));
  REQUIRE(ran->status == "ok");
  REQUIRE(models.trace);
  REQUIRE(models.resources);
  return {std::move(*ran), std::move(models)};
}

/// The run as a part of a launch of `blocks` blocks, each with `work` times the instructions; microseconds.
inline ModelledTime whole(const GpuSpec& gpu, const Ran& ran, uint64_t blocks, double work,
                          double footprint_bytes) {
  KernelTrace trace = *ran.models.trace;
  trace.grid_blocks = blocks;
  trace.complete = false;
  TimeQuestion question;
  question.launch = ran.result.launch;
  question.launch.grid = {uint32_t(blocks), 1, 1};
  question.trace = &trace;
  const double traced =
      double(ran.result.counters->warp_instructions) / double(ran.result.launch.grid.count());
  question.warp_instructions = uint64_t(traced * work * double(blocks));
  question.footprint_bytes = footprint_bytes;
  const auto occupancy =
      occupancy_of(gpu, {int64_t(ran.result.launch.block.count()), ran.models.resources->registers,
                         ran.models.resources->static_shared_bytes, 0, -1, 1});
  REQUIRE(occupancy.ok());
  question.occupancy = *occupancy;
  auto modelled = model_time(gpu, question);
  REQUIRE(modelled.ok());
  return std::move(*modelled);
}

inline GpuSpec gpu_of(const char* name) {
  auto gpu = gpu_named(gpus(), name);
  REQUIRE(gpu.ok());
  return *gpu;
}

}  // namespace ladder
