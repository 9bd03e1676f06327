// A child that stays alive and answers frames: a u32 length in the machine's byte order, then that many
// bytes.
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "base/process.h"
#include "base/spawn.h"

namespace warpbook {

namespace {

/// No message of ours is larger; a length beyond it means that something else wrote to the pipe.
constexpr uint32_t frame_limit = 256u << 20;
constexpr size_t kept_errors = 4096;

bool read_exactly(int from, char* to, size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = ::read(from, to, bytes);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got > 0) {
      to += got;
      bytes -= size_t(got);
    }
  }
  return true;
}

bool write_exactly(int to, const char* from, size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = ::write(to, from, bytes);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) {
      from += written;
      bytes -= size_t(written);
    }
  }
  return true;
}

}  // namespace

struct FramedChild::State {
  Spawned child;
  std::string received;  ///< bytes of frames not handed out yet
  std::string errors;    ///< the first of its stderr
  std::string end;       ///< how it ended, once it has
  bool running = false;

  // A child dies with the thread that forked it, and callers come from threads that come and go. So each
  // child has a thread of its own that forks it and then only waits for the end.
  std::thread parent;
  std::mutex mutex;
  std::condition_variable changed;
  bool started = false, finish = false;

  void stop() {
    if (!running) return;
    running = false;
    const bool by_itself = has_ended(child.pid);
    const int status = kill_and_reap(child.pid);
    while (drain(child.err, errors, kept_errors) == Drained::more) {
    }
    if (!by_itself) {
      end = "it was stopped";
    } else if (WIFSIGNALED(status)) {
      end = fmt::format("it ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
      end = fmt::format("it ended with exit code {}", WEXITSTATUS(status));
    }
    child.in.close(), child.out.close(), child.err.close();
    {
      const std::lock_guard lock(mutex);
      finish = true;
    }
    changed.notify_all();
    parent.join();
  }

  Error died() {
    // Output may close a moment before the process is gone; wait for its true end rather than calling it
    // stopped.
    for (int i = 0; running && i < 200 && !has_ended(child.pid); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    stop();
    std::string said(errors);
    while (!said.empty() && said.back() == '\n') said.pop_back();
    return Error{said.empty() ? fmt::format("The child process is gone: {}.", end)
                              : fmt::format("The child process is gone: {}. It said: {}", end, said),
                 Trouble::io,
                 {},
                 {}};
  }
};

FramedChild::FramedChild() : state_(std::make_unique<State>()) {}
FramedChild::~FramedChild() { kill(); }
void FramedChild::kill() { state_->stop(); }

bool FramedChild::alive() {
  if (state_->running && has_ended(state_->child.pid)) state_->stop();
  return state_->running;
}

Result<std::unique_ptr<FramedChild>> FramedChild::start(const std::vector<std::string>& argv,
                                                        ChildLimits limits) {
  std::unique_ptr<FramedChild> framed(new FramedChild());
  State& state = *framed->state_;
  Result<Spawned> spawned = Error{};
  state.parent = std::thread([&state, &spawned, &argv, limits] {
    ChildSetting setting;
    setting.limits = limits;
    Result<Spawned> mine = spawn(argv, setting);
    std::unique_lock lock(state.mutex);
    const bool ok = mine.ok();
    spawned = std::move(mine);
    state.started = true;
    // Under the lock: `spawned` and `argv` live in start(), which returns as soon as it sees `started`.
    state.changed.notify_all();
    if (ok) state.changed.wait(lock, [&state] { return state.finish; });
  });
  std::unique_lock lock(state.mutex);
  state.changed.wait(lock, [&state] { return state.started; });
  lock.unlock();
  if (!spawned) {
    state.parent.join();
    return spawned.error();
  }
  state.child = std::move(*spawned);
  state.running = true;
  return framed;
}

Result<Done> FramedChild::send(std::string_view frame) {
  State& state = *state_;
  if (!alive()) return state.died();
  if (frame.size() > frame_limit) {
    return Error{fmt::format("A message of {} bytes is too large.", frame.size()), Trouble::limit, {}, {}};
  }
  const auto length = uint32_t(frame.size());
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  bytes += frame;
  std::string_view rest = bytes;
  const SigpipeBlocked no_signal;
  // A child that reads nothing for this long is stuck; one that works reads within microseconds.
  const auto deadline = Clock::now() + std::chrono::seconds(10);
  while (!rest.empty()) {
    const ssize_t written = ::write(state.child.in.number(), rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(size_t(written));
    } else if (errno == EAGAIN && Clock::now() < deadline) {
      pollfd wait{state.child.in.number(), POLLOUT, 0};
      ::poll(&wait, 1, 20);
    } else if (errno != EINTR) {
      return state.died();
    }
  }
  return Done{};
}

Result<std::string> FramedChild::receive(std::chrono::milliseconds timeout, const std::atomic<bool>* stop) {
  State& state = *state_;
  const auto deadline = Clock::now() + timeout;
  if (!state.running) return state.died();
  for (;;) {
    uint32_t length = 0;
    if (state.received.size() >= sizeof length) {
      std::memcpy(&length, state.received.data(), sizeof length);
      if (length > frame_limit) {
        state.stop();
        return Error{"The child process sent something that is no message.", Trouble::io, {}, {}};
      }
      if (state.received.size() - sizeof length >= length) {
        std::string frame = state.received.substr(sizeof length, length);
        state.received.erase(0, sizeof length + length);
        return frame;
      }
    }
    if (stop != nullptr && stop->load()) {
      state.stop();
      return Error{"It was cancelled.", Trouble::cancelled, {}, {}};
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      state.stop();
      return Error{fmt::format("There was no answer within {} ms.", timeout.count()), Trouble::limit, {}, {}};
    }
    pollfd waits[2] = {{state.child.out.number(), POLLIN, 0}, {state.child.err.number(), POLLIN, 0}};
    ::poll(waits, 2, int(std::min<int64_t>(left.count(), 20)));
    if (waits[1].revents != 0) drain(state.child.err, state.errors, kept_errors);
    if (waits[0].revents != 0 && drain(state.child.out, state.received, SIZE_MAX) == Drained::closed) {
      return state.died();
    }
  }
}

std::optional<std::string> read_frame_from_parent() {
  uint32_t length = 0;
  if (!read_exactly(STDIN_FILENO, reinterpret_cast<char*>(&length), sizeof length)) return std::nullopt;
  if (length > frame_limit) return std::nullopt;
  std::string frame(length, '\0');
  if (!read_exactly(STDIN_FILENO, frame.data(), frame.size())) return std::nullopt;
  return frame;
}

bool write_frame_to_parent(std::string_view frame) {
  const SigpipeBlocked no_signal;
  const auto length = uint32_t(frame.size());
  return write_exactly(STDOUT_FILENO, reinterpret_cast<const char*>(&length), sizeof length) &&
         write_exactly(STDOUT_FILENO, frame.data(), frame.size());
}

}  // namespace warpbook
