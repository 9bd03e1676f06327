#pragma once
// The state behind the exported functions: one a process, as CUDA itself has it, made by the first call and
// never destroyed, since a program's last destructors may still call. Every exported function makes a Call,
// which holds the lock, keeps the row for the tape and knows the rules of errors.
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cudart/abi.h"
#include "cudart/capturing.h"
#include "cudart/errors.h"
#include "cudart/memory_table.h"
#include "cudart/registry.h"
#include "cudart/settings.h"
#include "cudart/tape_writer.h"
#include "cudart/timeline.h"
#include "result/gpu_spec.h"

namespace warpbook::cudart {

struct Event {
  uint64_t number = 0;
  unsigned flags = 0;  ///< 1 blocking, 2 without time
  bool recorded = false;
  double at_ms = 0;
};

struct Pool {
  uint64_t number = 0;
  std::unordered_map<int, uint64_t> attributes;
};

/// What <<<>>> pushed and the kernel's stub has not popped yet.
struct PushedConfiguration {
  GridSize grid, block;
  size_t shared_bytes = 0;
  Handle stream = nullptr;
  std::vector<TapeFrame> frames;
};

struct ThreadState {
  uint32_t number = 0;
  int device = 0;
  int last_error = 0;
  uint64_t last_error_row = 0;
  bool last_error_from_launch = false;
  bool in_callback = false;
  std::vector<PushedConfiguration> pushed;
  /// Of the launch that goes on: where <<<>>> stands.
  std::vector<TapeFrame> launch_frames;
};

/// An error of work on the device that no call has reported yet.
struct LateError {
  int code = 0;
  uint64_t row = 0;
};

class Runtime {
 public:
  static Runtime& get();
  /// Of the calling thread.
  static ThreadState& thread();
  ThreadState& new_thread();

  /// The emulator with the GPU that was asked for; made when first needed.
  Result<ProgramDevice*> device();
  const GpuSpec& gpu() const { return gpu_; }  ///< after device() succeeded
  /// What the GPU is said to have: enough for programs that learners write, and little enough that those
  /// which size themselves by it stay small.
  uint64_t total_memory() const;
  int multiprocessors() const;

  Stream* stream(Handle handle);  ///< null when there is no such stream (any more)
  Event* event(Handle handle);

  std::mutex mutex;
  std::mutex threads_mutex;
  std::vector<std::unique_ptr<ThreadState>> threads;  ///< kept: a thread's unread errors are told at the end
  Settings settings;
  TapeWriter tape;
  Capturing capturing{settings.captured_bytes};
  Registry registry;
  MemoryTable memory;
  Timeline timeline;
  std::unordered_map<Handle, std::unique_ptr<Stream>> streams;
  std::unordered_map<Handle, std::unique_ptr<Event>> events;
  std::vector<std::unique_ptr<Pool>> pools;  ///< the first is the default one
  Stream default_stream;
  LateError pending;                                   ///< not reported yet
  LateError sticky;                                    ///< reported; every call returns it
  std::vector<TapeEnd::Unread> lost;                   ///< errors of launches that another took the place of
  std::string unprinted;                               ///< by kernels, until the host waits
  std::unordered_map<uint64_t, double> modelled_ms;    ///< of executed launches, by row
  std::unordered_map<uint64_t, uint64_t> repetitions;  ///< of an executed launch, by its row
  std::unordered_map<int, size_t> limits;
  std::atomic<uint64_t> next_row{1};
  uint64_t last_launch = 0;  ///< row; the recorder's
  uint64_t next_stream = 1, next_event = 1, next_pool = 0;
  std::unordered_map<std::string, uint64_t> calls;  ///< by name, while failures are planned
  bool forked = false;
  bool null_kernels_said = false;
  bool ended = false;

  /// Tells the tape what was left and ends it.
  void end();
  /// Modules that are new to the tape.
  void write_module_rows();
  /// Blocks of variables that were placed by a load.
  void note_variables(RegisteredModule& module);
  /// Loads a module and remembers where its variables lie.
  Result<uint32_t> load(RegisteredModule& module);

 private:
  Runtime();
  GpuSpec gpu_;
  std::optional<Error> gpu_error_;
  std::unique_ptr<ProgramDevice> device_;
  size_t modules_told_ = 0;
};

class Call {
 public:
  enum Rule : unsigned {
    plain = 0,
    any_time = 1,  ///< works also after a sticky error, in callbacks, and keeps the last error as it is
  };
  explicit Call(const char* name, Rule rule = plain);

  Call& argument(const char* name, const void* pointer);
  Call& argument(const char* name, uint64_t value);
  Call& argument(const char* name, int value);
  Call& argument(const char* name, double value);
  Call& argument(const char* name, std::string text);
  /// A pointer into memory, with where it leads.
  Call& memory(const char* name, const void* pointer);
  /// A stream, which becomes the row's; null when there is no such stream: the call then fails with 400.
  Stream* stream(Handle handle);
  Event* event(const char* name, Handle handle);

  /// An earlier error, a planned one, or a thread that may not call: return finish().
  bool refused() const { return code_ != success; }
  /// The host waits for the device until then: an error of earlier work becomes visible here.
  int wait(double until_ms);
  /// For rows that a crash or an endless kernel may end in.
  void write_in_progress();
  void unlock() { lock_.unlock(); }
  void lock() { lock_.lock(); }

  int finish();
  int finish(int code, std::string note = {});

  Runtime& runtime;
  ThreadState& thread;
  TapeRow row;
  bool recording;  ///< the row will be on a tape

 private:
  std::unique_lock<std::mutex> lock_;
  Rule rule_;
  int code_ = success;
};

/// "0x7f12..." or "null".
std::string pointer_text(const void* pointer);

/// Where the program's own segmentation faults are looked at before it dies of them.
void watch_faults(Runtime& runtime);

}  // namespace warpbook::cudart
