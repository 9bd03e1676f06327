#pragma once
// Child processes with pipes, time and memory limits. A child dies with its parent.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"

namespace warpbook {

struct ChildLimits {
  uint64_t memory_bytes = 0;  ///< RLIMIT_AS; 0 = none
  uint64_t cpu_seconds = 0;   ///< RLIMIT_CPU; 0 = none
  uint64_t data_bytes = 0;  ///< RLIMIT_DATA: private writable memory, without what is only reserved; 0 = none
  uint64_t file_bytes = 0;  ///< RLIMIT_FSIZE; 0 = none
  uint64_t processes = 0;   ///< RLIMIT_NPROC: processes and threads of its user in all; 0 = none
  uint64_t open_files = 0;  ///< RLIMIT_NOFILE; 0 = none
};

/// How a child is set up, beside its command line.
struct ChildSetting {
  ChildLimits limits;
  Path folder;                           ///< working folder; empty = ours
  std::vector<std::string> environment;  ///< "NAME=value", on top of ours; "NAME" takes it out
  bool no_new_privileges = false;        ///< set-user-ID programs give it nothing
  unsigned user = 0;                     ///< user and group that it becomes; 0 = it stays who we are
  bool side_channel = false;             ///< one pipe more: the child writes to descriptor `side_descriptor`
  /// "NAME=value" that every descendant inherits: at the end those that left the process group die as well.
  std::string mark;
};
inline constexpr int side_descriptor = 3;

struct ChildOutput {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;
  bool timed_out = false;
  std::string out;
  std::string err;
};

/// Runs to the end, feeding `input`; kills the child's whole group after `timeout`.
Result<ChildOutput> run_child(const std::vector<std::string>& argv, std::string_view input = {},
                              std::chrono::milliseconds timeout = std::chrono::seconds(60),
                              ChildLimits limits = {});

/// What is done with a running child's words, as they come.
struct ChildWatch {
  std::function<void(std::string_view)> out, err, side;
  std::function<bool()> go_on;  ///< asked at least every 20 ms; false ends the child
};

struct ChildEnd {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;
  bool stopped = false;  ///< `go_on` said no
};

/// Runs to the end, feeding `input`, in a process group of its own that does not outlive it.
Result<ChildEnd> watch_child(const std::vector<std::string>& argv, std::string_view input,
                             const ChildSetting& setting, const ChildWatch& watch);

/// A child that stays alive and talks in frames (u32 length, then bytes) over its stdin and stdout.
class FramedChild {
 public:
  static Result<std::unique_ptr<FramedChild>> start(const std::vector<std::string>& argv,
                                                    ChildLimits limits = {});
  ~FramedChild();
  Result<Done> send(std::string_view frame);
  /// Trouble::limit after the timeout and Trouble::cancelled within 50 ms of `stop` (the child is then
  /// killed), Trouble::io when it died; the message says how.
  Result<std::string> receive(std::chrono::milliseconds timeout, const std::atomic<bool>* stop = nullptr);
  bool alive();
  void kill();

 private:
  FramedChild();
  struct State;
  std::unique_ptr<State> state_;
};

/// The other end, inside the child: one frame from stdin (nullopt at its end), one frame to stdout.
std::optional<std::string> read_frame_from_parent();
bool write_frame_to_parent(std::string_view frame);

/// The running program's own file, for starting itself as a worker.
Path own_executable();

}  // namespace warpbook
