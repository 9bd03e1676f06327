// Starting one child: fork, exec, limits, and an end with its parent.
#include "base/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

namespace warpbook {

namespace {

struct PipePair {
  Pipe read, write;
};

bool make_pipe(PipePair& pair) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  pair.read = Pipe(ends[0]);
  pair.write = Pipe(ends[1]);
  return true;
}

void set_non_blocking(const Pipe& pipe) {
  ::fcntl(pipe.number(), F_SETFL, ::fcntl(pipe.number(), F_GETFL) | O_NONBLOCK);
}

void limit(int resource, uint64_t value) {
  if (value == 0) return;
  rlimit bound{value, value};
  // The hard limit of RLIMIT_CPU lies a second later, so that SIGXCPU and not SIGKILL tells what happened.
  if (resource == RLIMIT_CPU) bound.rlim_max = value + 1;
  ::setrlimit(__rlimit_resource_t(resource), &bound);
}

/// Between fork and exec in a program with threads only async-signal-safe calls are allowed (POSIX, fork).
[[noreturn]] void become_child(char* const* argv, const int (&pipes)[3], int report,
                               const ChildLimits& limits, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before the line above
  ::setpgid(0, 0);
  // The pipes may sit on 0, 1 or 2 themselves when the parent had those closed: move them away first.
  int moved[3];
  for (int i = 0; i < 3; ++i) moved[i] = ::fcntl(pipes[i], F_DUPFD_CLOEXEC, 3);
  for (int i = 0; i < 3; ++i) ::dup2(moved[i], i);
  // Libraries open files without O_CLOEXEC; the child gets none of them.
  ::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  limit(RLIMIT_AS, limits.memory_bytes);
  limit(RLIMIT_CPU, limits.cpu_seconds);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::execvp(argv[0], argv);
  const int code = errno;
  const ssize_t told = ::write(report, &code, sizeof code);
  ::_exit(told == ssize_t(sizeof code) ? 127 : 126);
}

}  // namespace

Pipe& Pipe::operator=(Pipe&& other) noexcept {
  if (this != &other) {
    close();
    number_ = other.number_;
    other.number_ = -1;
  }
  return *this;
}

void Pipe::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

Result<Spawned> spawn(const std::vector<std::string>& argv, ChildLimits limits) {
  if (argv.empty() || argv[0].empty()) return Error{"No program was named.", Trouble::bad_input, {}, {}};
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);

  const auto no_start = [&](int code) {
    Error error{fmt::format("Could not start {}: {}.", argv[0], std::strerror(code)), Trouble::io, {}, {}};
    if (code == ENOENT) {
      error.trouble = Trouble::not_found;
      error.message = fmt::format("Could not start {}: there is no such program.", argv[0]);
    }
    return error;
  };
  PipePair in, out, err, report;
  if (!make_pipe(in) || !make_pipe(out) || !make_pipe(err) || !make_pipe(report)) return no_start(errno);

  const int ends[3] = {in.read.number(), out.write.number(), err.write.number()};
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return no_start(errno);
  if (pid == 0) become_child(words.data(), ends, report.write.number(), limits, parent);
  ::setpgid(pid, pid);  // also here: whoever kills the group must not come before the child's own call
  in.read.close(), out.write.close(), err.write.close(), report.write.close();

  int code = 0;
  ssize_t got;
  do got = ::read(report.read.number(), &code, sizeof code);
  while (got < 0 && errno == EINTR);
  if (got == ssize_t(sizeof code)) {
    ::waitpid(pid, nullptr, 0);
    return no_start(code);
  }
  Spawned child{pid, std::move(in.write), std::move(out.read), std::move(err.read)};
  set_non_blocking(child.in), set_non_blocking(child.out), set_non_blocking(child.err);
  return child;
}

bool has_ended(pid_t pid) {
  siginfo_t info{};
  // WNOWAIT leaves it a zombie, so that its number is not given to another process before its group is
  // killed.
  return ::waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

int kill_and_reap(pid_t pid) {
  ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

Drained drain(Pipe& from, std::string& text, size_t limit) {
  if (!from.open()) return Drained::closed;
  char buffer[65536];
  const ssize_t got = ::read(from.number(), buffer, sizeof buffer);
  if (got > 0) {
    const size_t room = limit > text.size() ? limit - text.size() : 0;
    text.append(buffer, std::min(room, size_t(got)));
    return Drained::more;
  }
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return Drained::empty;
  from.close();
  return Drained::closed;
}

SigpipeBlocked::SigpipeBlocked() {
  sigset_t pipe_only, old, pending;
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  ::sigpending(&pending);
  was_pending_ = sigismember(&pending, SIGPIPE) == 1;
  ::pthread_sigmask(SIG_BLOCK, &pipe_only, &old);
  was_blocked_ = sigismember(&old, SIGPIPE) == 1;
}

SigpipeBlocked::~SigpipeBlocked() {
  sigset_t pipe_only;
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  if (!was_pending_) {  // take back the one that our own write raised
    const timespec now{};
    ::sigtimedwait(&pipe_only, nullptr, &now);
  }
  if (!was_blocked_) ::pthread_sigmask(SIG_UNBLOCK, &pipe_only, nullptr);
}

}  // namespace warpbook
