#pragma once
// Times on the GPU's own clock: between two events in the stream, repeated, with what belongs to an honest
// figure.
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "device/cuda_context.h"
#include "result/times.h"

namespace warpbook::cuda {

/// A pair of events.
class Timer {
 public:
  static Result<std::unique_ptr<Timer>> make(GpuContext& context);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  /// Codes, since what an event says may be the fault of the kernel before it.
  Code start();
  Code stop();
  /// After the stream was waited for.
  Result<double> milliseconds();

 private:
  explicit Timer(GpuContext& context) : context_(context) {}
  GpuContext& context_;
  Event first_ = nullptr, last_ = nullptr;
};

/// Median and quarter points of times in ms.
Measured summary_of(std::vector<double> times);

/// SM and memory clocks in MHz as NVIDIA's management library tells them now; absent where it does not.
struct ClockState {
  std::optional<double> sm_mhz, memory_mhz;
};
ClockState clocks_now(const std::array<uint8_t, 16>& uuid);

}  // namespace warpbook::cuda
