#include "lab/versions.h"

#include <algorithm>

#include "base/complaint.h"
#include "lab/checker.h"

namespace warpbook {

namespace {

constexpr uint64_t instruction_limit = 200'000'000;
constexpr auto longest = std::chrono::seconds(10);

Result<VersionCounts> count_one(Session& session, const Exercise& exercise, const CheckCase& one,
                                const std::string& name, const std::string& source, RunProgress* progress) {
  VersionCounts counts;
  counts.name = name;
  std::vector<std::pair<std::string, std::string>> defines;
  for (const auto& [macro, value] : exercise.defines) defines.emplace_back(macro, std::to_string(value));
  auto compiled = compile_kernel(session, {source, name + ".cu", exercise.kernel, defines}, progress);
  if (!compiled) return compiled.error();
  if (!compiled->kernel) {
    counts.status = "compile-error";
    return counts;
  }
  RunOptions options;
  options.level = Level::check;
  options.max_instructions = instruction_limit;
  options.max_time = longest;
  options.stop = progress ? &progress->stop : nullptr;
  const auto step = execute(session, *compiled->kernel, one.launch, one.arguments, options, 1, progress);
  if (!step) return step.error();
  if (step->report.status == RunStatus::cancelled) return Error{"cancelled", Trouble::cancelled, {}, {}};
  counts.status = step->report.status == RunStatus::ok      ? "ok"
                  : step->report.status == RunStatus::limit ? "limit"
                                                            : "fault";
  counts.counters = step->report.counters;
  return counts;
}

/// The counters that say how work was done; totals of bytes and lanes follow from them.
const std::vector<std::string>& telling() {
  static const std::vector<std::string> names = {"warp_instructions",
                                                 "active_lane_share",
                                                 "global_load_sectors_per_request",
                                                 "global_store_sectors_per_request",
                                                 "global_load_lanes",
                                                 "shared_load_requests",
                                                 "shared_load_passes_per_request",
                                                 "local_load_lanes",
                                                 "barriers",
                                                 "divergent_branches"};
  return names;
}

}  // namespace

Result<CountedVersions> count_versions(Session& session, const Lesson& lesson, const Exercise& exercise,
                                       const std::string& mine, RunProgress* progress) {
  const std::lock_guard lock(session.busy);
  if (exercise.program) return complaint("programs are judged by their tape, not by counters");
  const auto cases = cases_of(exercise, lesson.kernels.string(), 0);
  if (!cases) return cases.error();
  if (cases->empty()) return complaint("the exercise has no cases");
  const auto threads = [](const CheckCase& one) {
    return one.launch.grid.count() * one.launch.block.count();
  };
  const CheckCase& one =
      *std::max_element(cases->begin(), cases->end(),
                        [&](const CheckCase& a, const CheckCase& b) { return threads(a) < threads(b); });
  CountedVersions counted;
  counted.with = one.label;
  const Path folder = exercise_folder(lesson, exercise);
  const auto starter = read_file(folder / "exercise.cu"), solution = read_file(folder / "solution.cu");
  if (!starter) return starter.error();
  if (!solution) return solution.error();
  const std::pair<const char*, const std::string*> texts[] = {
      {"Starter", &*starter}, {"Mine", &mine}, {"Solution", &*solution}};
  for (const auto& [name, text] : texts) {
    auto counts = count_one(session, exercise, one, name, *text, progress);
    if (!counts) return counts.error();
    counted.versions.push_back(std::move(*counts));
  }
  for (const Check& check : exercise.checks)
    if (check.check == "counter") counted.gated.push_back(check.name);
  return counted;
}

std::vector<std::string> telling_counters(const CountedVersions& counted, size_t most) {
  std::vector<std::string> names = counted.gated;
  for (const std::string& name : telling()) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::vector<double> values;
    for (const VersionCounts& version : counted.versions) {
      if (!version.counters) continue;
      if (const auto value = counter_value(*version.counters, name)) values.push_back(*value);
    }
    const bool differ = std::any_of(values.begin(), values.end(), [&](double v) { return v != values[0]; });
    if (differ) names.push_back(name);
  }
  if (names.size() > most) names.resize(most);
  return names;
}

}  // namespace warpbook
