#pragma once
// Ctrl+C as a flag, for work that keeps what it has done.
#include <atomic>

namespace warpbook {

/// While one lives, Ctrl+C sets `flag` instead of ending the program; a second one ends it. One at a time.
class InterruptGuard {
 public:
  explicit InterruptGuard(std::atomic<bool>& flag);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

}  // namespace warpbook
