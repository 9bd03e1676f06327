#pragma once
// Starting one child with pipes: what run_child and FramedChild share. Private to base.
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.h"
#include "base/result.h"

namespace warpbook {

using Clock = std::chrono::steady_clock;

/// A file descriptor that closes itself.
class Pipe {
 public:
  Pipe() = default;
  explicit Pipe(int number) : number_(number) {}
  Pipe(Pipe&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Pipe& operator=(Pipe&& other) noexcept;
  Pipe(const Pipe&) = delete;
  ~Pipe() { close(); }
  void close();
  int number() const { return number_; }
  bool open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

struct Spawned {
  pid_t pid = -1;
  Pipe in, out, err;  ///< our ends, non-blocking: its stdin, stdout and stderr
  Pipe side;          ///< our end of its side channel, where it has one
};

/// Forks and executes in a process group of its own. The child dies with the calling THREAD (PR_SET_PDEATHSIG
/// is sent when the thread that forked ends), so that thread must outlive it.
Result<Spawned> spawn(const std::vector<std::string>& argv, const ChildSetting& setting);

/// True when the child has ended; it is not reaped by this.
bool has_ended(pid_t pid);
/// Kills the group, waits and tells the status as waitpid does. The child must not be reaped yet.
int kill_and_reap(pid_t pid);
/// Kills every process whose environment holds `mark`, also those that it makes meanwhile.
void kill_marked(std::string_view mark);

/// What one read of a non-blocking pipe brought; `text` keeps at most `limit` bytes, the rest is dropped.
enum class Drained { more, empty, closed };
Drained drain(Pipe& from, std::string& text, size_t limit);

/// SIGPIPE does not reach this thread while it lives: a write to a child that died is an error, not the end.
class SigpipeBlocked {
 public:
  SigpipeBlocked();
  ~SigpipeBlocked();
  SigpipeBlocked(const SigpipeBlocked&) = delete;
  SigpipeBlocked& operator=(const SigpipeBlocked&) = delete;

 private:
  bool was_blocked_ = false;
  bool was_pending_ = false;
};

}  // namespace warpbook
