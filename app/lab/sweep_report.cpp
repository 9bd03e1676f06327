// A sweep as a table, as CSV and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "lab/json_parts.h"
#include "lab/paint.h"
#include "lab/sweep.h"
#include "lab/time_report.h"

namespace warpbook {

namespace {

using Json = nlohmann::ordered_json;

/// The fastest setting of each GPU.
std::map<std::string, const SweepPoint*> fastest(const SweepResult& result) {
  std::map<std::string, const SweepPoint*> best;
  for (const SweepPoint& point : result.points) {
    if (!point.time) continue;
    const SweepPoint*& one = best[point.gpu];
    if (!one || point.time->us < one->time->us) one = &point;
  }
  return best;
}

std::string quoted(const std::string& text) {
  return text.find_first_of(",\"\n") == std::string::npos ? text
                                                          : "\"" + replace_all(text, "\"", "\"\"") + "\"";
}

}  // namespace

std::string sweep_as_text(const SweepResult& result, const TextStyle& style) {
  const Paint paint{style.colour};
  const auto best = fastest(result);
  size_t gpu_width = 3, setting_width = 7;
  for (const SweepPoint& point : result.points) {
    gpu_width = std::max(gpu_width, point.gpu.size());
    setting_width = std::max(setting_width, words_of(point.setting).size());
  }
  std::string text =
      paint.quiet(fmt::format("{:<{}}  {:<{}}  {:>10}  {:>22}  {:>9}  {:>5}  most of it\n", "setting",
                              setting_width, "GPU", gpu_width, "modelled", "between", "occupancy", "waves"));
  for (const SweepPoint& point : result.points) {
    text += fmt::format("{:<{}}  {:<{}}  ", words_of(point.setting), setting_width, point.gpu, gpu_width);
    if (!point.time) {
      text += paint.bad(fmt::format("{}: {}", point.status, point.message)) + "\n";
      continue;
    }
    const ModelledTime& time = *point.time;
    const auto found = best.find(point.gpu);
    const bool wins = found != best.end() && found->second == &point;
    text += fmt::format("{:>10}  {:>22}  {:>7.1f} %  {:>5.3g}  {}{}\n", time_in_words(time.us),
                        time_in_words(time.low_us) + " to " + time_in_words(time.high_us), point.occupancy,
                        time.waves, time.dominating, wins ? paint.good("  <- fastest") : "");
  }
  text += paint.quiet(
      "Modelled times: the order and the ratios are what they are good for. Registers are those that ptxas "
      "gave "
      "the first GPU's architecture.\n");
  if (!result.complete) text += paint.warn("The sweep was cancelled; this is what was done.\n");
  return text;
}

std::string sweep_as_csv(const SweepResult& result) {
  std::string text;
  for (const SweepAxis& axis : result.axes) text += axis.name + ",";
  text += "gpu,status,us,low_us,high_us,occupancy_pct,waves,dominating,registers,message\n";
  for (const SweepPoint& point : result.points) {
    for (const auto& [name, value] : point.setting) text += std::to_string(value) + ",";
    text += quoted(point.gpu) + "," + point.status + ",";
    if (point.time) {
      text += fmt::format("{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{},", point.time->us, point.time->low_us,
                          point.time->high_us, point.occupancy, point.time->waves, point.time->dominating);
    } else {
      text += ",,,,,,";
    }
    text += std::to_string(point.registers) + "," + quoted(point.message) + "\n";
  }
  return text;
}

std::string sweep_as_json(const SweepResult& result) {
  Json out;
  out["complete"] = result.complete;
  out["points"] = Json::array();
  for (const SweepPoint& point : result.points) {
    Json one;
    one["setting"] = Json::object();
    for (const auto& [name, value] : point.setting) one["setting"][name] = value;
    one["gpu"] = point.gpu;
    one["status"] = point.status;
    one["message"] = point.message.empty() ? Json(nullptr) : Json(point.message);
    one["launch"] = {{"grid", json_of(point.launch.grid)},
                     {"block", json_of(point.launch.block)},
                     {"shared", point.launch.shared_bytes}};
    one["registers"] = point.registers;
    one["occupancy_pct"] = point.occupancy;
    one["modelled"] = point.time ? json_of(*point.time) : Json(nullptr);
    if (point.time) one["modelled"].erase("not_modelled");
    out["points"].push_back(std::move(one));
  }
  return json_text(out);
}

}  // namespace warpbook
