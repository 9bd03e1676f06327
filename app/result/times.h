#pragma once
// Where the time went. Every part that was not measured is absent, never zero.
#include <optional>
#include <string>

namespace warpbook {

/// Where a number comes from (DESIGN section 4).
enum class Stamp { measured, counted, modelled };

struct Times {
  std::optional<double> compile_ms;  ///< NVRTC, source to PTX
  bool cached = false;               ///< the PTX came from the cache
  std::optional<double> load_ms;     ///< PTX to runnable code
  std::optional<double> copy_in_ms;
  std::optional<double> kernel_ms;  ///< on a GPU; null on the emulator, whose wall time is no GPU time
  std::optional<double> copy_out_ms;
  std::optional<double> emulator_ms;  ///< wall time of the emulator
  std::optional<double> draw_ms;
  std::string stamp;  ///< "measured (NVIDIA A100)" or empty when kernel_ms is
};

}  // namespace warpbook
