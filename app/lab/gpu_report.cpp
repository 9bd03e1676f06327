#include "lab/gpu_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lab/json_parts.h"

namespace warpbook {

namespace {

using Json = nlohmann::ordered_json;

/// Four digits: events resolve half a microsecond.
std::string milliseconds(double ms) { return fmt::format("{:.4g}", ms); }

}  // namespace

std::string measured_line(const Measured& m) {
  std::string text = fmt::format("{} ms", milliseconds(m.median_ms));
  if (m.repeats > 1)
    text += fmt::format(" ({} to {}), median of {} launches", milliseconds(m.low_ms), milliseconds(m.high_ms),
                        m.repeats);
  if (m.warm_ups > 0) text += fmt::format(" after {} to warm up", m.warm_ups);
  text += m.cold_l2 ? ", L2 cold" : m.repeats > 1 ? ", L2 warm" : "";
  if (m.sm_mhz) text += fmt::format(", SM at {:.0f} MHz", *m.sm_mhz);
  if (m.launch_us) text += fmt::format("; an empty launch takes {:.1f} us of it", *m.launch_us);
  return text;
}

std::string gpu_lines(const GpuRun& gpu) {
  std::string text;
  if (gpu.times.measured)
    text += fmt::format("  {}\n", measured_line(*gpu.times.measured));
  else if (gpu.times.kernel_ms && gpu.status == "ok")
    text += fmt::format("  {} ms, one launch\n", milliseconds(*gpu.times.kernel_ms));
  if (!gpu.device.empty() && gpu.own_process) text += "  in a process of its own\n";
  if (gpu.compared)
    text += gpu.difference.empty() ? "  every output is the emulator's, bit for bit\n"
                                   : fmt::format("  {}\n", gpu.difference);
  if (!gpu.note.empty()) text += fmt::format("  {}\n", gpu.note);
  return text;
}

Json json_of(const Measured& m) {
  Json out;
  out["median_ms"] = m.median_ms;
  out["low_ms"] = m.low_ms;
  out["high_ms"] = m.high_ms;
  out["warm_ups"] = m.warm_ups;
  out["repeats"] = m.repeats;
  out["cold_l2"] = m.cold_l2;
  out["launch_us"] = or_null(m.launch_us);
  out["sm_mhz"] = or_null(m.sm_mhz);
  out["memory_mhz"] = or_null(m.memory_mhz);
  out["note"] = or_null(m.note);
  return out;
}

Json json_of(const GpuRun& gpu) {
  Json out;
  out["device"] = or_null(gpu.device);
  out["status"] = or_null(gpu.status);
  out["own_process"] = gpu.own_process;
  out["kernel_ms"] = or_null(gpu.times.kernel_ms);
  out["measured"] = gpu.times.measured ? json_of(*gpu.times.measured) : Json(nullptr);
  out["same_as_emulator"] = gpu.compared ? Json(gpu.difference.empty()) : Json(nullptr);
  out["difference"] = or_null(gpu.difference);
  out["note"] = or_null(gpu.note);
  return out;
}

}  // namespace warpbook
