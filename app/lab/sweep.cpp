#include "lab/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/complaint.h"
#include "base/text.h"
#include "lab/source_scan.h"
#include "model/occupancy.h"

namespace warpbook {

namespace {

constexpr size_t most_points = 4096;

Result<std::vector<int64_t>> values_of(const std::string& text, const std::string& whole) {
  const auto bad = [&] {
    return complaint(fmt::format("{} is no sweep", whole),
                     "it is NAME=32..1024 (doubling), NAME=32..256:32 (steps of 32) or NAME=8,16,32");
  };
  std::vector<int64_t> values;
  if (const size_t dots = text.find(".."); dots != std::string::npos) {
    const size_t colon = text.find(':', dots);
    const auto first = parse_int(trim(std::string_view(text).substr(0, dots)));
    const auto last = parse_int(trim(std::string_view(text).substr(
        dots + 2, colon == std::string::npos ? std::string::npos : colon - dots - 2)));
    const auto step = colon == std::string::npos ? std::optional<int64_t>(0)
                                                 : parse_int(trim(std::string_view(text).substr(colon + 1)));
    if (!first || !last || !step || *last < *first || *step < 0 || (*step == 0 && *first < 1)) return bad();
    if (colon != std::string::npos && *step == 0) return bad();
    for (int64_t value = *first; value <= *last && values.size() <= most_points;
         value = *step ? value + *step : value * 2)
      values.push_back(value);
  } else {
    for (const auto& piece : split(text, ',')) {
      const auto value = parse_int(trim(piece));
      if (!value) return bad();
      values.push_back(*value);
    }
  }
  if (values.empty()) return bad();
  return values;
}

/// Why a definition of `name` above the source would change nothing, so that a sweep would show equal rows.
std::optional<Error> not_a_macro_of(const std::string& source, const std::string& name) {
  bool used = false, guarded = false;
  for (const Token& token : tokens_of(source)) used |= token.kind == Token::Kind::word && token.text == name;
  for (const auto line : split(source, '\n')) {
    const std::string_view text = trim(line);
    if (!starts_with(text, "#")) continue;
    // A directive's own words: the name may be all that a condition or another macro asks for.
    const auto words = tokens_of(text.substr(1));
    for (const Token& word : words) used |= word.text == name;
    if (words.size() < 2 || words[1].text != name) continue;
    if (words[0].text == "ifndef") guarded = true;
    if (words[0].text == "define" && !guarded)
      return complaint(fmt::format("the source defines {} itself, so another value would not count", name),
                       fmt::format("put #ifndef {0} before its #define {0}, and #endif after it", name));
  }
  if (used) return std::nullopt;
  return complaint(fmt::format("--define {0}: the source names no {0}", name),
                   "say a macro that the kernel uses; every row would be the same");
}

/// Every combination, the first axis slowest.
std::vector<SweepSetting> settings_of(const std::vector<SweepAxis>& axes) {
  std::vector<SweepSetting> settings(1);
  for (const SweepAxis& axis : axes) {
    std::vector<SweepSetting> next;
    for (const SweepSetting& setting : settings)
      for (const int64_t value : axis.values) {
        next.push_back(setting);
        next.back().emplace_back(axis.name, value);
      }
    settings = std::move(next);
  }
  return settings;
}

SweepPoint point_of(const SweepSetting& setting, const RunResult& ran, const RunModels& models,
                    const GpuSpec& gpu, const std::optional<LargerLaunch>& larger) {
  SweepPoint point;
  point.setting = setting;
  point.gpu = gpu.name;
  point.status = ran.status;
  point.launch = ran.launch;
  if (models.resources) {
    point.registers = models.resources->registers;
    const auto occupancy =
        occupancy_of(gpu, {int64_t(ran.launch.block.count()), models.resources->registers,
                           models.resources->static_shared_bytes, ran.launch.shared_bytes, -1, 1});
    if (occupancy) point.occupancy = occupancy->percent;
  }
  if (auto time = larger ? modelled_larger(gpu, ran, models, *larger) : modelled_on(gpu, ran, models)) {
    point.time = std::move(*time);
  } else {
    point.message = time.error().message;
  }
  if (ran.status != "ok" && !ran.diagnostics.empty()) point.message = ran.diagnostics.front().message;
  return point;
}

}  // namespace

Result<SweepAxis> parse_axis(const std::string& text, bool define) {
  const size_t equals = text.find('=');
  SweepAxis axis;
  axis.define = define;
  axis.name = std::string(trim(std::string_view(text).substr(0, equals)));
  if (equals == std::string::npos || axis.name.empty())
    return complaint(fmt::format("{} is no sweep", text), "it is NAME=values, such as block=32..1024");
  auto values = values_of(text.substr(equals + 1), text);
  if (!values) return values.error();
  axis.values = std::move(*values);
  return axis;
}

Result<Done> apply_to_launch(Launch& launch, const std::string& name, int64_t value) {
  const auto refuse = [&](const char* why) { return complaint(fmt::format("{}={} {}", name, value, why)); };
  if (name == "block" || name == "block.x") {
    if (value < 1 || value > 4096) return refuse("is no block");
    const uint64_t threads = uint64_t(launch.grid.x) * launch.block.x;
    launch.block.x = uint32_t(value);
    launch.grid.x = uint32_t((threads + uint64_t(value) - 1) / uint64_t(value));
  } else if (name == "grid" || name == "grid.x") {
    if (value < 1 || value > int64_t(INT32_MAX)) return refuse("is no grid");
    launch.grid.x = uint32_t(value);
  } else if (name == "shared") {
    if (value < 0 || value > int64_t(INT32_MAX)) return refuse("is no size of shared memory");
    launch.shared_bytes = uint32_t(value);
    launch.shared_optin = true;
  } else {
    return complaint(
        fmt::format("--over {} is not known", name),
        "it is block, grid, shared, or a control of the lab; macros of the source go to --define");
  }
  return Done{};
}

Result<Done> define_in_source(std::string& source, const std::string& name, int64_t value) {
  if (auto why = not_a_macro_of(source, name)) return *why;
  size_t at = 0;
  int line = 1;
  while (at < source.size()) {
    const size_t end = std::min(source.find('\n', at), source.size());
    const std::string_view text = trim(std::string_view(source).substr(at, end - at));
    if (!text.empty() && !starts_with(text, "//")) break;
    at = std::min(end + 1, source.size());
    ++line;
  }
  source.insert(at, fmt::format("#define {} {}\n#line {}\n", name, value, line));
  return Done{};
}

std::string words_of(const SweepSetting& setting) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : setting) parts.push_back(fmt::format("{}={}", name, value));
  return join(parts, " ");
}

Result<SweepResult> sweep(Session& session, const SweepPlan& plan,
                          const std::function<void(size_t, size_t, const SweepSetting&)>& before,
                          RunProgress* progress) {
  SweepResult result;
  result.axes = plan.axes;
  const std::vector<SweepSetting> settings = settings_of(plan.axes);
  if (settings.size() > most_points)
    return complaint(
        fmt::format("{} settings are more than a sweep takes ({})", settings.size(), most_points));
  // A value that means nothing is told before anything runs.
  for (const SweepSetting& setting : settings) {
    const auto request = plan.request(setting);
    if (request) continue;
    Error error = request.error();
    error.message = fmt::format("{}: {}", words_of(setting), error.message);
    return error;
  }
  for (size_t i = 0; i < settings.size(); ++i) {
    if (progress && progress->stop) {
      result.complete = false;
      break;
    }
    if (before) before(i, settings.size(), settings[i]);
    auto request = plan.request(settings[i]);
    if (!request) return request.error();
    request->level = Level::measure;
    RunModels models;
    const auto ran = run_with_models(session, *request, {}, models, progress);
    if (!ran && ran.error().trouble == Trouble::cancelled) {
      result.complete = false;
      break;
    }
    if (!ran) return ran.error();
    const auto larger = plan.larger ? plan.larger(settings[i]) : std::nullopt;
    for (const GpuSpec& gpu : plan.gpus)
      result.points.push_back(point_of(settings[i], *ran, models, gpu, larger));
  }
  return result;
}

}  // namespace warpbook
