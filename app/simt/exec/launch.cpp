// A launch from its checks to its report: prepared, run by workers, and run once more in a fixed order when
// it turns out that its blocks meet in memory.
#include "simt/access/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/parallel.h"
#include "result/l1_path.h"
#include "simt/access/instance.h"
#include "simt/exec/diagnose.h"
#include "simt/exec/frames.h"
#include "simt/exec/launch_checks.h"
#include "simt/exec/scheduler.h"
#include "simt/exec/summary.h"
#include "simt/exec/trace.h"
#include "simt/module.h"

namespace warpbook::simt {
namespace {

RunReport refused(Diagnosis diagnosis) {
  RunReport report;
  report.status = RunStatus::launch_error;
  report.diagnostics.push_back(std::move(diagnosis));
  return report;
}

RunReport bad_argument(std::string message, std::string hint) {
  Diagnosis d;
  d.kind = "bad-argument";
  d.access = "launch";
  d.message = std::move(message);
  d.hint = std::move(hint);
  return refused(std::move(d));
}

RunReport undeclared(const Code& code, const CodeFunction& kernel, const std::string& symbol) {
  Diagnosis d;
  d.kind = "unsupported";
  d.access = "launch";
  const LearnerLine at = learner_line(code, kernel.source->first_point);
  d.file = at.file;
  d.line = at.line;
  d.message = fmt::format("The kernel uses {}, which its code declares nowhere.", symbol);
  d.hint = "Define it in the same file: a launch here has nothing to link with.";
  RunReport report = refused(std::move(d));
  report.status = RunStatus::unsupported;
  return report;
}

/// The parameters one behind the other, each at a multiple of its alignment (PTX ISA 5.1.6.4).
std::vector<std::byte> lay_out_parameters(const ptx::Function& kernel,
                                          std::span<const KernelArgument> arguments) {
  std::vector<std::byte> bytes;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ptx::Variable& parameter = kernel.parameters[i];
    const size_t alignment = std::max<size_t>(1, parameter.alignment);
    bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
    bytes.insert(bytes.end(), arguments[i].bytes.begin(), arguments[i].bytes.end());
  }
  return bytes;
}

std::unique_ptr<Worker> make_worker(LaunchContext& context, uint32_t number) {
  auto worker = std::make_unique<Worker>();
  worker->launch = &context;
  worker->number = number;
  worker->memory = make_memory_worker(*context.memory);
  const auto& functions = context.code->functions;
  worker->free_frames.resize(functions.size());
  if (context.options.level != Level::run) {
    worker->counts.resize(functions.size());
    worker->details.resize(functions.size());
    for (const auto& function : functions) {
      if (!context.plans[function->index].ready) continue;
      worker->counts[function->index].resize(function->blocks.size());
      worker->details[function->index].resize(function->instructions.size());
    }
  }
  return worker;
}

/// Everything back to how it was before the launch.
void back_to_start(LaunchContext& context, std::vector<std::unique_ptr<Worker>>& workers) {
  workers.clear();
  restore_contents(*context.memory);
  context.halt = false;
  context.out_of_time = false;
  context.instructions = 0;
  context.next_block = 0;
}

/// Threads were found to touch the same bytes: one worker that judges them.
void run_again_in_order(LaunchContext& context, std::vector<std::unique_ptr<Worker>>& workers) {
  back_to_start(context, workers);
  judge_races(*context.memory);
  context.communicating = true;
  context.ends_when_suspicious = false;
  workers.push_back(make_worker(context, 0));
  run_in_fixed_order(*workers[0]);
}

/// Blocks one by one as they come, by all workers.
void run_independently(LaunchContext& context, std::vector<std::unique_ptr<Worker>>& workers,
                       unsigned count) {
  for (unsigned i = 0; i < count; ++i) workers.push_back(make_worker(context, i));
  run_workers(count, [&](unsigned i) { run_independent_blocks(*workers[i]); });
}

}  // namespace

RunReport run(Instance& instance, const std::string& kernel, const Launch& launch,
              std::span<const KernelArgument> arguments, const GpuRow& gpu, const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const std::shared_ptr<const Code> code = instance.module().code(options.level);
  const CodeFunction* const function = code->function(kernel);
  if (!function || !function->source->entry) {
    return bad_argument(fmt::format("There is no kernel named {} in this module.", kernel),
                        "Kernels are the functions marked __global__.");
  }
  const ptx::Function& source = *function->source;
  if (arguments.size() != source.parameters.size()) {
    return bad_argument(fmt::format("{} takes {} arguments, but {} are given.", kernel,
                                    source.parameters.size(), arguments.size()),
                        "Give one argument for each parameter, in the order of the parameters.");
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].bytes.size() != source.parameters[i].bytes) {
      return bad_argument(
          fmt::format("Argument {} ({}) has {} bytes; the parameter takes {}.", i + 1, arguments[i].name,
                      arguments[i].bytes.size(), source.parameters[i].bytes),
          "Give a value of the parameter's own type.");
    }
  }
  LaunchContext context;
  context.instance = &instance;
  context.code = code.get();
  context.kernel = function;
  context.launch = launch;
  context.gpu = gpu;
  context.options = options;
  context.started = started;
  context.parameters = lay_out_parameters(source, arguments);
  context.memory = prepare_memory(instance, *code, *function, launch, options, arguments);
  context.memory->l1_byte_cost = l1_byte_cost(gpu.l1_bytes_per_clock);
  const uint64_t static_shared =
      shared_bytes(*context.memory) - std::min(launch.shared_bytes, shared_bytes(*context.memory));
  if (auto refusal = refuse_launch(launch, gpu, *code, *function, static_shared))
    return refused(std::move(*refusal));

  if (const auto workspace = instance.variable(grid_workspace)) {
    const std::array<std::byte, grid_workspace_bytes> zeros{};
    if (auto done = instance.memory().write(*workspace, zeros); !done)
      return bad_argument(done.error().message, {});
  }
  plan_functions(context);
  if (!context.unknown_symbol.empty()) return undeclared(*code, *function, context.unknown_symbol);
  context.communicating = function->blocks_may_communicate;
  const uint64_t blocks = launch.grid.count();
  const unsigned threads = options.threads ? options.threads : available_cores();
  const auto count = unsigned(std::min<uint64_t>(std::max(1u, threads), blocks));
  const bool check = options.level == Level::check;
  std::vector<std::unique_ptr<Worker>> workers;
  RunReport report;
  report.fixed_order = context.communicating;
  if (context.communicating) {
    if (check) judge_races(*context.memory);
    workers.push_back(make_worker(context, 0));
    run_in_fixed_order(*workers[0]);
  } else {
    if (check) look_for_suspicion(*context.memory, count > 1);
    context.ends_when_suspicious = check;
    run_independently(context, workers, count);
    // Each time at least one more buffer has marks of its readers.
    while (check && wants_marks(*context.memory) && !context.cancelled) {
      back_to_start(context, workers);
      look_for_suspicion(*context.memory, count > 1);
      run_independently(context, workers, count);
    }
    if (check && suspicious(*context.memory) && !context.cancelled) {
      run_again_in_order(context, workers);
      report.fixed_order = true;
    }
  }
  instance.trace = collect_trace(context, workers);
  summarise(context, workers, report);
  report.wall_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  return report;
}

}  // namespace warpbook::simt
