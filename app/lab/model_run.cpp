// The run leaves its trace with the device; ptxas' report comes with the code, which is in the cache by then.
#include "lab/model_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/complaint.h"
#include "device/resources.h"
#include "lab/execute.h"
#include "lab/paint.h"
#include "lab/time_report.h"
#include "model/occupancy.h"
#include "model/time_model.h"

namespace warpbook {

namespace {

OccupancyQuestion question_of(const RunResult& result, const RunModels& models) {
  OccupancyQuestion question;
  question.block_size = int64_t(result.launch.block.count());
  question.dynamic_bytes = result.launch.shared_bytes;
  if (models.resources) {
    question.registers = models.resources->registers;
    question.static_bytes = models.resources->static_shared_bytes;
  }
  return question;
}

/// Compiles again out of the cache, for the kernel's name in the PTX and what ptxas said of it.
void look_up_resources(Session& session, const RunRequest& request, const RunResult& result,
                       RunModels& models) {
  const std::lock_guard lock(session.busy);
  const auto step =
      compile_kernel(session, {request.source, request.file, result.kernel, request.defines}, nullptr);
  if (!step || !step->kernel) return;
  for (const KernelResources& one : resources_of(step->kernel->code))
    if (one.name == step->kernel->ptx_name) models.resources = one;
}

/// What the session's GPU makes of a run whose trace is known.
void fill_models(Session& session, const RunRequest& request, const RunResult& result,
                 const std::vector<GpuSpec>& gpus, RunModels& models) {
  models.gpu = session.gpu.name;
  look_up_resources(session, request, result, models);
  const auto gpu = gpu_named(gpus, session.gpu.name);
  const OccupancyQuestion question = question_of(result, models);
  if (!gpu || !models.resources || !occupancy_of(*gpu, question)) return;
  auto picture = std::make_shared<OccupancyPicture>(occupancy_picture(*gpu, question, gpus));
  picture->compiled_for = models.resources->architecture;
  models.occupancy = std::move(picture);
  if (auto modelled = modelled_on(*gpu, result, models)) models.modelled = std::move(*modelled);
}

}  // namespace

Result<RunResult> run_with_models(Session& session, const RunRequest& request,
                                  const std::vector<GpuSpec>& gpus, RunModels& models,
                                  RunProgress* progress) {
  auto result = run(session, request, progress);
  if (!result || result->status == "compile-error" || result->status == "bad-arguments") return result;
  if (result->program) return result;  // the models speak of one kernel, and a program has its tape
  if (result->status == "ok") models.trace = result->trace;
  fill_models(session, request, *result, gpus, models);
  return result;
}

RunModels models_again(Session& session, const RunRequest& request, const RunResult& result,
                       const RunModels& models, const std::vector<GpuSpec>& gpus) {
  RunModels again;
  if (result.program) return again;
  again.trace = models.trace;
  fill_models(session, request, result, gpus, again);
  return again;
}

namespace {

/// What the model is asked about a run; the trace is the run's.
Result<TimeQuestion> time_question(const GpuSpec& gpu, const RunResult& result, const RunModels& models) {
  if (result.status != "ok") return complaint("the run failed, so its time means nothing");
  if (!models.trace || !result.counters)
    return complaint("the run left no trace: it must be at level measure or check, on the emulator");
  if (!models.resources) return complaint("the registers of the kernel are not known");
  const auto occupancy = occupancy_of(gpu, question_of(result, models));
  if (!occupancy) return occupancy.error();
  TimeQuestion question;
  question.launch = result.launch;
  question.trace = models.trace.get();
  question.warp_instructions = result.counters->warp_instructions;
  question.occupancy = *occupancy;
  for (const Output& output : result.outputs) question.footprint_bytes += double(output.data.size());
  return question;
}

}  // namespace

Result<ModelledTime> modelled_on(const GpuSpec& gpu, const RunResult& result, const RunModels& models) {
  const auto question = time_question(gpu, result, models);
  if (!question) return question.error();
  return model_time(gpu, *question);
}

Result<ModelledTime> modelled_larger(const GpuSpec& gpu, const RunResult& result, const RunModels& models,
                                     const LargerLaunch& larger) {
  auto question = time_question(gpu, result, models);
  if (!question) return question.error();
  KernelTrace trace = *models.trace;
  trace.grid_blocks = std::max<uint64_t>(1, larger.blocks);
  trace.complete = false;
  const double a_block =
      double(question->warp_instructions) / double(std::max<uint64_t>(1, result.launch.grid.count()));
  question->launch.grid = {uint32_t(trace.grid_blocks), 1, 1};
  question->trace = &trace;
  question->warp_instructions = uint64_t(a_block * larger.work * double(trace.grid_blocks));
  question->footprint_bytes = larger.footprint_bytes;
  return model_time(gpu, *question);
}

std::string models_as_text(const RunModels& models, bool colour) {
  const Paint paint{colour};
  std::string text;
  if (models.resources && models.occupancy) {
    const KernelResources& r = *models.resources;
    text += fmt::format("\n{}\n  {} registers a thread, {} of static shared memory a block",
                        paint.quiet(fmt::format("compiled for {}:", r.architecture)), r.registers,
                        bytes_in_words(r.static_shared_bytes));
    if (r.stack_bytes) text += fmt::format(", {} of stack a thread", bytes_in_words(r.stack_bytes));
    if (r.spill_store_bytes || r.spill_load_bytes)
      text += fmt::format("; registers spill: {} stored, {} loaded a thread",
                          bytes_in_words(r.spill_store_bytes), bytes_in_words(r.spill_load_bytes));
    const Occupancy& o = models.occupancy->occupancy;
    text += fmt::format("\n  {:.1f} % occupancy on the {}: {}\n", o.percent, models.occupancy->gpu,
                        limit_in_words(models.occupancy->question, o));
  }
  if (models.modelled)
    text += fmt::format("\n{}\n{}", paint.quiet(fmt::format("modelled ({}):", models.modelled->gpu)),
                        modelled_lines(*models.modelled));
  return text;
}

}  // namespace warpbook
