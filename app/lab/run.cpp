// A run from the request to the result: header and options become a launch, the source becomes a kernel, both
// become outputs, counters and diagnoses.
#include "lab/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/complaint.h"
#include "base/text.h"
#include "device/resources.h"
#include "lab/debug_run.h"
#include "lab/execute.h"
#include "lab/explain.h"
#include "lab/gpu_run.h"
#include "lab/launch_advice.h"
#include "lab/program.h"
#include "lab/schedules.h"

namespace warpbook {

namespace {

using Clock = std::chrono::steady_clock;

/// A command ends within 20 s; the rest is for compiling and writing.
constexpr double command_seconds = 18;

struct Plan {
  std::string kernel;
  Launch launch;
  std::vector<std::string> specs;
};

std::string name_part(std::string_view spec) { return std::string(trim(spec.substr(0, spec.find('=')))); }

/// Header lines, each overridden by what the request says.
Result<Plan> plan_of(const RunRequest& request) {
  const auto bad = [&](std::string message, std::string hint) {
    return complaint(std::move(message), std::move(hint), {request.file, 0, 0});
  };
  if (trim(request.source).empty())
    return bad("the file is empty", "a kernel is a function that starts with __global__ void");
  Plan plan;
  SourceHeader header;
  // A request that says everything does not trip over comments.
  const bool complete = request.args_complete && request.launch && !request.kernel.empty();
  if (!complete) {
    auto parsed = parse_header(request.source, request.file);
    if (!parsed) return parsed.error();
    header = std::move(*parsed);
  }
  plan.kernel = !request.kernel.empty() ? request.kernel : header.kernel.value_or("");
  const auto& launch = request.launch ? request.launch : header.launch;
  if (!launch && (!request.grid || !request.block))
    return bad(
        "nothing says how the kernel is launched",
        "give --grid and --block, or a line // launch: grid=(1,1,1) block=(128,1,1) on top of the file");
  if (launch) plan.launch = *launch;
  if (request.grid) plan.launch.grid = *request.grid;
  if (request.block) plan.launch.block = *request.block;
  if (request.shared_bytes) plan.launch.shared_bytes = *request.shared_bytes;
  if (request.shared_optin) plan.launch.shared_optin = true;

  if (!request.args_complete) plan.specs = header.args;
  for (const std::string& spec : request.args) {
    const std::string name = name_part(spec);
    const auto same = [&](const std::string& other) { return name_part(other) == name; };
    const auto place = std::find_if(plan.specs.begin(), plan.specs.end(), same);
    if (place != plan.specs.end() && !request.args_complete) {
      *place = spec;
    } else {
      plan.specs.push_back(spec);
    }
  }
  return plan;
}

struct Runner {
  Session& session;
  const RunRequest& request;
  RunProgress* progress;
  Clock::time_point start;
  Clock::time_point deadline;
  RunResult result;
  Schedule shown{Order::forward, 0};  ///< the order that the result's faults were found in

  RunResult refuse(Diagnosis diagnosis) {
    result.status = "bad-arguments";
    result.diagnostics.push_back(std::move(diagnosis));
    return finish();
  }
  RunResult finish() {
    result.diagnostics = merge(std::move(result.diagnostics));
    result.exit_code = exit_code_of(result.status);
    return std::move(result);
  }

  RunOptions options(const Schedule& schedule) const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    return run_options(request, schedule, left, progress);
  }

  void take(LaunchStep& step) {
    take_report(result, step.report, request.level);
    take_engine_times(result.times, step.times);
    result.times.emulator_ms = step.times.emulator_ms;
    result.outputs = std::move(step.outputs);
    for (Output& output : result.outputs) summarise(output);
    if (request.level != Level::run) result.trace = last_trace(*session.device);
  }

  /// A further order; what it shows that the first did not is added to the result.
  struct Further {
    std::optional<Difference> difference;
    uint64_t seed = 0;
  };
  Result<Done> compare_schedule(const LoadedKernel& kernel, std::span<const ArgumentSpec> arguments,
                                uint64_t seed, Further& further) {
    const Schedule schedule = schedule_numbered(seed);
    auto step =
        execute(session, kernel, result.launch, arguments, options(schedule), request.repeat, progress);
    if (!step) return step.error();
    ++result.schedules_run;
    const std::string status = status_of(step->report);
    std::move(step->report.diagnostics.begin(), step->report.diagnostics.end(),
              std::back_inserter(result.diagnostics));
    if (status != "ok") {
      result.status = status;
      shown = schedule;
      return Done{};
    }
    if (auto difference = first_difference(result.outputs, step->outputs)) {
      ++result.schedules_different;
      if (!further.difference) further = {std::move(difference), seed};
    }
    return Done{};
  }

  Result<Done> compare_schedules(const LoadedKernel& kernel, std::span<const ArgumentSpec> arguments) {
    Further further;
    for (int i = 1; i < request.schedules && result.status == "ok"; ++i) {
      const auto compared = compare_schedule(kernel, arguments, request.seed + uint64_t(i), further);
      if (!compared) return compared.error();
    }
    if (!further.difference) return Done{};
    const bool race = std::any_of(
        result.diagnostics.begin(), result.diagnostics.end(),
        [&](const Diagnosis& d) { return d.severity == Severity::error && d.kind.rfind("race-", 0) == 0; });
    if (race) return Done{};  // it tells why
    Diagnosis d = schedule_dependent(*further.difference, request.seed, further.seed,
                                     result.schedules_different, result.schedules_run);
    d.file = request.file;
    d.line = kernel.choice.source.line;
    result.diagnostics.push_back(std::move(d));
    return Done{};
  }

  Result<Done> emulate(const LoadedKernel& kernel, std::span<const ArgumentSpec> arguments,
                       const RunOptions& how) {
    auto step = execute(session, kernel, result.launch, arguments, how, request.repeat, progress);
    if (!step) return step.error();
    take(*step);
    return Done{};
  }

  /// The emulator, and the GPU when there is one and the emulator found nothing wrong (DESIGN section 5).
  Result<Done> run_engines(const CompileOrder& order, const LoadedKernel& kernel,
                           std::span<const ArgumentSpec> arguments, const RunOptions& how) {
    const bool gpu = has_gpu(session);
    if (request.live) {
      if (!gpu || !is_ours(request) || prints(kernel)) return Done{};
      return run_on_gpu(session, request, kernel, arguments, how, result, progress);
    }
    const bool only_run = gpu && request.level == Level::run;
    RunOptions look = how;
    if (only_run) {
      look.level = Level::check;
      look.max_instructions = std::min(look.max_instructions, preflight_instructions);
    }
    const bool looked = !only_run || !is_ours(request);
    if (looked) {
      if (const auto ran = emulate(kernel, arguments, look); !ran) return ran;
      // Before the GPU: orders are held against the emulator's outputs, not against a GPU's.
      if (const auto compared = compare_schedules(kernel, arguments); !compared) return compared;
      if (wants_debug_build()) look_closer_at(kernel, order, arguments);
    }
    if (!gpu) return Done{};
    // A look that was cut short found nothing; the GPU may well be faster than the rest of it.
    const bool cut = looked && result.status == "limit" && !has_errors(result.diagnostics);
    if (looked && result.status != "ok" && !cut) {
      result.on_gpu.emplace().note = "Not run on the GPU: the emulator found what is wrong.";
      return Done{};
    }
    if (cut) {
      result.outputs.clear();
      result.diagnostics.erase(std::remove_if(result.diagnostics.begin(), result.diagnostics.end(),
                                              [](const Diagnosis& d) { return d.kind == "long-loop"; }),
                               result.diagnostics.end());
    }
    const auto ran = run_on_gpu(session, request, kernel, arguments, how, result, progress);
    if (!ran && ran.error().trouble == Trouble::cancelled) return ran;
    if (!ran) return without_gpu(kernel, arguments, how, looked && !cut, ran.error());
    const bool failed = result.status == "fault" || result.status == "limit";
    if (failed && (cut || !looked)) return explain_fault(kernel, arguments, how);
    return Done{};
  }

  /// Trouble with the GPU itself: the emulator's result stands, or it runs now.
  Result<Done> without_gpu(const LoadedKernel& kernel, std::span<const ArgumentSpec> arguments,
                           const RunOptions& how, bool emulated, const Error& trouble) {
    if (!emulated)
      if (const auto ran = emulate(kernel, arguments, how); !ran) return ran;
    GpuRun& part = result.on_gpu.emplace();
    part.note = trouble.message + " The emulator ran it instead.";
    if (!trouble.hint.empty()) part.note += " (" + trouble.hint + ")";
    return Done{};
  }

  /// A GPU tells neither thread nor line: the emulator runs the same inputs and looks at every access.
  Result<Done> explain_fault(const LoadedKernel& kernel, std::span<const ArgumentSpec> arguments,
                             const RunOptions& how) {
    RunOptions look = how;
    look.level = Level::check;
    const std::string status = result.status;
    std::optional<GpuRun> part = std::move(result.on_gpu);
    const std::string engine = result.engine;
    if (const auto ran = emulate(kernel, arguments, look); !ran) return ran;
    result.on_gpu = std::move(part);
    result.engine = engine;
    result.status = result.status == "fault" ? result.status : status;
    result.outputs.clear();
    return Done{};
  }

  bool wants_debug_build() const {
    if (request.level != Level::check || result.status == "launch-error" || !session.device->inspector())
      return false;
    return request.debug_build == DebugBuild::always ||
           (request.debug_build == DebugBuild::when_faulty && result.status != "ok");
  }

  /// Level check's second build: what it finds is added to the result, under the learner's names.
  void look_closer_at(const LoadedKernel& kernel, const CompileOrder& compile,
                      std::span<const ArgumentSpec> arguments) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        start + std::chrono::milliseconds(int(command_seconds * 1000)) - Clock::now());
    // After a run that used its time up only a short look is left.
    const std::chrono::milliseconds most(result.status == "limit" ? 2000 : 6000);
    const DebugOrder order{compile,
                           kernel,
                           result.launch,
                           arguments,
                           options(shown),
                           result.warp_instructions,
                           result.fixed_order,
                           std::clamp(left, std::chrono::milliseconds(1), most)};
    result.debug_run = look_closer(session, order, result.diagnostics, progress);
    if ((result.status == "ok" || result.status == "limit") && has_errors(result.diagnostics))
      result.status = "fault";
  }

  Result<RunResult> run() {
    result.engine = session.device->capabilities().engine;
    result.gpu = session.gpu.name;
    result.file = request.file;
    const auto plan = plan_of(request);
    if (!plan) return refuse(as_diagnosis(plan.error(), "bad-argument"));
    result.kernel = plan->kernel;
    result.launch = plan->launch;

    const CompileOrder order{request.source, request.file, plan->kernel, request.defines};
    auto compiled = compile_kernel(session, order, progress);
    if (!compiled) return compiled.error();
    result.times = compiled->times;
    result.diagnostics = std::move(compiled->diagnostics);
    if (!compiled->kernel) {
      result.status = compiled->status;
      return finish();
    }
    const LoadedKernel& kernel = *compiled->kernel;
    result.kernel = kernel.choice.name;

    std::vector<ArgumentSpec> arguments;
    for (const std::string& spec : plan->specs) {
      // The seed is that of the order: inputs stay the same, so that orders can be compared and seen again.
      auto argument = parse_argument(spec, request.folder);
      if (!argument) return refuse(as_diagnosis(argument.error(), "bad-argument"));
      arguments.push_back(std::move(*argument));
    }
    for (Diagnosis& diagnosis : check_arguments(kernel.choice, kernel.info, arguments, request.file))
      result.diagnostics.push_back(std::move(diagnosis));
    if (has_errors(result.diagnostics)) {
      result.status = "bad-arguments";
      return finish();
    }

    deadline = std::min(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(request.max_seconds)),
                        std::max(start + std::chrono::milliseconds(int(command_seconds * 1000)),
                                 Clock::now() + std::chrono::seconds(3)));
    shown = request.order == Order::forward ? schedule_numbered(request.seed)
                                            : Schedule{request.order, request.seed};
    if (const auto ran = run_engines(order, kernel, arguments, options(shown)); !ran) return ran.error();
    // Where nothing is wrong, what could be better.
    if (result.status == "ok" && request.level == Level::check) {
      for (Diagnosis& note : launch_advice(result.launch, session.gpu)) {
        note.file = request.file;
        note.line = kernel.choice.source.line;
        result.diagnostics.push_back(std::move(note));
      }
    }
    const SourceStructure structure(request.source);
    explain(result.diagnostics, {structure, kernel.choice, result.launch, arguments});
    return finish();
  }
};

}  // namespace

const Output* RunResult::output(const std::string& name) const {
  const auto found =
      std::find_if(outputs.begin(), outputs.end(), [&](const Output& o) { return o.name == name; });
  return found == outputs.end() ? nullptr : &*found;
}

Result<RunResult> run(Session& session, const RunRequest& request, RunProgress* progress) {
  const std::lock_guard lock(session.busy);
  if (request.program) return run_program(session, request, progress);
  Runner runner{session, request, progress, Clock::now(), {}, {}};
  return runner.run();
}

}  // namespace warpbook
