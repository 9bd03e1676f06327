// A signal handler can reach nothing but what has static storage, so the flag's address is kept there while a
// guard lives.
#include "base/interrupt.h"

#include <csignal>

namespace warpbook {

namespace {

std::atomic<std::atomic<bool>*> guarded{nullptr};

extern "C" void note_interrupt(int) {
  if (std::atomic<bool>* flag = guarded.load()) flag->store(true);
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard(std::atomic<bool>& flag) {
  guarded = &flag;
  std::signal(SIGINT, note_interrupt);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  guarded = nullptr;
}

}  // namespace warpbook
