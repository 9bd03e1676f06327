// warpbook bench: one thread of the emulator against the same loops in native C++, in one process. Medians of
// several runs, since a single time on a shared machine says little.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/complaint.h"
#include "cli/bench_growth.h"
#include "cli/bench_native.h"
#include "cli/bench_page.h"
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

Result<BenchRow> measure(Session& session, const Work& work, int repeats) {
  BenchRow row;
  row.name = work.name;
  const auto native = [&] {
    const auto start = std::chrono::steady_clock::now();
    work.native();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  };
  native();
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

  // One round is all of them after each other, since a shared machine is slow for seconds at a time: a ratio
  // is taken within its round.
  const std::pair<const char*, Level> levels[] = {
      {"run", Level::run}, {"measure", Level::measure}, {"check", Level::check}};
  std::vector<double> native_times;
  std::array<std::vector<double>, std::size(levels)> times, ratios;
  for (int i = 0; i < repeats; ++i) {
    native();  // brings its memory back, which the emulator's work has driven out of the caches
    native_times.push_back(native());
    for (std::size_t k = 0; k < std::size(levels); ++k) {
      request.level = levels[k].second;
      const auto result = run_bench(session, request);
      if (!result) return result.error();
      times[k].push_back(result->times.emulator_ms.value_or(0));
      ratios[k].push_back(times[k].back() / native_times.back());
    }
  }
  row.native_ms = median(native_times);
  for (std::size_t k = 0; k < std::size(levels); ++k) {
    const double milliseconds = median(times[k]);
    row.levels.push_back({levels[k].first, milliseconds, median(ratios[k]),
                          double(row.thread_instructions) / (milliseconds * 1e-3)});
  }
  return row;
}

std::string as_text(const std::vector<BenchRow>& rows, int repeats) {
  std::string text = fmt::format(
      "One thread, matrices and pictures of {} x {}, vectors of 1 M, medians of {} rounds. Native is C++ of "
      "this build.\n\n",
      size, size, repeats);
  text += fmt::format("{:<12} {:>10} {:>10} {:>10} {:>10} {:>22}\n", "work", "native ms", "level", "ms",
                      "x native", "lane instructions/s");
  for (const BenchRow& row : rows)
    for (const BenchTime& m : row.levels)
      text += fmt::format("{:<12} {:>10.2f} {:>10} {:>10.2f} {:>10.2f} {:>20.2f} G\n", row.name,
                          row.native_ms, m.level, m.milliseconds, m.ratio, m.lane_rate * 1e-9);
  return text;
}

std::string as_json(const std::vector<BenchRow>& rows, int repeats, const std::string& instruction_set) {
  Json out;
  out["threads"] = 1;
  out["repeats"] = repeats;
  out["instruction_set"] = instruction_set;
  out["works"] = Json::array();
  for (const BenchRow& row : rows) {
    Json one;
    one["name"] = row.name;
    one["native_ms"] = row.native_ms;
    one["thread_instructions"] = row.thread_instructions;
    one["levels"] = Json::object();
    for (const BenchTime& m : row.levels)
      one["levels"][m.level] = {
          {"ms", m.milliseconds}, {"ratio", m.ratio}, {"lane_instructions_per_second", m.lane_rate}};
    out["works"].push_back(std::move(one));
  }
  return out.dump(2) + "\n";
}

int perform(bool json, const std::string& page, int repeats, const std::vector<std::string>& only,
            const Invocation& invocation) {
  const auto options = session_options(invocation);
  if (!options) return complain(options.error(), json);
  const auto session = open_session(*options);
  if (!session) return complain(session.error(), json);
  std::vector<BenchRow> rows;
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
  Inspector* const inspector = (*session)->device->inspector();
  const std::string set = inspector ? inspector->instruction_set() : "";
  if (!page.empty()) {
    const auto growth = measure_growth(**session, repeats);
    if (!growth) return complain(growth.error(), json);
    const Path file = page, picture = Path(page).replace_extension(".png");
    const Result<Done> drawn = invocation.draw_growth
                                   ? invocation.draw_growth(*growth, picture, options->root)
                                   : complaint("this build draws nothing");
    if (!drawn) warn(fmt::format("{} was not written: {}", picture.string(), to_string(drawn.error())));
    const auto written = write_file(
        file, as_page({rows, *growth, repeats, size, set, drawn ? picture.filename().string() : ""}));
    if (!written) return complain(written.error(), json);
  }
  return print(json ? as_json(rows, repeats, set) : as_text(rows, repeats));
}

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
  auto page = std::make_shared<std::string>();
  auto repeats = std::make_shared<int>(5);
  auto only = std::make_shared<std::vector<std::string>>();
  app.add_flag("--json", *json, "Prints one JSON object");
  app.add_option("--page", *page,
                 "Writes the reference page on speed as well, with how cost grows as a picture")
      ->type_name("FILE.md");
  app.add_option("--repeat", *repeats, "Rounds of all")->type_name("N")->check(CLI::Range(1, 1000));
  app.add_option("--only", *only, "Only the works of these names")->type_name("NAME")->expected(1, 10);
  app.callback([json, page, repeats, only, gpu, &invocation] {
    invocation.action = [json, page, repeats, only, gpu, &invocation] {
      return gpu->device.empty() ? perform(*json, *page, *repeats, *only, invocation)
                                 : perform_on_gpu(*json, *gpu, invocation);
    };
  });
}

}  // namespace warpbook::cli
