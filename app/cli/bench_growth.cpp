#include "cli/bench_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/complaint.h"

namespace warpbook::cli {

namespace {

/// The most memory that this process has held so far, in KiB (proc(5), VmHWM). It only grows, so what a run
/// needs beyond all before it is a difference.
double high_water_kilobytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  double value = 0;
  while (status >> word) {
    if (word == "VmHWM:") status >> value;
  }
  return value;
}

Result<Growth> measure(Session& session, RunRequest request, std::string varied, double amount, int repeats) {
  Growth row;
  row.varied = std::move(varied);
  row.amount = amount;
  const Level level = request.level;
  if (level == Level::run) {
    request.level = Level::measure;
    const auto counted = run_bench(session, request);
    if (!counted) return counted.error();
    row.thread_instructions = counted->counters->thread_instructions;
    request.level = level;
  }
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto result = run_bench(session, request);
    if (!result) return result.error();
    times.push_back(result->times.emulator_ms.value_or(0));
  }
  std::sort(times.begin(), times.end());
  row.milliseconds = times[times.size() / 2];
  return row;
}

}  // namespace

Result<RunRequest> bench_request(const Session& session, const std::string& name) {
  const Path path = session.options.root / "kernels" / "bench" / (name + ".cu");
  auto source = read_file(path);
  if (!source) return source.error();
  RunRequest request;
  request.source = std::move(*source);
  request.file = path.string();
  request.threads = 1;
  request.max_instructions = 4'000'000'000;
  request.max_seconds = 60;
  request.level = Level::run;
  return request;
}

Result<RunResult> run_bench(Session& session, const RunRequest& request) {
  auto result = run(session, request);
  if (!result) return result.error();
  if (result->status != "ok")
    return complaint(fmt::format("the kernel {} ended with {}", result->kernel, result->status));
  return result;
}

Result<GrowthTables> measure_growth(Session& session, int repeats) {
  GrowthTables tables;
  auto mandelbrot = bench_request(session, "mandelbrot");
  if (!mandelbrot) return mandelbrot.error();
  for (const int iterations : {64, 128, 256, 512, 1024}) {
    mandelbrot->args = {fmt::format("iterations=i32:{}", iterations)};
    auto row = measure(session, *mandelbrot, fmt::format("{} iterations", iterations), iterations, repeats);
    if (!row) return row.error();
    tables.work.push_back(std::move(*row));
  }
  auto unrolled = bench_request(session, "unrolled");
  if (!unrolled) return unrolled.error();
  for (const int steps : {1, 4, 16, 64, 256}) {
    unrolled->defines = {{"STEPS", std::to_string(steps)}};
    auto row =
        measure(session, *unrolled, fmt::format("{} step{}", steps, steps == 1 ? "" : "s"), steps, repeats);
    if (!row) return row.error();
    tables.registers.push_back(std::move(*row));
  }
  auto touch = bench_request(session, "touch");
  if (!touch) return touch.error();
  touch->level = Level::check;
  constexpr int block = 256;
  double before = 0;
  for (const int elements : {block, 1 << 18, 1 << 20, 1 << 22}) {
    touch->grid = Dim3{uint32_t(elements / block), 1, 1};
    touch->args = {fmt::format("n=i32:{}", elements)};
    auto row = measure(session, *touch, fmt::format("{} KiB", elements * 4 / 1024), elements * 4 / 1024, 1);
    if (!row) return row.error();
    const double now = high_water_kilobytes();
    row->kilobytes = before == 0 ? 0 : now - before;
    before = now;
    tables.shadow.push_back(std::move(*row));
  }
  return tables;
}

}  // namespace warpbook::cli
