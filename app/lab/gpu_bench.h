#pragma once
// The kernels of kernels/bench/gpu on a GPU: each checked small against the emulator and against the row that
// it must agree with, then measured at full size, as rates.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/run.h"

namespace warpbook {

/// A row of bench.json; grid, block, bytes, flop and operations are expressions over `values`, the series'
/// name and `sms`.
struct GpuBenchRow {
  std::string name, group, file, kernel, like;
  Values values, small;
  std::vector<std::string> define, grid, block, args;
  std::string series;  ///< the name that takes each of the series' values, or empty
  std::vector<int64_t> series_values, small_series_values;
  std::string bytes, flop, operations;
};
Result<std::vector<GpuBenchRow>> load_gpu_bench(const Path& file);

struct GpuBenchResult {
  std::string name, group;
  std::optional<int64_t> series;
  bool checked = false;
  std::string trouble;  ///< why there is no time, or what is wrong; empty when all went well
  Measured measured;
  std::optional<double> gb_s, tflops, giga_operations;
};

struct GpuBenchOptions {
  std::string group;   ///< empty = all
  bool small = false;  ///< small sizes only: proves the kernels and the way, says nothing about a GPU
  bool cold_l2 = false;
};

/// Errors: no GPU, or bench.json cannot be read. In group sgemm the vendor's library comes last, where it can
/// be loaded.
Result<std::vector<GpuBenchResult>> run_gpu_bench(Session& session, const GpuBenchOptions& options,
                                                  const std::function<void(const GpuBenchResult&)>& progress);
std::string gpu_bench_as_text(const std::string& device, const std::vector<GpuBenchResult>& results);
std::string gpu_bench_as_json(const std::string& device, const std::vector<GpuBenchResult>& results);

}  // namespace warpbook
