#pragma once
// Child processes with pipes, time and memory limits. A child dies with its parent.
#include <atomic>
#include <chrono>
#include <cstdint>
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
};

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
