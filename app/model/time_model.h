#pragma once
// The timing model: from a replayed trace to a time, with everything that explains it. A resource that is
// busy, a dependency that is waited for, waves of blocks and the tail behind them.
#include "base/result.h"
#include "model/replay.h"
#include "result/counters.h"
#include "result/launch.h"
#include "result/modelled_time.h"
#include "result/occupancy.h"

namespace warpbook {

struct TimeQuestion {
  Launch launch;
  const KernelTrace* trace = nullptr;  ///< of this launch, of any GPU's architecture
  uint64_t warp_instructions = 0;      ///< of the whole launch, as counted
  Occupancy occupancy;                 ///< on the GPU that is asked about
  double footprint_bytes = 0;          ///< of all buffers; 0 = not known
};

/// How a batch of blocks that share an SM combines its resources: the p-norm of 2.5 that fits the bandwidth
/// of seven GPUs over 32 occupancies within 3 to 5 % (gpu-benches stream data), where a plain maximum is off
/// by 8 to 12 %.
inline constexpr double norm_exponent = 2.5;
double combined(const ResourceCycles& busy, double latency);

/// Error: no trace, a block that does not fit, a row without a chip.
Result<ModelledTime> model_time(const GpuSpec& gpu, const TimeQuestion& question);

/// The same on replayed blocks, for laws that are tested without a kernel.
ModelledTime model_replay(const GpuSpec& gpu, const TimeQuestion& question, const ReplayedTrace& replayed);

/// What the model leaves out, one sentence each.
const std::vector<std::string_view>& not_modelled();

}  // namespace warpbook
