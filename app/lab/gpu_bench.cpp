#include "lab/gpu_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/complaint.h"
#include "base/hash.h"
#include "device/cuda_blas.h"
#include "lab/gpu_report.h"
#include "lab/gpu_run.h"
#include "lesson/expression.h"

namespace warpbook {

namespace {

using Json = nlohmann::ordered_json;

/// What float sums in another order may move.
constexpr double allowed_error = 1e-4;
constexpr int sgemm_size = 4096, small_sgemm_size = 128;

Values values_from(const Json& j) {
  Values values;
  for (const auto& [name, value] : j.items()) values[name] = value.get<int64_t>();
  return values;
}

GpuBenchRow row_from(const Json& j) {
  GpuBenchRow row;
  row.name = j.at("name").get<std::string>();
  row.group = j.at("group").get<std::string>();
  row.file = j.at("file").get<std::string>();
  row.kernel = j.at("kernel").get<std::string>();
  row.like = j.value("like", "");
  if (j.contains("values")) row.values = values_from(j["values"]);
  row.small = j.contains("small") ? values_from(j["small"]) : row.values;
  for (const auto& [key, list] : {std::pair("define", &row.define), std::pair("grid", &row.grid),
                                  std::pair("block", &row.block), std::pair("args", &row.args)})
    if (j.contains(key)) *list = j[key].get<std::vector<std::string>>();
  if (j.contains("series")) {
    const Json& series = j["series"];
    row.series = series.begin().key();
    row.series_values = series.begin().value().get<std::vector<int64_t>>();
    row.small_series_values = j.contains("small_series")
                                  ? j["small_series"].begin().value().get<std::vector<int64_t>>()
                                  : row.series_values;
  }
  row.bytes = j.value("bytes", "");
  row.flop = j.value("flop", "");
  row.operations = j.value("operations", "");
  return row;
}

Result<Dim3> dimensions(const std::vector<std::string>& expressions, const Values& values) {
  uint32_t parts[3] = {1, 1, 1};
  for (size_t i = 0; i < expressions.size() && i < 3; ++i) {
    const auto value = evaluate(expressions[i], values);
    if (!value) return value.error();
    parts[i] = uint32_t(*value);
  }
  return Dim3{parts[0], parts[1], parts[2]};
}

Result<RunRequest> request_of(const GpuBenchRow& row, const Path& folder, const Values& values) {
  const Path path = folder / row.file;
  auto source = read_file(path);
  if (!source) return source.error();
  RunRequest request;
  request.source = std::move(*source);
  request.ours = content_hash(request.source);
  request.file = path.string();
  request.kernel = row.kernel;
  request.args_complete = true;
  const auto grid = dimensions(row.grid, values), block = dimensions(row.block, values);
  if (!grid) return grid.error();
  if (!block) return block.error();
  request.launch = Launch{*grid, *block, 0, false};
  for (const std::string& spec : row.args) {
    auto filled = fill_in(spec, values);
    if (!filled) return filled.error();
    request.args.push_back(std::move(*filled));
  }
  for (const std::string& name : row.define)
    request.defines.emplace_back(name, std::to_string(values.at(name)));
  return request;
}

std::string reason_of(const RunResult& result) {
  if (!result.diagnostics.empty()) return result.diagnostics.front().message;
  if (result.on_gpu && !result.on_gpu->note.empty()) return result.on_gpu->note;
  return "it ended with status " + result.status;
}

/// The first output, for rows that must agree.
using Known = std::map<std::string, std::vector<std::byte>>;

/// Both engines at the small size; what is wrong, or empty.
Result<std::string> check_small(Session& session, const GpuBenchRow& row, const Path& folder,
                                const Values& values, Known& known) {
  auto request = request_of(row, folder, values);
  if (!request) return request.error();
  request->level = Level::measure;
  request->measure = {0, 1, 1, false};
  const auto result = run(session, *request);
  if (!result) return result.error();
  if (result->status != "ok" || !result->on_gpu || result->on_gpu->status != "ok") return reason_of(*result);
  if (result->outputs.empty()) return std::string();  // a kernel without buffers has nothing to compare
  if (!result->on_gpu->compared) return reason_of(*result);
  if (result->on_gpu->largest_error > allowed_error) return result->on_gpu->difference;
  known[row.name] = result->outputs.front().data;
  if (!row.like.empty() && known.count(row.like) > 0 && known[row.like] != known[row.name])
    return fmt::format("its result is not that of {}", row.like);
  return std::string();
}

double per_second(int64_t amount, double ms) { return double(amount) / (ms * 1e-3); }

Result<Done> measure_row(Session& session, const GpuBenchRow& row, const Path& folder, const Values& values,
                         const GpuBenchOptions& options, GpuBenchResult& result) {
  auto request = request_of(row, folder, values);
  if (!request) return request.error();
  request->level = Level::run;
  request->measure.cold_l2 = options.cold_l2;
  if (options.small) request->measure = {1, 3, 1, options.cold_l2};
  const auto ran = run(session, *request);
  if (!ran) return ran.error();
  if (ran->status != "ok" || !ran->times.measured) {
    result.trouble = reason_of(*ran);
    return Done{};
  }
  result.measured = *ran->times.measured;
  const double ms = result.measured.median_ms;
  for (const auto& [expression, rate, unit] :
       {std::tuple(&row.bytes, &result.gb_s, 1e9), std::tuple(&row.flop, &result.tflops, 1e12),
        std::tuple(&row.operations, &result.giga_operations, 1e9)}) {
    if (expression->empty()) continue;
    const auto amount = evaluate(*expression, values);
    if (!amount) return amount.error();
    if (ms > 0) *rate = per_second(*amount, ms) / unit;
  }
  return Done{};
}

GpuBenchResult vendors_sgemm(Session& session, const GpuBenchOptions& options) {
  GpuBenchResult result;
  result.name = "sgemm, cuBLAS";
  result.group = "sgemm";
  const int64_t n = options.small ? small_sgemm_size : sgemm_size;
  const GpuUse use(session);
  const auto measured = measure_cublas_sgemm(*session.gpu_device, int(n), {});
  if (!measured) {
    result.trouble = measured.error().message;
    return result;
  }
  result.checked = true;
  result.measured = *measured;
  if (measured->median_ms > 0) result.tflops = per_second(2 * n * n * n, measured->median_ms) / 1e12;
  return result;
}

}  // namespace

Result<std::vector<GpuBenchRow>> load_gpu_bench(const Path& file) {
  const auto text = read_file(file);
  if (!text) return text.error();
  try {
    std::vector<GpuBenchRow> rows;
    const Json all = Json::parse(*text);
    for (const Json& one : all) rows.push_back(row_from(one));
    return rows;
  } catch (const Json::exception& problem) {
    return complaint(fmt::format("{}", problem.what()), {}, {file.string(), 0, 0});
  }
}

Result<std::vector<GpuBenchResult>> run_gpu_bench(
    Session& session, const GpuBenchOptions& options,
    const std::function<void(const GpuBenchResult&)>& progress) {
  if (!has_gpu(session))
    return complaint(Trouble::unsupported, fmt::format("there is no GPU to measure: {}", session.no_gpu));
  const Path folder = session.options.root / "kernels" / "bench" / "gpu";
  const auto rows = load_gpu_bench(folder / "bench.json");
  if (!rows) return rows.error();
  int64_t sms = 1;
  for (const GpuAttribute& one : session.gpu_device->capabilities().attributes)
    if (one.name == "multiprocessors") sms = one.value;
  std::vector<GpuBenchResult> results;
  const auto add = [&](GpuBenchResult result) {
    if (progress) progress(result);
    results.push_back(std::move(result));
  };
  Known known;
  for (const GpuBenchRow& row : *rows) {
    if (!options.group.empty() && row.group != options.group) continue;
    std::vector<int64_t> series = options.small ? row.small_series_values : row.series_values;
    if (row.series.empty()) series = {0};
    for (const int64_t step : series) {
      GpuBenchResult result;
      result.name = row.name;
      result.group = row.group;
      if (!row.series.empty()) result.series = step;
      const auto with = [&](Values values) {
        values["sms"] = sms;
        if (!row.series.empty()) values[row.series] = step;
        return values;
      };
      // A check before any timing. A series' largest steps are too much for the emulator.
      const auto& checkable = row.small_series_values;
      if (row.series.empty() || std::find(checkable.begin(), checkable.end(), step) != checkable.end()) {
        const auto wrong = check_small(session, row, folder, with(row.small), known);
        if (!wrong) return wrong.error();
        result.checked = wrong->empty();
        result.trouble = *wrong;
      }
      if (result.trouble.empty()) {
        const auto done =
            measure_row(session, row, folder, with(options.small ? row.small : row.values), options, result);
        if (!done) return done.error();
      }
      add(std::move(result));
    }
  }
  if (options.group.empty() || options.group == "sgemm") add(vendors_sgemm(session, options));
  return results;
}

std::string gpu_bench_as_text(const std::string& device, const std::vector<GpuBenchResult>& results) {
  std::string text = fmt::format("Measured on the {}\n\n{:<8}{:<36}{:>11}{:>11}{:>11}  {}\n", device, "group",
                                 "work", "ms", "GB/s", "TFLOP/s", "G operations/s");
  for (const GpuBenchResult& r : results) {
    const std::string name = r.series ? fmt::format("{} {}", r.name, *r.series) : r.name;
    const auto cell = [](const std::optional<double>& v) { return v ? fmt::format("{:.4g}", *v) : ""; };
    text += fmt::format("{:<8}{:<36}", r.group, name);
    text += r.trouble.empty() ? fmt::format("{:>11.4g}{:>11}{:>11}  {}\n", r.measured.median_ms, cell(r.gb_s),
                                            cell(r.tflops), cell(r.giga_operations))
                              : "  " + r.trouble + "\n";
  }
  return text;
}

std::string gpu_bench_as_json(const std::string& device, const std::vector<GpuBenchResult>& results) {
  Json out;
  out["device"] = device;
  out["results"] = Json::array();
  for (const GpuBenchResult& r : results) {
    const auto number = [](const std::optional<double>& v) { return v ? Json(*v) : Json(nullptr); };
    Json one;
    one["name"] = r.name;
    one["group"] = r.group;
    one["series"] = r.series ? Json(*r.series) : Json(nullptr);
    one["checked"] = r.checked;
    one["trouble"] = r.trouble.empty() ? Json(nullptr) : Json(r.trouble);
    one["measured"] = r.trouble.empty() ? json_of(r.measured) : Json(nullptr);
    one["gb_s"] = number(r.gb_s);
    one["tflops"] = number(r.tflops);
    one["giga_operations_s"] = number(r.giga_operations);
    out["results"].push_back(std::move(one));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpbook
