#pragma once
// The context of one GPU: entered for the time of a call, left again, and known to be lost once a call in it
// failed for good.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>

#include "device/cuda_driver.h"

namespace warpbook::cuda {

class GpuContext {
 public:
  /// The GPU's primary context with a stream of our own in it.
  static Result<std::unique_ptr<GpuContext>> open(std::shared_ptr<const Driver> driver, DeviceNumber device);
  ~GpuContext();
  GpuContext(const GpuContext&) = delete;
  GpuContext& operator=(const GpuContext&) = delete;

  const Driver& driver() const { return *driver_; }
  DeviceNumber device() const { return device_; }
  Stream stream() const { return stream_; }

  /// Current on this thread while it lives. A thread's earlier context comes back afterwards.
  class Current {
   public:
    explicit Current(GpuContext& context);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
    /// Not ok when the context cannot be entered; then nothing else may be called.
    const Result<Done>& entered() const { return entered_; }

   private:
    GpuContext& context_;
    Result<Done> entered_ = Done{};
  };

  /// A call's outcome; remembers codes after which the context is unusable.
  Result<Done> check(std::string_view doing, Code code);
  /// Waits until the stream is empty. code::launch_timeout when `max_time` is over and code::not_ready when
  /// `stop` was set: in both cases the work goes on and the context counts as lost.
  Code wait(std::chrono::milliseconds max_time = std::chrono::hours(1),
            const std::atomic<bool>* stop = nullptr);
  /// An earlier call failed in a way that ends the context.
  bool lost() const { return lost_; }
  /// Work that did not end holds the context: it cannot be given back in this process.
  bool stuck() const { return stuck_; }
  void note(Code code) { lost_ = lost_ || is_sticky(code); }

 private:
  GpuContext(std::shared_ptr<const Driver> driver, DeviceNumber device)
      : driver_(std::move(driver)), device_(device) {}
  std::shared_ptr<const Driver> driver_;
  DeviceNumber device_;
  Context context_ = nullptr;
  Stream stream_ = nullptr;
  bool lost_ = false, stuck_ = false;
};

/// Host memory that the GPU copies to and from at full speed; grows, never shrinks.
class PinnedMemory {
 public:
  explicit PinnedMemory(GpuContext& context) : context_(context) {}
  ~PinnedMemory();
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  /// In the context. The content does not survive growth.
  Result<std::byte*> at_least(size_t bytes);

 private:
  GpuContext& context_;
  void* memory_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace warpbook::cuda
