#pragma once
// What a program has open while it runs labs: where things lie, the compiler, the GPU rows, the engine.
#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "device/compiler.h"
#include "device/device.h"
#include "lesson/lesson.h"
#include "model/gpus.h"

namespace warpbook {

struct SessionOptions {
  Path root;                       ///< holds lessons/, kernels/, quizzes/, assets/
  std::vector<Path> more_lessons;  ///< --lessons
  /// emulated, auto, cuda, or cuda:GPU with a number, a UUID or a name as `warpbook devices` lists them.
  std::string device = "emulated";
  /// argv of the child on the GPU; empty = this program's own.
  std::vector<std::string> gpu_worker;
  std::string gpu = default_gpu_name;
};

struct ProgramHost;

struct Session {
  SessionOptions options;
  UserFolders folders;
  std::vector<GpuRow> gpus;
  GpuRow gpu;
  std::unique_ptr<Compiler> compiler;
  std::unique_ptr<Device> device;  ///< the emulator: counters and checks come from it, always
  std::unique_ptr<Device>
      gpu_device;                     ///< the GPU in this process, for code of ours; null where there is none
  std::unique_ptr<Device> gpu_child;  ///< the same GPU in a process of its own, for learners' code
  /// Held by whoever uses one of these two: a run for its part on the GPU, a window that shows what it left
  /// there. Taken after `busy` where both are.
  std::mutex gpu_busy;
  uint64_t gpu_uses = 0;  ///< under gpu_busy: what a use left on the GPU is there until the next one
  std::string no_gpu;     ///< why there is none, or that the emulator was asked for
  std::shared_ptr<ProgramHost> programs;  ///< made by the first whole program
  std::mutex busy;                        ///< one run at a time; run() and check() take it
};

/// --root, WARPBOOK_ROOT, the installed share folder beside the binary, the source tree, in that order.
Result<Path> find_root(const std::string& from_option, const std::string& source_tree);
/// The GPU for work that replaces what is on it.
struct GpuUse {
  explicit GpuUse(Session& session) : lock(session.gpu_busy), number(++session.gpu_uses) {}
  std::unique_lock<std::mutex> lock;
  uint64_t number;
};

/// Whose name the badge shows: the GPU's when there is one, else "emulator".
std::string engine_name(const Session& session);
/// Another engine for the runs that come: emulated, auto, cuda or cuda:GPU. Nothing changes when it fails.
/// Between runs; pictures of the GPU before are forgotten, so on the thread that draws where there are any.
Result<Done> choose_engine(Session& session, const std::string& device);
/// Where the choice was left open (auto, cuda), the GPU that draws is taken, since only with that one
/// pictures need no copy. `drawing`: its UUID, zeros when unknown.
void prefer_drawing_gpu(Session& session, const std::array<uint8_t, 16>& drawing,
                        const std::vector<FoundGpu>& gpus);
/// The number of the session's GPU, as the driver counts; -1 without one.
int number_of(const Session& session, const std::vector<FoundGpu>& gpus);
/// `--device cuda` without a usable GPU is an error that says why; `auto` does without.
Result<std::unique_ptr<Session>> open_session(const SessionOptions& options);

}  // namespace warpbook
