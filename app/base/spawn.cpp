// Starting one child: fork, exec, limits, and an end with its parent.
#include "base/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "base/text.h"

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

/// Gives up root for good; false when the system refuses.
bool become_user(unsigned user) {
  return ::setgroups(0, nullptr) == 0 && ::setresgid(user, user, user) == 0 &&
         ::setresuid(user, user, user) == 0;
}

/// Everything that the child needs, made ready before the fork.
struct ChildPlan {
  char* const* argv;
  char* const* environment;
  int pipes[3];
  int side;    ///< -1 = none
  int report;  ///< where a failure is told
  const char* folder;
  const ChildSetting& setting;
  pid_t parent;
};

[[noreturn]] void fail_child(int report) {
  const int code = errno;
  const ssize_t told = ::write(report, &code, sizeof code);
  ::_exit(told == ssize_t(sizeof code) ? 127 : 126);
}

/// Between fork and exec in a program with threads only async-signal-safe calls are allowed (POSIX, fork).
[[noreturn]] void become_child(const ChildPlan& plan) {
  const ChildLimits& limits = plan.setting.limits;
  ::setpgid(0, 0);
  // The pipes may sit on low numbers themselves when the parent had those closed: move them away first.
  constexpr int first_free = side_descriptor + 1;
  int moved[3];
  for (int i = 0; i < 3; ++i) moved[i] = ::fcntl(plan.pipes[i], F_DUPFD_CLOEXEC, first_free);
  const int side = plan.side < 0 ? -1 : ::fcntl(plan.side, F_DUPFD_CLOEXEC, first_free);
  const int report = ::fcntl(plan.report, F_DUPFD_CLOEXEC, first_free);
  for (int i = 0; i < 3; ++i) ::dup2(moved[i], i);
  // Libraries open files without O_CLOEXEC; the child gets none of them.
  ::close_range(side_descriptor, ~0u, CLOSE_RANGE_CLOEXEC);
  if (side >= 0) ::dup2(side, side_descriptor);
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  limit(RLIMIT_AS, limits.memory_bytes);
  limit(RLIMIT_CPU, limits.cpu_seconds);
  limit(RLIMIT_DATA, limits.data_bytes);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  limit(RLIMIT_NPROC, limits.processes);
  limit(RLIMIT_NOFILE, limits.open_files);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (plan.setting.user != 0 && !become_user(plan.setting.user)) fail_child(report);
  if (plan.folder[0] != '\0' && ::chdir(plan.folder) != 0) fail_child(report);
  if (plan.setting.no_new_privileges) ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // After the change of user, which clears it (prctl(2)).
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent) ::_exit(127);  // it died before the line above
  ::execvpe(plan.argv[0], plan.argv, plan.environment);
  fail_child(report);
}

/// Our environment with the setting's changes.
std::vector<std::string> environment_with(const ChildSetting& setting) {
  std::vector<std::string> changes = setting.environment;
  if (!setting.mark.empty()) changes.push_back(setting.mark);
  const auto name_of = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const bool replaced = std::any_of(changes.begin(), changes.end(), [&](const std::string& change) {
      return name_of(change) == name_of(*entry);
    });
    if (!replaced) all.emplace_back(*entry);
  }
  for (std::string& change : changes) {
    if (change.find('=') != std::string::npos) all.push_back(std::move(change));
  }
  return all;
}

/// For exec: the words and a null at the end.
std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
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

Result<Spawned> spawn(const std::vector<std::string>& argv, const ChildSetting& setting) {
  if (argv.empty() || argv[0].empty()) return Error{"No program was named.", Trouble::bad_input, {}, {}};
  const std::vector<char*> words = pointers_to(argv);
  const std::vector<std::string> environment = environment_with(setting);
  const std::vector<char*> variables = pointers_to(environment);
  const std::string folder = setting.folder.string();

  const auto no_start = [&](int code) {
    Error error{fmt::format("Could not start {}: {}.", argv[0], std::strerror(code)), Trouble::io, {}, {}};
    if (code == ENOENT) {
      error.trouble = Trouble::not_found;
      error.message = fmt::format("Could not start {}: there is no such program.", argv[0]);
    }
    return error;
  };
  PipePair in, out, err, side, report;
  if (!make_pipe(in) || !make_pipe(out) || !make_pipe(err) || !make_pipe(report)) return no_start(errno);
  if (setting.side_channel && !make_pipe(side)) return no_start(errno);

  const ChildPlan plan{words.data(),
                       variables.data(),
                       {in.read.number(), out.write.number(), err.write.number()},
                       side.write.number(),
                       report.write.number(),
                       folder.c_str(),
                       setting,
                       ::getpid()};
  const pid_t pid = ::fork();
  if (pid < 0) return no_start(errno);
  if (pid == 0) become_child(plan);
  ::setpgid(pid, pid);  // also here: whoever kills the group must not come before the child's own call
  in.read.close(), out.write.close(), err.write.close(), side.write.close(), report.write.close();

  int code = 0;
  ssize_t got;
  do got = ::read(report.read.number(), &code, sizeof code);
  while (got < 0 && errno == EINTR);
  if (got == ssize_t(sizeof code)) {
    ::waitpid(pid, nullptr, 0);
    return no_start(code);
  }
  Spawned child{pid, std::move(in.write), std::move(out.read), std::move(err.read), std::move(side.read)};
  set_non_blocking(child.in), set_non_blocking(child.out), set_non_blocking(child.err);
  if (child.side.open()) set_non_blocking(child.side);
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

void kill_marked(std::string_view mark) {
  if (mark.empty()) return;
  const std::string whole = std::string(mark) + '\0';
  // A process that forks while the folder is read may slip through one round; the round that finds none ends.
  for (int round = 0; round < 100; ++round) {
    bool found = false;
    for (const std::string& name : list_folder("/proc")) {
      const auto pid = parse_uint(name);
      if (!pid || pid_t(*pid) == ::getpid()) continue;
      const auto environment = read_file("/proc/" + name + "/environ");
      if (!environment || environment->find(whole) == std::string::npos) continue;
      found = ::kill(pid_t(*pid), SIGKILL) == 0 || found;
    }
    if (!found) return;
  }
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
