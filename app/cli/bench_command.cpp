// warpbook bench: one thread of the emulator against the same loops in native C++, in one process. Medians of
// several runs, since a single time on a shared machine says little.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/complaint.h"
#include "cli/bench_growth.h"
#include "cli/bench_native.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "lab/gpu_bench.h"
#include "lab/gpu_faults.h"
#include "lab/run.h"

namespace warpbook::cli {

namespace {

using Json = nlohmann::ordered_json;
constexpr int size = 512, iterations = 256;
constexpr std::size_t count = std::size_t(size) * size;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Work {
  const char* name;
  const char* kernel;
  const char* output;
  /// Runs the loops once into memory that stays, so that only they are timed.
  std::function<void()> native;
  /// The result as doubles, to hold the emulator's against.
  std::function<std::vector<double>()> expected;
  double differing_share = 0;       ///< of elements that rounding may move
  std::optional<Dim3> grid, block;  ///< other than the kernel's header says
};

/// i % period, as the kernels' headers initialise.
std::vector<float> remainders(std::size_t elements, int period) {
  std::vector<float> values(elements);
  for (std::size_t i = 0; i < elements; ++i) values[i] = float(i % std::size_t(period));
  return values;
}

/// A work of floats: `native` fills the first of the vectors from the others.
Work float_work(const char* name, const char* kernel, const char* output, std::size_t results,
                std::vector<std::vector<float>> inputs,
                std::function<void(std::vector<float>&, const std::vector<std::vector<float>>&)> native) {
  auto out = std::make_shared<std::vector<float>>(results);
  auto in = std::make_shared<std::vector<std::vector<float>>>(std::move(inputs));
  return {name,
          kernel,
          output,
          [=] { native(*out, *in); },
          [=] { return std::vector<double>(out->begin(), out->end()); },
          0,
          {},
          {}};
}

std::vector<Work> works() {
  constexpr std::size_t million = std::size_t(1) << 20, block = 256;
  const auto factors = [] { return std::vector{remainders(count, 7), remainders(count, 5)}; };
  const auto product = [](std::vector<float>& out, const std::vector<std::vector<float>>& in) {
    native_matmul(out, in[0], in[1], size);
  };
  auto escapes = std::make_shared<std::vector<int32_t>>(count);
  std::vector<Work> all;
  all.push_back({"mandelbrot",
                 "mandelbrot",
                 "out",
                 [=] { native_mandelbrot(*escapes, size, size, iterations); },
                 [=] { return std::vector<double>(escapes->begin(), escapes->end()); },
                 // The kernel contracts a*b+c to one rounding; pixels on the edge may escape one round apart.
                 0.02,
                 {},
                 {}});
  all.push_back(float_work("matmul", "matmul", "c", count, factors(), product));
  all.push_back(float_work("matmul 16x16", "matmul", "c", count, factors(), product));
  all.back().grid = Dim3{size / 16, size / 16, 1};
  all.back().block = Dim3{16, 16, 1};
  all.push_back(float_work("tiled matmul", "tiled_matmul", "c", count, factors(),
                           [](std::vector<float>& out, const std::vector<std::vector<float>>& in) {
                             native_blocked_matmul(out, in[0], in[1], size);
                           }));
  all.push_back(float_work("vector add", "vector_add", "c", million,
                           {remainders(million, 7), remainders(million, 5)},
                           [](std::vector<float>& out, const std::vector<std::vector<float>>& in) {
                             native_vector_add(out, in[0], in[1]);
                           }));
  all.push_back(float_work("reduction", "block_reduction", "sums", million / block, {remainders(million, 7)},
                           [](std::vector<float>& out, const std::vector<std::vector<float>>& in) {
                             native_block_sums(out, in[0], block);
                           }));
  return all;
}

struct Measured {
  std::string level;
  double milliseconds = 0, ratio = 0, lane_rate = 0;
};

struct Row {
  std::string name;
  double native_ms = 0;
  uint64_t thread_instructions = 0;
  std::vector<Measured> levels;
};

Result<Row> measure(Session& session, const Work& work, int repeats) {
  Row row;
  row.name = work.name;
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work.native();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  row.native_ms = median(times);
  const std::vector<double> expected = work.expected();

  auto made = bench_request(session, work.kernel);
  if (!made) return made.error();
  RunRequest request = std::move(*made);
  request.grid = work.grid;
  request.block = work.block;
  request.level = Level::measure;
  const auto counted = run_bench(session, request);
  if (!counted) return counted.error();
  row.thread_instructions = counted->counters->thread_instructions;
  const Output* output = counted->output(work.output);
  uint64_t differing = 0;
  for (uint64_t i = 0; i < output->count; ++i)
    differing += std::fabs(element_as_double(output->type, output->data.data(), i) - expected[i]) > 1e-4;
  if (double(differing) > work.differing_share * double(output->count))
    return complaint(
        fmt::format("{}: {} of {} elements differ from native C++", work.name, differing, output->count));

  const std::pair<const char*, Level> levels[] = {
      {"run", Level::run}, {"measure", Level::measure}, {"check", Level::check}};
  for (const auto& [name, level] : levels) {
    request.level = level;
    times.clear();
    for (int i = 0; i < repeats; ++i) {
      const auto result = run_bench(session, request);
      if (!result) return result.error();
      times.push_back(result->times.emulator_ms.value_or(0));
    }
    Measured measured{name, median(times), 0, 0};
    measured.ratio = measured.milliseconds / row.native_ms;
    measured.lane_rate = double(row.thread_instructions) / (measured.milliseconds * 1e-3);
    row.levels.push_back(measured);
  }
  return row;
}

std::string as_text(const std::vector<Row>& rows, int repeats) {
  std::string text = fmt::format(
      "One thread, matrices and pictures of {} x {}, vectors of 1 M, median of {} runs. Native is C++ of "
      "this "
      "build.\n\n",
      size, size, repeats);
  text += fmt::format("{:<12} {:>10} {:>10} {:>10} {:>10} {:>22}\n", "work", "native ms", "level", "ms",
                      "x native", "lane instructions/s");
  for (const Row& row : rows)
    for (const Measured& m : row.levels)
      text += fmt::format("{:<12} {:>10.2f} {:>10} {:>10.2f} {:>10.2f} {:>20.2f} G\n", row.name,
                          row.native_ms, m.level, m.milliseconds, m.ratio, m.lane_rate * 1e-9);
  return text;
}

std::string as_json(const std::vector<Row>& rows, int repeats, const std::string& instruction_set) {
  Json out;
  out["threads"] = 1;
  out["repeats"] = repeats;
  out["instruction_set"] = instruction_set;
  out["works"] = Json::array();
  for (const Row& row : rows) {
    Json one;
    one["name"] = row.name;
    one["native_ms"] = row.native_ms;
    one["thread_instructions"] = row.thread_instructions;
    one["levels"] = Json::object();
    for (const Measured& m : row.levels)
      one["levels"][m.level] = {
          {"ms", m.milliseconds}, {"ratio", m.ratio}, {"lane_instructions_per_second", m.lane_rate}};
    out["works"].push_back(std::move(one));
  }
  return out.dump(2) + "\n";
}

std::string growth_table(const char* varied, const std::vector<Growth>& rows, bool with_memory) {
  std::string text =
      fmt::format("| {} | lane instructions | ms | ns a lane instruction |\n|---|---|---|---|\n", varied);
  if (with_memory)
    text = fmt::format("| {} | ms, level check | memory beyond the row before |\n|---|---|---|\n", varied);
  for (const Growth& row : rows) {
    if (with_memory) {
      text += fmt::format("| {} | {:.2f} | {:.0f} KiB |\n", row.varied, row.milliseconds, row.kilobytes);
    } else {
      text +=
          fmt::format("| {} | {} M | {:.1f} | {:.2f} |\n", row.varied, row.thread_instructions / 1'000'000,
                      row.milliseconds, row.milliseconds * 1e6 / double(row.thread_instructions));
    }
  }
  return text;
}

/// A reference page: what was measured, how, and how it grows.
std::string as_page(const std::vector<Row>& rows, const GrowthTables& growth, int repeats,
                    const std::string& instruction_set) {
  std::string text = fmt::format(
      "# How fast the emulator is\n\n"
      "Made by `warpbook bench --page` on the computer that built this page; run it on yours to see your "
      "own. "
      "One thread of the emulator (instruction set {}) and one thread of plain C++ with the same loops, "
      "built "
      "with `-O3 -march=native`, in one process; medians of {} runs; matrices and pictures of {} x {}, "
      "vectors "
      "of 1 M. Mandelbrot and the plain matrix product are scalar loops in C++, the others are what a "
      "compiler makes vectors of: they show what the same work costs at best.\n\n"
      "Level *run* gives results only, *measure* counts as well, *check* also looks for bad addresses, "
      "values "
      "that were never written, and races.\n\n"
      "| work | native ms | run | measure | check | lane instructions a second, run "
      "|\n|---|---|---|---|---|---|\n",
      instruction_set, repeats, size, size);
  for (const Row& row : rows) {
    text += fmt::format("| {} | {:.2f} |", row.name, row.native_ms);
    for (const Measured& m : row.levels) text += fmt::format(" {:.1f} x |", m.ratio);
    text += fmt::format(" {:.2f} G |\n", row.levels.front().lane_rate * 1e-9);
  }
  text +=
      "\n## Cost as work grows\n\nWith the number of instructions: Mandelbrot with more and more iterations. "
      "The time of one lane's instruction stays about the same; short launches pay for their start.\n\n";
  text += growth_table("Mandelbrot", growth.work, false);
  text +=
      "\nWith the number of registers that a kernel declares: the same loop, unrolled further and further, "
      "so "
      "that the PTX names more and more registers. Registers that are not needed at the same time share a "
      "place, so that the cost does not grow with them.\n\n";
  text += growth_table("unrolled", growth.registers, false);
  text +=
      "\nMemory at level check: more and more of a buffer of 64 MiB is written. What is kept beside a buffer "
      "grows with what a kernel touches of it, not with its size.\n\n";
  text += growth_table("written", growth.shadow, true);
  return text;
}

int perform(bool json, bool page, int repeats, const std::vector<std::string>& only,
            const Invocation& invocation) {
  const auto options = session_options(invocation);
  if (!options) return complain(options.error(), json);
  const auto session = open_session(*options);
  if (!session) return complain(session.error(), json);
  std::vector<Row> rows;
  const std::vector<Work> all = works();
  for (const std::string& name : only) {
    if (std::none_of(all.begin(), all.end(), [&](const Work& work) { return work.name == name; })) {
      std::string names;
      for (const Work& work : all) names += fmt::format("{}{}", names.empty() ? "" : ", ", work.name);
      return complain(complaint(fmt::format("There is no work named {}: {}", name, names)), json);
    }
  }
  for (const Work& work : all) {
    if (!only.empty() && std::find(only.begin(), only.end(), work.name) == only.end()) continue;
    auto row = measure(**session, work, repeats);
    if (!row) return complain(row.error(), json);
    rows.push_back(std::move(*row));
  }
  Inspector* inspector = (*session)->device->inspector();
  if (page) {
    const auto growth = measure_growth(**session, repeats);
    if (!growth) return complain(growth.error(), false);
    return print(as_page(rows, *growth, repeats, inspector ? inspector->instruction_set() : ""));
  }
  return print(json ? as_json(rows, repeats, inspector ? inspector->instruction_set() : "")
                    : as_text(rows, repeats));
}

}  // namespace

namespace {

struct GpuGiven {
  std::string device;  ///< empty: the emulator is measured
  GpuBenchOptions options;
  bool faults = false;
};

int perform_on_gpu(bool json, const GpuGiven& given, const Invocation& invocation) {
  auto options = session_options(invocation);
  if (!options) return complain(options.error(), json);
  options->device = given.device;
  const auto session = open_session(*options);
  if (!session) return complain(session.error(), json);
  if (given.faults) {
    const auto trials = run_gpu_faults(**session);
    if (!trials) return complain(trials.error(), json);
    if (const int printed = print(json ? faults_as_json(*trials) : faults_as_text(*trials))) return printed;
    for (const FaultTrial& trial : *trials)
      if (!trial.held()) return 1;
    return 0;
  }
  const auto results = run_gpu_bench(**session, given.options, {});
  if (!results) return complain(results.error(), json);
  const std::string name = engine_name(**session);
  const int printed = print(json ? gpu_bench_as_json(name, *results) : gpu_bench_as_text(name, *results));
  if (printed != 0) return printed;
  // cuBLAS is a mark and may be absent; a kernel of ours that is wrong is a failure.
  for (const GpuBenchResult& result : *results)
    if (!result.trouble.empty() && result.name.find("cuBLAS") == std::string::npos) return 1;
  return 0;
}

}  // namespace

void add_bench(CLI::App& app, Invocation& invocation) {
  auto gpu = std::make_shared<GpuGiven>();
  app.add_option("--device", gpu->device, "cuda, or cuda:GPU: measures that GPU with kernels/bench/gpu")
      ->type_name("NAME");
  app.add_option("--group", gpu->options.group, "On a GPU: only micro, stream or sgemm")
      ->type_name("NAME")
      ->check(CLI::IsMember({"micro", "stream", "sgemm"}));
  app.add_flag("--faults", gpu->faults, "On a GPU: kernels that fail on purpose, and a run after each");
  app.add_flag("--small", gpu->options.small, "On a GPU: small sizes, to prove the kernels");
  app.add_flag("--cold-l2", gpu->options.cold_l2, "On a GPU: flushes the L2 cache before each launch");
  auto json = std::make_shared<bool>(false);
  auto page = std::make_shared<bool>(false);
  auto repeats = std::make_shared<int>(5);
  auto only = std::make_shared<std::vector<std::string>>();
  app.add_flag("--json", *json, "Prints one JSON object");
  app.add_flag("--page", *page, "Prints the reference page on speed, with how cost grows");
  app.add_option("--repeat", *repeats, "Runs of each")->type_name("N")->check(CLI::Range(1, 1000));
  app.add_option("--only", *only, "Only the works of these names")->type_name("NAME")->expected(1, 10);
  app.callback([json, page, repeats, only, gpu, &invocation] {
    invocation.action = [json, page, repeats, only, gpu, &invocation] {
      return gpu->device.empty() ? perform(*json, *page, *repeats, *only, invocation)
                                 : perform_on_gpu(*json, *gpu, invocation);
    };
  });
}

}  // namespace warpbook::cli
