// One child from its start to its end.
#include "base/process.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

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

Result<ChildEnd> watch_child(const std::vector<std::string>& argv, std::string_view input,
                             const ChildSetting& setting, const ChildWatch& watch) {
  auto spawned = spawn(argv, setting);
  if (!spawned) return spawned.error();
  Spawned& child = *spawned;
  ChildEnd end;
  if (input.empty()) child.in.close();

  std::string piece;
  const auto take = [&](Pipe& from, const std::function<void(std::string_view)>& to) {
    piece.clear();
    const Drained drained = drain(from, piece, SIZE_MAX);
    if (to && !piece.empty()) to(piece);
    return drained == Drained::more;
  };
  // The side channel first: what it tells came before the words that follow.
  const auto take_all = [&] {
    bool more = child.side.open() && take(child.side, watch.side);
    more = (child.out.open() && take(child.out, watch.out)) || more;
    return (child.err.open() && take(child.err, watch.err)) || more;
  };

  // The end of the child ends the loop, not the end of its output: a grandchild may hold the pipes open.
  bool ended = false;
  while (!ended) {
    if (watch.go_on && !watch.go_on()) {
      end.stopped = true;
      break;
    }
    pollfd waits[4] = {{child.in.number(), POLLOUT, 0},
                       {child.out.number(), POLLIN, 0},
                       {child.err.number(), POLLIN, 0},
                       {child.side.number(), POLLIN, 0}};
    const bool silent = !child.out.open() && !child.err.open() && !child.side.open();
    ::poll(waits, 4, silent ? 1 : 20);
    if (waits[0].revents != 0) feed(child.in, input);
    const bool more = take_all();
    ended = !more && has_ended(child.pid);
  }
  const int status = kill_and_reap(child.pid);
  kill_marked(setting.mark);
  while (take_all()) {
  }
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

Result<ChildOutput> run_child(const std::vector<std::string>& argv, std::string_view input,
                              std::chrono::milliseconds timeout, ChildLimits limits) {
  const auto deadline = Clock::now() + timeout;
  ChildOutput result;
  const auto keep = [](std::string& text) {
    return [&text](std::string_view piece) {
      text += piece.substr(0, output_limit > text.size() ? output_limit - text.size() : 0);
    };
  };
  ChildSetting setting;
  setting.limits = limits;
  ChildWatch watch;
  watch.out = keep(result.out);
  watch.err = keep(result.err);
  watch.go_on = [&] { return Clock::now() < deadline; };
  const auto end = watch_child(argv, input, setting, watch);
  if (!end) return end.error();
  result.exit_code = end->exit_code;
  result.signal = end->signal;
  result.timed_out = end->stopped;
  return result;
}

Path own_executable() {
  std::error_code code;
  return std::filesystem::read_symlink("/proc/self/exe", code);
}

}  // namespace warpbook
