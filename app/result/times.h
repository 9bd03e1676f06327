#pragma once
// Where the time went. Every part that was not measured is absent, never zero.
#include <cstdint>
#include <optional>
#include <string>

namespace warpbook {

/// Where a number comes from (DESIGN section 4).
enum class Stamp { measured, counted, modelled };

/// Repeated launches on a GPU between CUDA events, copies and compilation apart.
struct Measured {
  double median_ms = 0, low_ms = 0, high_ms = 0;  ///< low and high: the quarter points
  int warm_ups = 0, repeats = 0;
  bool cold_l2 = false;  ///< the L2 cache was flushed before each launch
  /// Of an empty launch on this GPU, between the same events; part of every time above.
  std::optional<double> launch_us;
  std::optional<double> sm_mhz, memory_mhz;  ///< clocks right after, where the driver tells
  std::string note;                          ///< why there are fewer repeats than asked for, or empty
};

struct Times {
  std::optional<double> compile_ms;  ///< NVRTC, source to PTX
  bool cached = false;               ///< the PTX came from the cache
  std::optional<double> load_ms;     ///< PTX to runnable code
  std::string load_note;  ///< that other code than the PTX as compiled was loaded, and why; or empty
  std::optional<double> copy_in_ms;
  std::optional<double> kernel_ms;  ///< on a GPU; null on the emulator, whose wall time is no GPU time
  std::optional<double> copy_out_ms;
  std::optional<double> emulator_ms;  ///< wall time of the emulator
  std::optional<double> draw_ms;
  std::string stamp;                 ///< "measured (NVIDIA A100)" or empty when kernel_ms is
  std::optional<Measured> measured;  ///< when launches were repeated for the time; kernel_ms is its median
};

}  // namespace warpbook
