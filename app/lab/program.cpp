// From sources to a judged tape: build, confine, watch, look lines up, find.
#include "lab/program.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/complaint.h"
#include "base/sanitized.h"
#include "base/text.h"
#include "base/work_folder.h"
#include "device/program_needs.h"
#include "lab/debug_run.h"
#include "lab/execute.h"
#include "lab/opened_launch.h"
#include "lab/program_debug.h"
#include "lab/program_findings.h"
#include "lab/program_places.h"

namespace warpbook {

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t most_printed = 16u << 20;
constexpr const char* recorder_library = "libwarpbook-recorder.so";
/// Launches of a program that is looked at in the app can be opened: so much of their memory is kept in all.
constexpr uint64_t captured_bytes = 32u << 20;
/// A launch that is at work is ended by the library's own limit on instructions; this is the backstop.
constexpr double launch_seconds = 600;

uint64_t physical_memory() { return uint64_t(::sysconf(_SC_PHYS_PAGES)) * uint64_t(::sysconf(_SC_PAGESIZE)); }

/// Folders whose content is more than a program's own: it may look there, and not write.
bool is_shared_folder(const Path& folder) {
  const std::string name = real_name(folder);
  const char* home = std::getenv("HOME");
  const std::string home_name = home ? real_name(home) : "/";
  return name == "/" || home_name == name || starts_with(home_name, name + "/");
}

class ProgramRun {
 public:
  ProgramRun(Session& session, const RunRequest& request, RunProgress* progress)
      : session_(session), request_(request), asked_(*request.program), progress_(progress) {}

  Result<RunResult> run() {
    result_.engine = session_.device ? session_.device->capabilities().engine : "emulator";
    result_.gpu = session_.gpu.name;
    result_.file = request_.file;
    // The emulator finds what is wrong; the GPU only when somebody asks for it by name.
    if (session_.gpu_device && starts_with(session_.options.device, "cuda")) {
      const auto nvidia = find_nvidia_runtime(program_host(session_).builder.place());
      if (!nvidia) return nvidia.error();
      nvidia_runtime_ = *nvidia;
      result_.engine = session_.gpu_device->capabilities().engine;
    }
    const auto runtime = find_runtime_folder();
    if (!runtime) return runtime.error();
    runtime_ = *runtime;
    if (asked_.binary.empty()) {
      if (const auto built = build(); !built) return built.error();
      if (program_.empty()) {
        result_.status = "compile-error";
        return finish();
      }
    } else {
      if (const auto fine = runs_on_our_runtime(asked_.binary); !fine) return fine.error();
      program_ = asked_.binary;
    }
    if (const auto ran = execute(); !ran) return ran.error();
    const auto own_files =
        look_up_places(story_, {program_, executed_}, order_, session_.programs->builder.place());
    if (!asked_.binary.empty()) {
      for (const std::string& file : own_files)
        if (auto text = read_file(file))
          order_.sources.push_back({shown_name(file, order_), std::move(*text)});
    }
    read_sources(story_, order_.sources);
    name_in_kernels();
    if (!nvidia_runtime_.empty()) tell_gpu_faults();
    auto found = findings_of(story_);
    result_.diagnostics.insert(result_.diagnostics.end(), found.begin(), found.end());
    judge();
    return finish();
  }

 private:
  void stage(int number) {
    if (progress_) progress_->stage = number;
  }

  Result<Done> build() {
    stage(1);
    auto order = program_order(session_, request_);
    if (!order) return order.error();
    order_ = std::move(*order);
    order_.build.runtime_folder = runtime_;
    const std::atomic<bool>* stop = progress_ ? &progress_->stop : nullptr;
    const ProgramBuilder& builder = program_host(session_).builder;
    debug_ = std::make_unique<ProgramDebugBuilds>(builder, order_.build, stop);
    BuildRequest build = order_.build;
    if (request_.level == Level::check) build.compiled = [this] { debug_->begin(); };
    auto outcome = builder.build(build, stop);
    if (!outcome) return outcome.error();
    result_.diagnostics = std::move(outcome->diagnostics);
    if (outcome->program) {
      program_ = outcome->program->executable;
      story_.build_ms = outcome->program->build_ms;
      story_.cached = outcome->program->cached;
      result_.times.compile_ms = story_.build_ms;
      result_.times.cached = story_.cached;
    }
    return Done{};
  }

  /// The runtime's own copy and the program's, where an unprivileged user can reach them. Only for root
  /// without a sandbox, which shows files at their own places.
  Result<Path> copies_for_another_user(const Path& folder) {
    std::error_code code;
    const auto copy = [&](const Path& from, const Path& to) {
      std::filesystem::create_directories(to.parent_path(), code);
      if (!code)
        std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, code);
    };
    const Path program = folder / "program";
    copy(program_, program);
    copy(runtime_ / "libcudart.so.13", folder / "libcudart.so.13");
    if (!nvidia_runtime_.empty()) copy(runtime_ / recorder_library, folder / recorder_library);
    copy(session_.options.root / "assets" / "gpus.json", folder / "assets" / "gpus.json");
    if (code)
      return complaint(Trouble::io,
                       fmt::format("the program could not be copied for its run: {}", code.message()));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, code))
      std::filesystem::permissions(entry.path(),
                                   std::filesystem::perms::others_read | std::filesystem::perms::others_exec,
                                   std::filesystem::perm_options::add, code);
    return program;
  }

  ConfinedRequest confined_request(const Confinement& confinement, const WorkFolder& work,
                                   const Path& program, const Path& runtime, const Path& root) const {
    ConfinedRequest order;
    order.argv.push_back(real_name(program));
    order.argv.insert(order.argv.end(), asked_.arguments.begin(), asked_.arguments.end());
    order.folder = asked_.folder.empty() ? work.path() : asked_.folder;
    order.folder_writable = asked_.folder.empty() || !is_shared_folder(order.folder);
    // Read-only places first: the work folder, which may hold one of them, is mounted last.
    order.readable = {runtime, root / "assets"};
    if (!asked_.binary.empty())
      order.readable.push_back(Path(real_name(asked_.binary)).parent_path());
    else
      order.readable.push_back(program);
    for (const auto& [path, shown] : order_.shown) order.readable.push_back(Path(path).parent_path());
    if (const char* libraries = std::getenv("LD_LIBRARY_PATH"))
      for (const std::string_view folder : split(libraries, ':'))
        if (!folder.empty() && folder != "/") order.readable.emplace_back(folder);
    std::vector<Path> visible;
    for (const Path& place : order.readable)
      if (real_name(place) != "/") visible.push_back(place);
    order.readable = std::move(visible);

    const char* old = std::getenv("LD_LIBRARY_PATH");
    const char* level = request_.level == Level::run       ? "run"
                        : request_.level == Level::measure ? "measure"
                                                           : "check";
    order.environment = {
        fmt::format("WARPBOOK_TAPE_FD={}", side_descriptor), fmt::format("WARPBOOK_LEVEL={}", level),
        "WARPBOOK_GPU=" + session_.gpu.name,
        // The folder above the assets themselves: a link to them is not in the sandbox.
        "WARPBOOK_ROOT=" + Path(real_name(root / "assets")).parent_path().string(),
        fmt::format("LD_LIBRARY_PATH={}{}{}", real_name(runtime), old && *old ? ":" : "", old ? old : ""),
        "TMPDIR=/tmp"};
    if (!nvidia_runtime_.empty()) {
      // The same program on NVIDIA's library; the recorder before it keeps the tape.
      order.environment.push_back(fmt::format("LD_LIBRARY_PATH={}{}{}",
                                              nvidia_runtime_.parent_path().string(), old && *old ? ":" : "",
                                              old ? old : ""));
      order.environment.push_back("LD_PRELOAD=" + (Path(real_name(runtime)) / recorder_library).string());
      order.environment.emplace_back("WARPBOOK_RECORDER=1");
      order.environment.push_back("CUDA_VISIBLE_DEVICES=" +
                                  uuid_text(session_.gpu_device->capabilities().uuid));
    }
    // What the caller's own environment says of these reaches the program only from the terminal.
    const auto set_switch = [&](const char* name, const std::string& value) {
      if (!value.empty())
        order.environment.push_back(fmt::format("{}={}", name, value));
      else if (!asked_.inherit_switches)
        order.environment.emplace_back(name);
    };
    order.environment.push_back(
        fmt::format("WARPBOOK_CAPTURE={}", asked_.inherit_switches ? 0 : captured_bytes));
    set_switch("WARPBOOK_NULL_KERNELS", asked_.null_kernels ? "1" : "");
    set_switch("WARPBOOK_FAIL", asked_.fail);
    set_switch("WARPBOOK_NO_MEMO", asked_.memo ? "" : "1");
    set_switch("WARPBOOK_MAX_INSTRUCTIONS",
               request_.max_instructions ? std::to_string(request_.max_instructions) : "");
    if (!sanitized) order.limits.data_bytes = std::max<uint64_t>(physical_memory() / 4 * 3, 2ull << 30);
    order.limits.file_bytes = 4ull << 30;
    order.limits.cpu_seconds = 3600;
    order.limits.open_files = 1024;
    order.limits.processes = process_limit(confinement, 256);
    return order;
  }

  Result<Done> execute() {
    stage(3);
    Confinement confinement = program_host(session_).confinement;
    if (!nvidia_runtime_.empty()) {
      confinement.bubblewrap.clear();
      confinement.why = "the GPU's device files are not in the sandbox";
    }
    const auto work = WorkFolder::make("program"), reachable = WorkFolder::make("program");
    if (!work) return work.error();
    if (!reachable) return reachable.error();
    // Whoever the program runs as works in the one and reads the other.
    work->open_to_all();
    reachable->open_to_all();
    Path program = program_, runtime = runtime_, root = session_.options.root;
    if (confinement.root && confinement.bubblewrap.empty()) {
      const auto copied = copies_for_another_user(reachable->path());
      if (!copied) return copied.error();
      program = *copied;
      runtime = root = reachable->path();
    }
    executed_ = real_name(program);
    const Confined confined =
        confine(confinement, confined_request(confinement, *work, program, runtime, root));
    story_.mode = confined.mode;

    TapeReader reader;
    std::optional<Error> damaged;
    const auto start = Clock::now();
    auto last_sign = start;
    ChildWatch watch;
    watch.side = [&](std::string_view piece) {
      last_sign = Clock::now();
      captured_.take(piece);
      if (const auto taken = reader.take(piece); !taken && !damaged) damaged = taken.error();
    };
    const auto printed = [&](bool error) {
      return [&, error](std::string_view piece) {
        last_sign = Clock::now();
        std::string& all = error ? story_.err : story_.out;
        piece = piece.substr(0, most_printed > all.size() ? most_printed - all.size() : 0);
        if (piece.empty()) return;
        all += piece;
        const auto& rows = reader.tape().rows;
        story_.printed.push_back({error, rows.empty() ? 0 : rows.back().sequence, std::string(piece)});
        if (asked_.echo) asked_.echo(piece, error);
      };
    };
    watch.out = printed(false);
    watch.err = printed(true);
    watch.go_on = [&] {
      const auto seconds_since = [](Clock::time_point then) {
        return std::chrono::duration<double>(Clock::now() - then).count();
      };
      if (progress_ && progress_->stop) {
        cancelled_ = true;
        return false;
      }
      const auto& rows = reader.tape().rows;
      const bool launching = !rows.empty() && rows.back().in_progress && rows.back().launch;
      if (seconds_since(last_sign) > (launching ? launch_seconds : asked_.idle_seconds)) {
        story_.stopped = fmt::format("for {:.0f} s it called nothing of CUDA and printed nothing",
                                     launching ? launch_seconds : asked_.idle_seconds);
        return false;
      }
      if (seconds_since(start) > request_.max_seconds) {
        story_.stopped = fmt::format("it ran for more than {:.0f} s", request_.max_seconds);
        return false;
      }
      if (rows.size() > asked_.most_rows) {
        story_.stopped = fmt::format("it made more than {} calls", with_thousands(asked_.most_rows));
        return false;
      }
      return true;
    };
    const auto end = watch_child(confined.argv, {}, confined.setting, watch);
    if (!end) return end.error();
    if (cancelled_) return Error{"The program was cancelled.", Trouble::cancelled, {request_.file, 0, 0}, {}};
    story_.run_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    story_.tape = reader.tape();
    story_.exit = end->exit_code;
    story_.signal = end->signal;
    // A sandbox and a shell hand a signal on as 128 + its number.
    if (story_.exit > 128 && story_.exit < 128 + NSIG && !story_.tape.ended) {
      story_.signal = story_.exit - 128;
      story_.exit = -1;
    }
    if (!story_.stopped.empty()) {
      story_.exit = -1;
      story_.signal = 0;
    }
    if (damaged && story_.tape.rows.empty()) return *damaged;
    stage(5);
    return Done{};
  }

  /// A GPU tells that a kernel failed, and neither thread nor line.
  void tell_gpu_faults() {
    for (const TapeRow& row : story_.tape.rows) {
      if (!row.waits || row.code == 0 || row.reports == 0) continue;
      const TapeRow* const launch = story_.tape.row(row.reports);
      Diagnosis d;
      d.kind = "gpu-fault";
      d.message = fmt::format("The GPU stopped with {} in {} or a kernel before it.", row.code_name,
                              launch && launch->launch ? launch->launch->kernel : "a kernel");
      d.hint =
          "Run it with --device emulated, which looks at every access and names the thread and the line.";
      d.access = "launch";
      d.file = story_.place_of(row.reports).place.file;
      d.line = story_.place_of(row.reports).place.line;
      result_.diagnostics.push_back(std::move(d));
      return;  // everything after it returns the same
    }
  }

  /// What the emulator found in a kernel is told with the names of the learner's variables, which a debug
  /// build of the same launch knows.
  void name_in_kernels() {
    for (TapeRow& row : story_.tape.rows) {
      if (!row.launch) continue;
      auto& diagnoses = row.launch->diagnostics;
      if (row.launch->repeats != 0) {
        // Of a launch before it, whose words are settled already.
        const TapeRow* const executed = story_.tape.row(row.launch->repeats);
        if (executed && executed->launch) diagnoses = executed->launch->diagnostics;
        continue;
      }
      if (!name_in(row, diagnoses)) std::erase_if(diagnoses, may_be_read_ahead);
    }
  }

  /// False when no debug build has looked.
  bool name_in(const TapeRow& row, std::vector<Diagnosis>& diagnoses) {
    const bool any = std::any_of(diagnoses.begin(), diagnoses.end(),
                                 [](const Diagnosis& d) { return d.severity != Severity::note; });
    if (!debug_ || !any || !captured_.of(row)) return false;
    const auto opened = open_launch(captured_, order_, story_, row.sequence);
    const std::string* ptx = opened ? debug_->with_kernel(row.launch->symbol) : nullptr;
    if (ptx) look_closer(session_, **opened, *ptx, row.launch->warp_instructions, diagnoses, progress_);
    return ptx != nullptr;
  }

  void judge() {
    const bool launch_limit =
        std::any_of(story_.tape.rows.begin(), story_.tape.rows.end(),
                    [](const TapeRow& row) { return row.launch && row.launch->status == "limit"; });
    const bool errors = has_errors(result_.diagnostics);
    if (errors)
      result_.status = "fault";
    else if (!story_.stopped.empty() || launch_limit)
      result_.status = "limit";
    else
      result_.status = story_.exit == 0 ? "ok" : "fault";
    const bool only_unsupported =
        errors && std::all_of(result_.diagnostics.begin(), result_.diagnostics.end(), [](const Diagnosis& d) {
          return d.severity != Severity::error || d.kind == "unsupported";
        });
    if (only_unsupported) result_.status = "unsupported";
  }

  RunResult finish() {
    result_.diagnostics = merge(std::move(result_.diagnostics));
    result_.exit_code = exit_code_of(result_.status);
    result_.times.emulator_ms =
        result_.status == "compile-error" ? std::nullopt : std::optional<double>(story_.run_ms);
    if (result_.status != "compile-error") {
      result_.program = std::make_shared<const HostProgram>(std::move(story_));
      session_.programs->launches = std::make_shared<const ProgramLaunches>(
          ProgramLaunches{std::move(captured_), std::move(order_), result_.program});
    }
    return std::move(result_);
  }

  Session& session_;
  const RunRequest& request_;
  const ProgramRequest& asked_;
  RunProgress* progress_;
  RunResult result_;
  HostProgram story_;
  Path runtime_, program_;
  Path nvidia_runtime_;   ///< empty: on the emulator
  std::string executed_;  ///< the program's path as the child sees it
  ProgramOrder order_;
  std::unique_ptr<ProgramDebugBuilds> debug_;  ///< null for a program that the user built
  CapturedLaunches captured_;
  bool cancelled_ = false;
};

}  // namespace

ProgramHost& program_host(Session& session) {
  if (!session.programs)
    session.programs = std::make_shared<ProgramHost>(
        ProgramHost{ProgramBuilder(session.folders.cache / "programs"), find_confinement()});
  return *session.programs;
}

std::string programs_missing(Session& session) {
  const std::string& missing = program_host(session).builder.place().missing;
  if (!missing.empty()) return missing;
  const auto runtime = find_runtime_folder();
  return runtime ? std::string{} : runtime.error().message;
}

Result<RunResult> run_program(Session& session, const RunRequest& request, RunProgress* progress) {
  program_host(session);
  return ProgramRun(session, request, progress).run();
}

}  // namespace warpbook
