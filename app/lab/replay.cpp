#include "lab/replay.h"

#include <fmt/format.h>

#include "lab/checker.h"
#include "lab/opened_launch.h"
#include "lab/places.h"
#include "lab/schedules.h"

namespace warpbook {

namespace {

/// What a step by step look is worth: a case that ran for longer is not seen again.
constexpr auto longest_replay = std::chrono::seconds(15);
constexpr uint64_t instruction_limit = 200'000'000;

Error nothing_recorded() {
  return {"The block could not be recorded: the run ended before it began.", Trouble::unsupported, {}, {}};
}

bool same_finding(const Diagnosis& a, const Diagnosis& b) {
  return a.kind == b.kind && a.line == b.line && a.buffer == b.buffer;
}

/// An answer compiled once, to be run in cases and orders.
struct Attempt {
  Session& session;
  LoadedKernel kernel;
  RunProgress* progress;

  static Result<Attempt> make(Session& session, const Exercise& exercise, const std::string& source,
                              const std::string& file, RunProgress* progress) {
    std::vector<std::pair<std::string, std::string>> defines;
    for (const auto& [name, value] : exercise.defines) defines.emplace_back(name, std::to_string(value));
    auto compiled = compile_kernel(session, {source, file, exercise.kernel, defines}, progress);
    if (!compiled) return compiled.error();
    if (!compiled->kernel)
      return Error{"The code does not compile any more, so nothing ran.", Trouble::bad_input, {}, {}};
    return Attempt{session, std::move(*compiled->kernel), progress};
  }

  Result<LaunchStep> run(const CheckCase& one, const Schedule& schedule, const std::optional<Dim3>& block,
                         bool write_maps) const {
    RunOptions options;
    options.level = Level::check;
    options.order = schedule.order;
    options.seed = schedule.seed;
    options.max_instructions = instruction_limit;
    options.max_time = longest_replay;
    options.stop = progress ? &progress->stop : nullptr;
    options.record_block = block;
    options.write_maps = write_maps;
    return execute(session, kernel, one.launch, one.arguments, options, 1, progress);
  }

  Result<Replay> record(const CheckCase& one, const Schedule& schedule, const Dim3& block,
                        std::optional<Diagnosis> diagnosis) const {
    auto step = run(one, schedule, block, false);
    if (!step) return step.error();
    if (!step->report.block_recording) return nothing_recorded();
    return Replay{one.launch, one.label, name_of(schedule), std::move(diagnosis),
                  std::move(*step->report.block_recording)};
  }
};

void prepare(RunRequest& request, const Diagnosis& diagnosis) {
  request.record_block = diagnosis.block.value_or(Dim3{0, 0, 0});
  request.schedules = 1;
}

Result<Replay> recorded(const RunRequest& request, Result<RunResult> result, const Diagnosis& diagnosis) {
  if (!result) return result.error();
  if (!result->block_recording) return nothing_recorded();
  const Schedule schedule = request.order == Order::forward ? schedule_numbered(request.seed)
                                                            : Schedule{request.order, request.seed};
  return Replay{result->launch, {}, name_of(schedule), diagnosis, std::move(*result->block_recording)};
}

}  // namespace

Result<Replay> replay(Session& session, RunRequest request, const Diagnosis& diagnosis,
                      RunProgress* progress) {
  prepare(request, diagnosis);
  return recorded(request, run(session, request, progress), diagnosis);
}

Result<Replay> replay(Session& session, const OpenedLaunch& opened, RunRequest request,
                      const Diagnosis& diagnosis, RunProgress* progress) {
  prepare(request, diagnosis);
  return recorded(request, run_opened(session, opened, request, progress), diagnosis);
}

Result<Replay> replay(Session& session, const Lesson& lesson, const Exercise& exercise,
                      const std::string& source, const std::string& file, const Diagnosis& diagnosis,
                      uint64_t seed, RunProgress* progress) {
  const std::lock_guard lock(session.busy);
  const auto cases = cases_of(exercise, lesson.kernels.string(), seed);
  if (!cases) return cases.error();
  auto answer = Attempt::make(session, exercise, source, file, progress);
  if (!answer) return answer.error();
  const Schedule schedule = schedule_numbered(0);
  for (const CheckCase& one : *cases) {
    const auto step = answer->run(one, schedule, std::nullopt, false);
    if (!step) return step.error();
    for (const Diagnosis& found : step->report.diagnostics) {
      if (!same_finding(found, diagnosis)) continue;
      Diagnosis shown = diagnosis;  // its words stay; block, thread and index are those of this case
      shown.block = found.block;
      shown.thread = found.thread;
      shown.index = found.index;
      shown.other = found.other;
      return answer->record(one, schedule, found.block.value_or(Dim3{0, 0, 0}), shown);
    }
  }
  // Found by another build of the code only: the first case with the diagnosis' own block.
  const CheckCase& first = cases->front();
  const Dim3 block = diagnosis.block.value_or(Dim3{0, 0, 0});
  const bool there =
      block.x < first.launch.grid.x && block.y < first.launch.grid.y && block.z < first.launch.grid.z;
  return answer->record(first, schedule, there ? block : Dim3{0, 0, 0}, diagnosis);
}

Result<Replay> replay(Session& session, const Lesson& lesson, const Exercise& exercise,
                      const std::string& source, const std::string& file, const TriedOrder& order,
                      uint64_t seed, RunProgress* progress) {
  const std::lock_guard lock(session.busy);
  const auto cases = cases_of(exercise, lesson.kernels.string(), seed);
  if (!cases) return cases.error();
  if (order.case_index >= cases->size())
    return Error{"The exercise has changed since that check.", Trouble::not_found, {}, "check once more"};
  auto answer = Attempt::make(session, exercise, source, file, progress);
  if (!answer) return answer.error();
  const CheckCase& one = (*cases)[order.case_index];
  const Schedule schedule{order.order, order.seed};
  if (order.buffer.empty()) return answer->record(one, schedule, Dim3{0, 0, 0}, std::nullopt);

  Diagnosis wrong;
  wrong.kind = "schedule-dependent";
  wrong.access = "write";
  wrong.buffer = order.buffer;
  wrong.index = int64_t(order.index);
  wrong.file = file;
  wrong.block = Dim3{0, 0, 0};
  const auto step = answer->run(one, schedule, std::nullopt, true);
  if (!step) return step.error();
  for (const WriteMap& map : step->report.write_maps) {
    if (map.buffer != order.buffer || order.index >= map.writer.size() || map.writer[order.index] < 0)
      continue;
    const uint64_t writer = uint64_t(map.writer[order.index]), threads = one.launch.block.count();
    wrong.block = place_in(writer / threads, one.launch.grid);
    wrong.thread = place_in(writer % threads, one.launch.block);
  }
  wrong.message = fmt::format("{}[{}] comes out wrong in this order{}.", order.buffer, order.index,
                              wrong.thread ? "" : "; nobody wrote it");
  return answer->record(one, schedule, *wrong.block, wrong);
}

}  // namespace warpbook
