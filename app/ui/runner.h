#pragma once
// Work behind the frame: one worker thread takes the newest request of each kind, drops what is stale, and
// wakes the window when something is done. Nothing here blocks a frame.
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lab/check.h"
#include "lab/model_run.h"
#include "lab/replay.h"
#include "lab/run.h"
#include "lab/sweep.h"
#include "lab/versions.h"
#include "lesson/lesson.h"
#include "ui/gpu_pictures.h"

namespace warpbook {
struct OpenedLaunch;     // lab/opened_launch.h
struct ProgramLaunches;  // likewise
}  // namespace warpbook

namespace warpbook::ui {

/// A lab with its controls at values.
struct LabJob {
  std::string key;                         ///< "02-hello-grid/cover"
  std::shared_ptr<const Library> library;  ///< keeps the lesson alive while it runs
  std::string lesson, lab, variant, gpu;
  Values controls;
  Order order = Order::forward;
  std::optional<std::string> source;  ///< the learner's experiment in place of the lesson's file
  bool write_maps = false, per_warp = false, recording = false, block_recording = false;
  std::shared_ptr<const OpenedLaunch> opened;  ///< the lab is this launch of a whole program
  bool live = false;  ///< a view shows the GPU's picture before the emulator is asked
  /// A run that was made and its models: another GPU is asked about, and nothing runs again.
  std::shared_ptr<const RunResult> made;
  std::shared_ptr<const RunModels> made_models;
};

/// A lab over values of one control, the others as they stand.
struct SweepJob {
  LabJob lab;
  std::string control;
  std::vector<int64_t> values;
};

struct CheckJob {
  std::string key;  ///< "02-hello-grid/cover-all"
  std::shared_ptr<const Library> library;
  std::string lesson, exercise, source, file, gpu;
};

/// A run that is to be seen again, block by block and step by step: of a lab (`request`), or of an answer to
/// an exercise (`source`).
struct ReplayJob {
  std::string key;  ///< of the lab or exercise
  std::shared_ptr<const Library> library;
  std::string lesson, exercise, source, file, gpu;
  std::optional<RunRequest> request;
  std::shared_ptr<const OpenedLaunch> opened;  ///< what the request runs, see LabJob
  std::optional<Diagnosis> diagnosis;
  std::optional<TriedOrder> order;
};

/// How jobs are done; the app gives the lab's functions, tests their own.
struct Workers {
  std::function<Result<RunResult>(const LabJob&, RunProgress&, RunModels&)> run_lab;
  std::function<Result<CheckReport>(const CheckJob&, CheckProgress&)> run_check;
  std::function<RunModels(const LabJob&)> model_lab;  ///< of a job whose run was made
  std::function<Result<SweepResult>(const SweepJob&, CheckProgress&)> run_sweep;
  std::function<Result<Replay>(const ReplayJob&, RunProgress&)> run_replay = nullptr;
  /// What the versions of an answer count, after its check; null where there is nothing to count.
  std::function<std::shared_ptr<const CountedVersions>(const CheckJob&, RunProgress&)> count_versions =
      nullptr;
  std::function<std::shared_ptr<const ProgramLaunches>()> last_launches =
      nullptr;  ///< of the program that ran last
  /// The picture alone, on the GPU; null where there is none to be had.
  std::function<std::shared_ptr<const LivePicture>(const LabJob&, RunProgress&)> run_live = nullptr;
};

struct Finished {
  std::string key;
  uint64_t ticket = 0;
  double seconds = 0;
  Values controls;      ///< of a lab run: what the result was made with
  std::string variant;  ///< ... and the lesson's file, or the learner's text in its place
  std::optional<std::string> source;
  std::shared_ptr<const LivePicture> live;  ///< alone; the run itself follows under the same ticket
  std::optional<Result<RunResult>> run;
  std::shared_ptr<const RunResult> made;            ///< the job's, when nothing ran
  std::shared_ptr<const ProgramLaunches> launches;  ///< of a whole program: what can be opened
  std::optional<RunModels> models;                  ///< of the run, or alone: another GPU's
  std::optional<Result<CheckReport>> check;
  std::shared_ptr<const CountedVersions> versions;  ///< with a check
  std::optional<Result<SweepResult>> sweep;
  std::optional<Result<Replay>> replay;
};

struct RunnerStatus {
  bool busy = false;  ///< something runs or waits
  bool running_check = false, running_sweep = false;
  std::string key;          ///< what runs now; empty = nothing
  double seconds = 0;       ///< for how long
  int stage = 0;            ///< RunProgress::stage
  int done = 0, total = 0;  ///< of a check or a sweep
};

class Runner {
 public:
  Runner(Workers workers, std::function<void()> wake);
  /// Stops what runs and waits for the thread.
  ~Runner();

  /// The newest lab request replaces a waiting one; a running one is stopped once it has had its chance
  /// (see tick), so that a slider that is dragged shows pictures on the way. `delay`: seconds to wait for
  /// newer ones.
  uint64_t submit(LabJob job, double delay = 0);
  /// Checks are asked for by hand: they run in turn and only cancel() stops them.
  uint64_t submit(CheckJob job);
  /// A newer sweep stops the one that runs; what it had done is kept.
  uint64_t submit(SweepJob job);
  /// The newest one replaces a waiting one; runs and checks that wait go first.
  uint64_t submit(ReplayJob job);
  /// Escape: stops what runs, drops what waits.
  void cancel();
  /// Each frame: stops a lab run that has become stale and slow.
  void tick();
  RunnerStatus status() const;
  /// What was finished since the last call, in order.
  std::vector<Finished> take();

 private:
  void work();
  void show_live(const LabJob& job, const Finished& finished, RunProgress& progress);

  Workers workers_;
  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<LabJob> waiting_lab_;
  double lab_not_before_ = 0;
  uint64_t waiting_lab_ticket_ = 0, waiting_check_ticket_ = 0, waiting_sweep_ticket_ = 0, next_ticket_ = 1;
  std::optional<CheckJob> waiting_check_;
  std::optional<SweepJob> waiting_sweep_;
  std::optional<ReplayJob> waiting_replay_;
  uint64_t waiting_replay_ticket_ = 0;
  bool closing_ = false;
  std::string running_key_;
  bool running_check_ = false, running_sweep_ = false;
  bool picture_shown_ = false;  ///< of the lab run that goes on: what it has left to tell can wait
  double running_since_ = 0;
  std::shared_ptr<CheckProgress> progress_;  ///< of what runs; null = nothing does
  std::vector<Finished> finished_;
  std::thread thread_;
};

/// Lab and check jobs on a session. The worker is the only one who touches the session while the app runs.
/// `gpus`: the session's rows with all figures.
Workers session_workers(Session& session, const std::vector<GpuSpec>& gpus);

}  // namespace warpbook::ui
