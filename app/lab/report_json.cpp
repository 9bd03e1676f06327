// The one object of `run --json` (DESIGN section 3). What was not computed is null.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/beside_run.h"
#include "lab/encode.h"
#include "lab/gpu_report.h"
#include "lab/json_parts.h"
#include "lab/model_run.h"
#include "lab/occupancy_report.h"
#include "lab/report.h"
#include "lab/tape_report.h"
#include "lab/time_report.h"

namespace warpbook {

namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t first_elements = 16;

/// JSON has no NaN and no infinity; they are written as text.
Json real(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json element(const Output& output, uint64_t index) {
  if (is_float(output.type)) return real(element_as_double(output.type, output.data.data(), index));
  // Through text, so that 64-bit integers keep their last digits.
  return Json::parse(element_as_text(output.type, output.data.data(), index), nullptr, false);
}

Json json_of_output(const Output& output) {
  Json out;
  out["type"] = std::string(name_of(output.type));
  out["count"] = output.count;
  out["checksum"] = fmt::format("{:016x}", output.checksum);
  out["min"] = output.min ? real(*output.min) : Json(nullptr);
  out["max"] = output.max ? real(*output.max) : Json(nullptr);
  out["nan_count"] = output.nan_count;
  out["first"] = Json::array();
  for (uint64_t i = 0; i < std::min(output.count, first_elements); ++i)
    out["first"].push_back(element(output, i));
  return out;
}

Json json_of_counters(const Counters& counters) {
  Json out = Json::object();
  for (const NamedCounter& row : named_counters()) {
    const double value = row.value(counters);
    const bool whole = value == std::floor(value) && std::fabs(value) < 9e15;
    out[std::string(row.name)] = !std::isfinite(value) ? Json(nullptr)
                                 : whole               ? Json(int64_t(value))
                                                       : Json(value);
  }
  return out;
}

/// Ours and Nsight Compute's, where it has one.
Json json_of_counter_names() {
  Json out = Json::object();
  for (const NamedCounter& row : named_counters()) {
    if (!row.nsight.empty()) out[std::string(row.name)] = std::string(row.nsight);
  }
  return out;
}

Json ratio(uint64_t part, uint64_t whole) {
  return whole ? Json(double(part) / double(whole)) : Json(nullptr);
}

Json json_of_access(const AccessCounters& access) {
  Json out;
  out["requests"] = access.requests;
  out["bytes"] = access.bytes;
  out["sectors"] = access.sectors;
  out["ideal_sectors"] = access.ideal_sectors;
  out["sectors_per_request"] = ratio(access.sectors, access.requests);
  out["lines"] = access.lines;
  out["l1_cycles"] = double(access.l1_thousandths) / 1000;
  out["bank_passes"] = access.bank_passes;
  out["ideal_passes"] = access.ideal_passes;
  out["passes_per_request"] = ratio(access.bank_passes, access.requests);
  return out;
}

Json json_of_line(const LineCounters& line) {
  Json out;
  out["file"] = line.file;
  out["line"] = line.line;
  out["executions"] = line.warp_instructions;
  out["thread_instructions"] = line.thread_instructions;
  // In percent, like the counter of the same name.
  out["active_lane_share"] = ratio(100 * line.thread_instructions, 32 * line.warp_instructions);
  out["branches"] = line.branches;
  out["divergent_branches"] = line.divergent_branches;
  out["global"] = json_of_access(line.global);
  out["shared"] = json_of_access(line.shared);
  out["local"] = json_of_access(line.local);
  return out;
}

}  // namespace

namespace {

Json json_of_occupancy(const OccupancyPicture& picture, const std::optional<KernelResources>& resources) {
  Json out = json_of(picture.gpu, picture.compute, picture.question, picture.occupancy, picture.changes);
  if (resources) {
    out["architecture"] = resources->architecture;
    out["stack_bytes"] = resources->stack_bytes;
    out["spill_store_bytes"] = resources->spill_store_bytes;
    out["spill_load_bytes"] = resources->spill_load_bytes;
    out["barriers"] = resources->barriers;
  }
  return out;
}

}  // namespace

std::string run_as_json(const RunResult& result) { return run_as_json(result, RunModels{}); }

std::string run_as_json(const RunResult& result, const RunModels& models) {
  return run_as_json(result, models, std::nullopt);
}

std::string run_as_json(const RunResult& result, const RunModels& models,
                        const std::optional<MeasuredRow>& beside) {
  const bool ran = result.status != "compile-error" && result.status != "bad-arguments" &&
                   result.status != "set-up" && !result.program;
  Json out;
  out["status"] = result.status;
  out["engine"] = result.engine.empty() ? Json(nullptr) : Json(result.engine);
  out["device"] = result.gpu.empty() ? Json(nullptr) : Json(result.gpu);
  out["file"] = result.file.empty() ? Json(nullptr) : Json(result.file);
  out["kernel"] = result.kernel.empty() ? Json(nullptr) : Json(result.kernel);
  out["launch"] = nullptr;
  if (ran) {
    Json launch;
    launch["grid"] = json_of(result.launch.grid);
    launch["block"] = json_of(result.launch.block);
    launch["shared"] = result.launch.shared_bytes;
    launch["optin"] = result.launch.shared_optin;
    out["launch"] = std::move(launch);
  }
  out["diagnostics"] = Json::array();
  for (const Diagnosis& diagnosis : result.diagnostics) out["diagnostics"].push_back(json_of(diagnosis));
  out["outputs"] = nullptr;
  if (ran) {
    out["outputs"] = Json::object();
    for (const Output& output : result.outputs) out["outputs"][output.name] = json_of_output(output);
  }
  out["counters"] = result.counters ? json_of_counters(*result.counters) : Json(nullptr);
  out["counter_names"] = result.counters ? json_of_counter_names() : Json(nullptr);
  out["lines"] = nullptr;
  if (result.counters) {
    out["lines"] = Json::array();
    for (const LineCounters& line : result.lines) out["lines"].push_back(json_of_line(line));
  }
  out["occupancy"] =
      ran && models.occupancy ? json_of_occupancy(*models.occupancy, models.resources) : Json(nullptr);
  Json time;
  time["compile_ms"] = or_null(result.times.compile_ms);
  time["cached"] = result.times.cached;
  time["load_ms"] = or_null(result.times.load_ms);
  time["copy_in_ms"] = or_null(result.times.copy_in_ms);
  time["kernel_ms"] = or_null(result.times.kernel_ms);
  time["copy_out_ms"] = or_null(result.times.copy_out_ms);
  time["stamp"] = result.times.stamp.empty() ? Json(nullptr) : Json(result.times.stamp);
  time["emulator_ms"] = or_null(result.times.emulator_ms);
  if (result.debug_run) {
    time["debug_compile_ms"] = result.debug_run->compile_ms;
    time["debug_emulator_ms"] = result.debug_run->run_ms;
  }
  out["time"] = std::move(time);
  out["gpu"] = result.on_gpu ? json_of(*result.on_gpu) : Json(nullptr);
  if (result.on_gpu) {
    out["gpu"]["modelled_us"] = beside ? Json(beside->version.modelled_us) : Json(nullptr);
    out["gpu"]["modelled_over_measured"] = beside ? Json(beside->ratio) : Json(nullptr);
  }
  out["modelled"] = models.modelled ? json_of(*models.modelled) : Json(nullptr);
  out["printf"] = result.printf;
  out["debug_run"] = nullptr;
  if (result.debug_run) {
    Json debug;
    debug["blocks"] = result.debug_run->blocks;
    debug["of_blocks"] = result.debug_run->of;
    debug["missing"] = result.debug_run->missing.empty() ? Json(nullptr) : Json(result.debug_run->missing);
    out["debug_run"] = std::move(debug);
  }
  out["fixed_order"] = ran ? Json(result.fixed_order) : Json(nullptr);
  out["warp_instructions"] = ran ? Json(result.warp_instructions) : Json(nullptr);
  out["schedules"] = nullptr;
  if (ran) out["schedules"] = {{"run", result.schedules_run}, {"different", result.schedules_different}};
  out["program"] = result.program ? json_of_program(*result.program) : Json(nullptr);
  out["tape"] = result.program ? json_of_tape(*result.program) : Json(nullptr);
  return json_text(out);
}

}  // namespace warpbook
