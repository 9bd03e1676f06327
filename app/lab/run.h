#pragma once
// One run: source and launch in, everything that is to be known about it out. Used by the command line, the
// checks, the quizzes and the app alike.
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/arguments.h"
#include "lab/session.h"
#include "result/counters.h"
#include "result/diagnosis.h"
#include "result/element.h"
#include "result/host_program.h"
#include "result/times.h"
#include "result/trace.h"

namespace warpbook {

struct KernelTrace;  // result/kernel_trace.h

/// Whether level check compiles a second time, for a debugger (lab/debug_run.h).
enum class DebugBuild { always, when_faulty, never };

/// A whole program in place of one kernel: built with nvcc, run in a confined child, its host calls on a
/// tape.
struct ProgramRequest {
  std::vector<Path> files;  ///< further sources, beside the request's own
  Path binary;              ///< a built program: nothing is compiled
  std::vector<Path> include_folders;
  std::vector<std::string> arguments;  ///< behind the program's name
  Path folder;                         ///< that it works in; empty = one of its own that goes away with it
  bool null_kernels = false;           ///< launches succeed and do nothing: what a check must refuse
  std::string fail;                    ///< "cudaMalloc:2:2": the second call returns error 2
  bool memo = true;                    ///< equal launches on unchanged memory are executed once
  bool inherit_switches = false;       ///< WARPBOOK_FAIL and its like are taken from our own environment
  double idle_seconds = 20;            ///< without a call, a word printed or a launch at work: it is stuck
  uint64_t most_rows = 400'000;        ///< of the tape; a program that calls for ever ends there
  std::function<void(std::string_view text, bool error)> echo;  ///< what it prints, as it comes; may be empty
};

struct RunRequest {
  std::string source;               ///< CUDA C++ text
  std::string file;                 ///< how diagnoses name it
  std::string kernel;               ///< source name; empty = header's, or the only kernel
  std::optional<Launch> launch;     ///< absent = header's, or 1 block of 1 thread is an error
  std::optional<Dim3> grid, block;  ///< override parts of the launch
  std::optional<uint32_t> shared_bytes;
  bool shared_optin = false;
  std::vector<std::string>
      args;  ///< SPECs; empty = header's. A SPEC whose name the header has replaces that one.
  bool args_complete = false;  ///< args are all of them: the header's are not consulted
  std::vector<std::pair<std::string, std::string>> defines;
  Level level = Level::check;
  Order order = Order::forward;
  uint64_t seed = 0;  ///< which order, when `order` is forward: see lab/schedules.h
  int schedules = 1;  ///< orders to try at level check, from `seed` on; outputs must agree
  unsigned threads = 0;
  uint64_t max_instructions = 0;  ///< 0 = a limit that ends the whole command within 20 s
  double max_seconds = 15;
  uint32_t stack_bytes = 1024;
  int repeat = 1;
  bool write_maps = false, per_warp = false;
  std::optional<std::pair<Dim3, uint32_t>> record;
  std::optional<Dim3> record_block;  ///< block whose every step is recorded
  DebugBuild debug_build = DebugBuild::always;
  std::string folder;  ///< for file(x.npy)
  /// content_hash of a source that is ours: as long as `source` is that, the GPU runs it in this process.
  std::string ours;
  MeasureRequest measure;  ///< how the GPU's time is taken
  /// One launch on the GPU whose buffers stay there, for a picture that follows a control: no emulator, no
  /// measuring, no outputs. `on_gpu` is absent where that cannot be (no GPU, code that is not ours).
  bool live = false;
  std::optional<ProgramRequest> program;
};

/// The part of a run that a GPU did.
struct GpuRun {
  std::string device;        ///< the GPU's name; empty = it did not run there, and `note` says why
  std::string status;        ///< as RunResult::status
  bool own_process = false;  ///< ran in a process of its own
  Times times;
  std::string note;        ///< what is to be known: lowered PTX, fewer repeats, why it did not run
  std::string difference;  ///< the first element that is not the emulator's, in words; empty when all agree
  bool compared = false;   ///< the outputs were held against the emulator's
  /// Nothing in the code lets engines differ: no approximate functions, no float sums in the order of
  /// arrival.
  bool bits_promised = true;
  double largest_error = 0;  ///< of float elements, relative to the emulator's (or absolute below 1)
  /// Buffers by the names of their arguments, for Device::write_image on Session::gpu_device (or gpu_child
  /// when own_process): there as long as Session::gpu_uses is `use`.
  uint64_t use = 0;
  std::vector<std::pair<std::string, DeviceAddress>> buffers;
};

struct RunResult {
  /// ok fault launch-error compile-error limit unsupported bad-arguments
  std::string status;
  int exit_code = 0;   ///< DESIGN section 3
  std::string engine;  ///< "emulator" or the GPU's name
  std::string gpu;     ///< the row whose limits held
  std::string file;
  std::string kernel;  ///< source name
  Launch launch;
  std::vector<Diagnosis> diagnostics;
  std::vector<Output> outputs;  ///< every buffer argument, in order
  std::optional<Counters> counters;
  std::vector<LineCounters> lines;
  Times times;
  std::string printf;
  bool fixed_order = false;
  uint64_t warp_instructions = 0;
  std::vector<WriteMap> write_maps;
  std::vector<WarpCounters> warps;
  std::optional<Recording> recording;
  std::optional<BlockRecording> block_recording;
  std::optional<GpuRun> on_gpu;  ///< absent when the session has no GPU
  int schedules_run = 1;         ///< orders that were tried
  int schedules_different = 0;   ///< of them, those whose outputs are not those of the first
  /// The debug build of level check, which diagnoses only: what it covered.
  struct DebugRun {
    uint64_t blocks = 0, of = 0;  ///< that it ran, of the launch's
    std::string missing;          ///< why it is not there or stopped early; empty = it ran to its end
    double compile_ms = 0, run_ms = 0;
  };
  std::optional<DebugRun> debug_run;
  std::shared_ptr<const KernelTrace> trace;    ///< of the first order's last launch, where the emulator ran
  std::shared_ptr<const HostProgram> program;  ///< of a whole program
  const Output* output(const std::string& name) const;
};

/// Progress of long work, written by the run and read by the frame.
struct RunProgress {
  std::atomic<bool> stop{false};
  std::atomic<int> stage{0};  ///< 0 waiting, 1 compiling, 2 copying in, 3 running, 4 copying out, 5 done
};

/// Errors only for trouble outside the kernel (no NVRTC, cancelled, unreadable file); everything else is a
/// result.
Result<RunResult> run(Session& session, const RunRequest& request, RunProgress* progress = nullptr);

/// A lab of a lesson with the controls at `values`.
Result<RunRequest> request_for(const Lesson& lesson, const Lab& lab, const Values& values,
                               const std::string& variant = {});

}  // namespace warpbook
