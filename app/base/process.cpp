// One child from its start to its end.
#include "base/process.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/spawn.h"

namespace warpbook {

namespace {

/// More than this of a child's output is read and dropped: a program that prints for ever must not fill our
/// memory.
constexpr size_t output_limit = 64u << 20;

/// Writes what the pipe takes now; closes it when all is written or nobody reads.
void feed(Pipe& to, std::string_view& input) {
  const SigpipeBlocked no_signal;
  while (!input.empty()) {
    const ssize_t written = ::write(to.number(), input.data(), input.size());
    if (written >= 0) {
      input.remove_prefix(size_t(written));
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      break;
    }
  }
  to.close();
}

}  // namespace

Result<ChildOutput> run_child(const std::vector<std::string>& argv, std::string_view input,
                              std::chrono::milliseconds timeout, ChildLimits limits) {
  const auto deadline = Clock::now() + timeout;
  auto spawned = spawn(argv, limits);
  if (!spawned) return spawned.error();
  Spawned& child = *spawned;
  ChildOutput result;
  if (input.empty()) child.in.close();

  // The end of the child ends the loop, not the end of its output: a grandchild may hold the pipes open.
  bool ended = false;
  while (!ended) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      result.timed_out = true;
      break;
    }
    pollfd waits[3] = {
        {child.in.number(), POLLOUT, 0}, {child.out.number(), POLLIN, 0}, {child.err.number(), POLLIN, 0}};
    const bool silent = !child.out.open() && !child.err.open();
    ::poll(waits, 3, int(std::min<int64_t>(left.count(), silent ? 1 : 20)));
    if (waits[0].revents != 0) feed(child.in, input);
    const bool more_out =
        waits[1].revents != 0 && drain(child.out, result.out, output_limit) == Drained::more;
    const bool more_err =
        waits[2].revents != 0 && drain(child.err, result.err, output_limit) == Drained::more;
    ended = !more_out && !more_err && has_ended(child.pid);
  }
  const int status = kill_and_reap(child.pid);
  while (drain(child.out, result.out, output_limit) == Drained::more) {
  }
  while (drain(child.err, result.err, output_limit) == Drained::more) {
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

Path own_executable() {
  std::error_code code;
  return std::filesystem::read_symlink("/proc/self/exe", code);
}

}  // namespace warpbook
