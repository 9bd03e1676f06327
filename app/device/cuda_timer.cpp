// Events, their statistics, and the clocks that they were taken at.
#include "device/cuda_timer.h"

#include <algorithm>
#include <array>

#include "device/cuda_gpus.h"

namespace warpbook::cuda {

Result<std::unique_ptr<Timer>> Timer::make(GpuContext& context) {
  std::unique_ptr<Timer> timer(new Timer(context));
  for (Event* event : {&timer->first_, &timer->last_}) {
    const Code code = context.driver().event_create(event, 0);
    if (code != code::success) *event = nullptr;
    if (const auto done = context.check("make an event for timing", code); !done) return done.error();
  }
  return timer;
}

Timer::~Timer() {
  if (context_.stuck()) return;
  const GpuContext::Current here(context_);
  if (!here.entered()) return;
  for (const Event event : {first_, last_})
    if (event != nullptr) context_.driver().event_destroy(event);
}

Code Timer::start() { return context_.driver().event_record(first_, context_.stream()); }
Code Timer::stop() { return context_.driver().event_record(last_, context_.stream()); }

Result<double> Timer::milliseconds() {
  float time = 0;
  const auto done = context_.check("tell the time between two events",
                                   context_.driver().event_elapsed(&time, first_, last_));
  if (!done) return done.error();
  return double(time);
}

Measured summary_of(std::vector<double> times) {
  Measured out;
  out.repeats = int(times.size());
  if (times.empty()) return out;
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    const double place = share * double(times.size() - 1);
    const size_t below = size_t(place), above = std::min(below + 1, times.size() - 1);
    return times[below] + (place - double(below)) * (times[above] - times[below]);
  };
  out.median_ms = at(0.5), out.low_ms = at(0.25), out.high_ms = at(0.75);
  return out;
}

// NVML's names and numbers: nvml.h, "NVML Clock types" (0 graphics, 1 SM, 2 memory). It is loaded for the
// question and let go: it is asked once a measurement and not worth a place in the table.
ClockState clocks_now(const std::array<uint8_t, 16>& uuid) {
  ClockState state;
  const auto library = DynamicLibrary::open("libnvidia-ml.so.1");
  if (!library) return state;
  using Handle = void*;
  const auto init = reinterpret_cast<int (*)()>(library->symbol("nvmlInit_v2"));
  const auto shutdown = reinterpret_cast<int (*)()>(library->symbol("nvmlShutdown"));
  const auto find =
      reinterpret_cast<int (*)(const char*, Handle*)>(library->symbol("nvmlDeviceGetHandleByUUID"));
  const auto clock =
      reinterpret_cast<int (*)(Handle, int, unsigned*)>(library->symbol("nvmlDeviceGetClockInfo"));
  if (!init || !shutdown || !find || !clock || init() != 0) return state;
  Handle device = nullptr;
  unsigned mhz = 0;
  if (find(uuid_text(uuid).c_str(), &device) == 0) {
    if (clock(device, 1, &mhz) == 0) state.sm_mhz = mhz;
    if (clock(device, 2, &mhz) == 0) state.memory_mhz = mhz;
  }
  shutdown();
  return state;
}

}  // namespace warpbook::cuda
