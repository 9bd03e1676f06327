#include "ui/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "base/clock.h"
#include "base/text.h"
#include "lab/opened_launch.h"
#include "lab/program.h"

namespace warpbook::ui {

namespace {

// A stale run that is nearly done is worth its picture; after this long a newer request matters more.
constexpr double stale_run_seconds = 0.2;

}  // namespace

Runner::Runner(Workers workers, std::function<void()> wake)
    : workers_(std::move(workers)), wake_(std::move(wake)), thread_([this] { work(); }) {}

Runner::~Runner() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    waiting_lab_.reset();
    waiting_check_.reset();
    waiting_sweep_.reset();
    waiting_replay_.reset();
    if (progress_) progress_->run.stop = true;
  }
  changed_.notify_all();
  thread_.join();
}

uint64_t Runner::submit(LabJob job, double delay) {
  uint64_t ticket = 0;
  {
    const std::lock_guard lock(mutex_);
    waiting_lab_ = std::move(job);
    lab_not_before_ = steady_seconds() + delay;
    ticket = waiting_lab_ticket_ = next_ticket_++;
  }
  changed_.notify_all();
  return ticket;
}

uint64_t Runner::submit(CheckJob job) {
  uint64_t ticket = 0;
  {
    const std::lock_guard lock(mutex_);
    waiting_check_ = std::move(job);
    ticket = waiting_check_ticket_ = next_ticket_++;
    // A check was asked for by hand: a lab run that only follows the controls gives way.
    if (progress_ && !running_check_ && !running_sweep_ &&
        steady_seconds() - running_since_ > stale_run_seconds)
      progress_->run.stop = true;
  }
  changed_.notify_all();
  return ticket;
}

uint64_t Runner::submit(SweepJob job) {
  uint64_t ticket = 0;
  {
    const std::lock_guard lock(mutex_);
    waiting_sweep_ = std::move(job);
    ticket = waiting_sweep_ticket_ = next_ticket_++;
    if (progress_ && running_sweep_) progress_->run.stop = true;
  }
  changed_.notify_all();
  return ticket;
}

uint64_t Runner::submit(ReplayJob job) {
  uint64_t ticket = 0;
  {
    const std::lock_guard lock(mutex_);
    waiting_replay_ = std::move(job);
    ticket = waiting_replay_ticket_ = next_ticket_++;
  }
  changed_.notify_all();
  return ticket;
}

void Runner::cancel() {
  {
    const std::lock_guard lock(mutex_);
    waiting_lab_.reset();
    waiting_check_.reset();
    waiting_sweep_.reset();
    waiting_replay_.reset();
    if (progress_) progress_->run.stop = true;
  }
  changed_.notify_all();
}

void Runner::tick() {
  const std::lock_guard lock(mutex_);
  if (progress_ && !running_check_ && !running_sweep_ && waiting_lab_ &&
      (picture_shown_ || steady_seconds() - running_since_ > stale_run_seconds)) {
    progress_->run.stop = true;
  }
}

RunnerStatus Runner::status() const {
  const std::lock_guard lock(mutex_);
  RunnerStatus status;
  status.busy = progress_ || waiting_lab_ || waiting_check_ || waiting_sweep_ || waiting_replay_;
  status.running_check = running_check_;
  status.running_sweep = running_sweep_;
  status.key = running_key_;
  if (progress_) {
    status.seconds = steady_seconds() - running_since_;
    status.stage = progress_->run.stage;
    status.done = progress_->done;
    status.total = progress_->total;
  }
  return status;
}

std::vector<Finished> Runner::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(finished_, {});
}

/// Without the lock.
void Runner::show_live(const LabJob& job, const Finished& finished, RunProgress& progress) {
  auto picture = workers_.run_live(job, progress);
  if (!picture) return;
  Finished shown;
  shown.key = finished.key;
  shown.ticket = finished.ticket;
  shown.live = std::move(picture);
  {
    const std::lock_guard lock(mutex_);
    picture_shown_ = true;
    finished_.push_back(std::move(shown));
  }
  wake_();
}

void Runner::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    while (!closing_ && !waiting_check_ && !waiting_sweep_ && !(waiting_replay_ && !waiting_lab_) &&
           !(waiting_lab_ && steady_seconds() >= lab_not_before_)) {
      if (waiting_lab_) {
        changed_.wait_for(lock, std::chrono::duration<double>(lab_not_before_ - steady_seconds()));
      } else {
        changed_.wait(lock);
      }
    }
    if (closing_) return;
    Finished finished;
    auto progress = std::make_shared<CheckProgress>();
    progress_ = progress;
    running_since_ = steady_seconds();
    if (waiting_check_) {
      const CheckJob job = std::move(*waiting_check_);
      waiting_check_.reset();
      running_check_ = true;
      running_key_ = finished.key = job.key;
      finished.ticket = waiting_check_ticket_;
      lock.unlock();
      finished.check = workers_.run_check(job, *progress);
      if (*finished.check && workers_.count_versions)
        finished.versions = workers_.count_versions(job, progress->run);
    } else if (waiting_sweep_) {
      const SweepJob job = std::move(*waiting_sweep_);
      waiting_sweep_.reset();
      running_sweep_ = true;
      running_key_ = finished.key = job.lab.key;
      finished.ticket = waiting_sweep_ticket_;
      lock.unlock();
      finished.sweep = workers_.run_sweep(job, *progress);
    } else if (!waiting_lab_) {
      const ReplayJob job = std::move(*waiting_replay_);
      waiting_replay_.reset();
      running_key_ = finished.key = job.key;
      finished.ticket = waiting_replay_ticket_;
      lock.unlock();
      finished.replay = workers_.run_replay(job, progress->run);
    } else {
      const LabJob job = std::move(*waiting_lab_);
      waiting_lab_.reset();
      running_key_ = finished.key = job.key;
      finished.ticket = waiting_lab_ticket_;
      lock.unlock();
      finished.controls = job.controls;
      finished.variant = job.variant;
      finished.source = job.source;
      if (job.made) {
        finished.made = job.made;
        finished.models = workers_.model_lab(job);
      } else {
        if (job.live && workers_.run_live) show_live(job, finished, progress->run);
        RunModels models;
        finished.run = workers_.run_lab(job, progress->run, models);
        finished.models = std::move(models);
        if (*finished.run && (*finished.run)->program && workers_.last_launches)
          finished.launches = workers_.last_launches();
      }
    }
    lock.lock();
    finished.seconds = steady_seconds() - running_since_;
    progress_.reset();
    running_key_.clear();
    running_check_ = running_sweep_ = picture_shown_ = false;
    finished_.push_back(std::move(finished));
    lock.unlock();
    wake_();
    lock.lock();
  }
}

namespace {

Result<Done> choose_gpu(Session& session, const std::string& name) {
  if (name.empty() || session.gpu.name == name) return Done{};
  Result<GpuRow> gpu = gpu_named(session.gpus, name);
  if (!gpu) return gpu.error();
  session.gpu = std::move(*gpu);
  return Done{};
}

/// The warp that pictures follow: `record_block` (counted along x first) and `record_warp` of a view's
/// options, expressions of the controls; the first of the launch without them. Past the end means the last.
Result<std::pair<Dim3, uint32_t>> warp_to_record(const Lab& lab, const Values& values, const Launch& launch) {
  uint64_t block = 0, warp = 0;
  for (const ViewSpec& spec : lab.views) {
    for (const auto& [key, text] : spec.options) {
      uint64_t* wanted = key == "record_block" ? &block : key == "record_warp" ? &warp : nullptr;
      if (!wanted) continue;
      const Result<std::string> number = fill_in(text, values);
      if (!number) return number.error();
      std::string digits = *number;
      digits.erase(std::remove(digits.begin(), digits.end(), '"'), digits.end());
      *wanted = uint64_t(std::max<int64_t>(0, parse_int(digits).value_or(0)));
    }
  }
  const Dim3 grid = launch.grid;
  const uint64_t blocks = std::max<uint64_t>(1, grid.count());
  const uint64_t warps = std::max<uint64_t>(1, (launch.block.count() + 31) / 32);
  block = std::min(block, blocks - 1);
  const uint64_t row = std::max(1u, grid.x), plane = row * std::max(1u, grid.y);
  return std::pair{
      Dim3{uint32_t(block % row), uint32_t(block / row % std::max(1u, grid.y)), uint32_t(block / plane)},
      uint32_t(std::min(warp, warps - 1))};
}

struct LabToRun {
  const Lab* lab = nullptr;
  Values values;
  RunRequest request;
};

/// Chooses the job's GPU too.
Result<LabToRun> lab_of(Session& session, const LabJob& job) {
  const Lesson* lesson = job.library->lesson(job.lesson);
  const Lab* lab = lesson ? lesson->lab(job.lab) : nullptr;
  if (!lab)
    return Error{fmt::format("there is no lab {} in {}", job.lab, job.lesson), Trouble::not_found, {}, {}};
  if (const Result<Done> chosen = choose_gpu(session, job.gpu); !chosen) return chosen.error();
  Result<Values> values = complete_values(*lab, job.controls);
  if (!values) return values.error();
  Result<RunRequest> request = request_for(*lesson, *lab, *values, job.variant);
  if (!request) return request.error();
  if (job.source) request->source = *job.source;
  // The lessons' own kernels are known to be right, or are told at once; a control must not wait for more.
  request->debug_build = job.source ? DebugBuild::always : DebugBuild::when_faulty;
  return LabToRun{lab, std::move(*values), std::move(*request)};
}

/// The launch that a view of the lab asks the model about in place of the lab's own: its options `blocks`,
/// `work` and `bytes`, expressions of the controls.
std::optional<LargerLaunch> larger_launch(const Lab& lab, const Values& values) {
  std::optional<LargerLaunch> larger;
  for (const ViewSpec& spec : lab.views) {
    for (const auto& [key, text] : spec.options) {
      if (key != "blocks" && key != "work" && key != "bytes") continue;
      const Result<std::string> filled = fill_in(text, values);
      if (!filled) return std::nullopt;
      std::string digits = *filled;
      digits.erase(std::remove(digits.begin(), digits.end(), '"'), digits.end());
      const auto number = double(std::max<int64_t>(1, parse_int(digits).value_or(1)));
      if (!larger) larger.emplace();
      if (key == "blocks") larger->blocks = uint64_t(number);
      if (key == "work") larger->work = number;
      if (key == "bytes") larger->footprint_bytes = number;
    }
    if (larger) break;
  }
  if (larger && larger->blocks == 0) larger.reset();
  return larger;
}

void add_larger(const Session& session, const std::vector<GpuSpec>& gpus, const LabToRun& lab,
                const RunResult& result, RunModels& models) {
  const auto larger = larger_launch(*lab.lab, lab.values);
  const auto gpu = gpu_named(gpus, session.gpu.name);
  if (!larger || !gpu) return;
  if (auto time = modelled_larger(*gpu, result, models, *larger)) models.larger = std::move(*time);
}

Result<RunResult> run_lab_on(Session& session, const std::vector<GpuSpec>& gpus, const LabJob& job,
                             RunProgress& progress, RunModels& models) {
  Result<LabToRun> found = lab_of(session, job);
  if (!found) return found.error();
  RunRequest& request = found->request;
  request.order = job.order;
  request.write_maps = job.write_maps;
  request.per_warp = job.per_warp;
  if (job.recording || job.block_recording) {
    const Result<std::pair<Dim3, uint32_t>> warp =
        warp_to_record(*found->lab, found->values, request.launch.value_or(Launch{}));
    if (!warp) return warp.error();
    if (job.recording) request.record = *warp;
    if (job.block_recording) request.record_block = warp->first;
  }
  if (job.opened) return run_opened(session, *job.opened, request, &progress);
  auto result = run_with_models(session, request, gpus, models, &progress);
  if (result) add_larger(session, gpus, *found, *result, models);
  return result;
}

/// What colours numbers, and for which GPU it was compiled.
struct KnownColours {
  std::array<uint8_t, 16> gpu{};
  std::shared_ptr<const CompiledCode> code;
};

/// Compiled once a GPU; null where that does not work: then the host colours.
std::shared_ptr<const CompiledCode> colours_for(Session& session, KnownColours& known) {
  if (!session.gpu_device) return nullptr;
  const auto& gpu = session.gpu_device->capabilities().uuid;
  if (!known.code || known.gpu != gpu) {
    auto compiled = compile_colours(session);
    known = {gpu, compiled ? std::make_shared<const CompiledCode>(std::move(*compiled)) : nullptr};
  }
  return known.code;
}

std::shared_ptr<const LivePicture> run_live_on(Session& session, const LabJob& job, RunProgress& progress,
                                               KnownColours& known) {
  Result<LabToRun> found = lab_of(session, job);
  if (!found) return nullptr;
  found->request.level = Level::run;
  found->request.live = true;
  auto picture = std::make_shared<LivePicture>();
  // Before the run: what it leaves must be shown at once.
  picture->colours = colours_for(session, known);
  auto result = run(session, found->request, &progress);
  // Whatever is wrong, the run that follows tells.
  if (!result || result->status != "ok" || !result->on_gpu || result->on_gpu->buffers.empty()) return nullptr;
  picture->run = std::move(*result->on_gpu);
  picture->types = buffer_types(found->request.args);
  picture->values = std::move(found->values);
  return picture;
}

RunModels model_lab_on(Session& session, const std::vector<GpuSpec>& gpus, const LabJob& job) {
  const Result<LabToRun> found = lab_of(session, job);
  RunModels models;
  if (found && job.made_models) {
    models = models_again(session, found->request, *job.made, *job.made_models, gpus);
    add_larger(session, gpus, *found, *job.made, models);
  }
  models.gpu = job.gpu;  // where nothing could be said, that was the answer for this GPU
  return models;
}

Result<SweepResult> run_sweep_on(Session& session, const std::vector<GpuSpec>& gpus, const SweepJob& job,
                                 CheckProgress& progress) {
  if (const Result<Done> chosen = choose_gpu(session, job.lab.gpu); !chosen) return chosen.error();
  const Result<GpuSpec> gpu = gpu_named(gpus, session.gpu.name);
  if (!gpu) return gpu.error();
  SweepPlan plan;
  plan.axes = {{job.control, job.values, false}};
  plan.gpus = {*gpu};
  plan.request = [&session, &job](const SweepSetting& setting) -> Result<RunRequest> {
    LabJob one = job.lab;
    for (const auto& [name, value] : setting) one.controls[name] = value;
    Result<LabToRun> found = lab_of(session, one);
    if (!found) return found.error();
    return std::move(found->request);
  };
  plan.larger = [&session, &job](const SweepSetting& setting) -> std::optional<LargerLaunch> {
    LabJob one = job.lab;
    for (const auto& [name, value] : setting) one.controls[name] = value;
    const Result<LabToRun> found = lab_of(session, one);
    return found ? larger_launch(*found->lab, found->values) : std::nullopt;
  };
  progress.total = int(job.values.size());
  return sweep(
      session, plan, [&progress](size_t done, size_t, const SweepSetting&) { progress.done = int(done); },
      &progress.run);
}

Result<CheckReport> run_check_on(Session& session, const CheckJob& job, CheckProgress& progress) {
  const Lesson* lesson = job.library->lesson(job.lesson);
  const Exercise* exercise = lesson ? lesson->exercise(job.exercise) : nullptr;
  if (!exercise) {
    return Error{
        fmt::format("there is no exercise {} in {}", job.exercise, job.lesson), Trouble::not_found, {}, {}};
  }
  if (const Result<Done> chosen = choose_gpu(session, job.gpu); !chosen) return chosen.error();
  return check(session, *lesson, *exercise, job.source, job.file, 0, &progress);
}

std::shared_ptr<const CountedVersions> count_versions_on(Session& session, const CheckJob& job,
                                                         RunProgress& progress) {
  const Lesson* lesson = job.library->lesson(job.lesson);
  const Exercise* exercise = lesson ? lesson->exercise(job.exercise) : nullptr;
  if (!exercise || exercise->program) return nullptr;
  auto counted = count_versions(session, *lesson, *exercise, job.source, &progress);
  // What went wrong here the check has told already.
  return counted ? std::make_shared<const CountedVersions>(std::move(*counted)) : nullptr;
}

Result<Replay> run_replay_on(Session& session, const ReplayJob& job, RunProgress& progress) {
  if (const Result<Done> chosen = choose_gpu(session, job.gpu); !chosen) return chosen.error();
  if (job.request && job.opened)
    return replay(session, *job.opened, *job.request, job.diagnosis.value_or(Diagnosis{}), &progress);
  if (job.request) return replay(session, *job.request, job.diagnosis.value_or(Diagnosis{}), &progress);
  const Lesson* lesson = job.library->lesson(job.lesson);
  const Exercise* exercise = lesson ? lesson->exercise(job.exercise) : nullptr;
  if (!exercise) {
    return Error{
        fmt::format("there is no exercise {} in {}", job.exercise, job.lesson), Trouble::not_found, {}, {}};
  }
  if (job.order) return replay(session, *lesson, *exercise, job.source, job.file, *job.order, 0, &progress);
  return replay(session, *lesson, *exercise, job.source, job.file, job.diagnosis.value_or(Diagnosis{}), 0,
                &progress);
}

}  // namespace

Workers session_workers(Session& session, const std::vector<GpuSpec>& gpus) {
  Workers workers;
  workers.run_lab = [&session, gpus](const LabJob& job, RunProgress& progress, RunModels& models) {
    return run_lab_on(session, gpus, job, progress, models);
  };
  workers.last_launches = [&session] { return session.programs ? session.programs->launches : nullptr; };
  workers.run_check = [&session](const CheckJob& job, CheckProgress& progress) {
    return run_check_on(session, job, progress);
  };
  workers.count_versions = [&session](const CheckJob& job, RunProgress& progress) {
    return count_versions_on(session, job, progress);
  };
  workers.run_live = [&session, known = std::make_shared<KnownColours>()](const LabJob& job,
                                                                          RunProgress& progress) {
    return run_live_on(session, job, progress, *known);
  };
  workers.model_lab = [&session, gpus](const LabJob& job) { return model_lab_on(session, gpus, job); };
  workers.run_sweep = [&session, gpus](const SweepJob& job, CheckProgress& progress) {
    return run_sweep_on(session, gpus, job, progress);
  };
  workers.run_replay = [&session](const ReplayJob& job, RunProgress& progress) {
    return run_replay_on(session, job, progress);
  };
  return workers;
}

}  // namespace warpbook::ui
