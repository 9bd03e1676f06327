#pragma once
// How many blocks of a kernel an SM holds at once, and what holds it back: the rules of the occupancy
// calculator (cuda_occupancy.h of CUDA 13.0), as pure functions of a launch and a GPU row.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "result/gpu_spec.h"
#include "result/occupancy.h"

namespace warpbook {

/// Error: input that means nothing (a block below 1, registers below 0 or above 256, bytes below 0 or above
/// 2^31, a carve-out that is no percentage); it names the input. A block that does not fit is an answer.
Result<Occupancy> occupancy_of(const GpuSpec& gpu, const OccupancyQuestion& question);

/// The nearest values at which the number of active blocks changes, and whether it grows: of the block size,
/// the registers and the dynamic shared memory, each by itself. `question` must mean something.
std::vector<OccupancyChange> occupancy_changes(const GpuSpec& gpu, const OccupancyQuestion& question);

/// Active warps over all block sizes (a warp apart), register counts, or dynamic shared bytes; equal
/// neighbours of the register and shared curves are left out but for the ends of each step.
enum class OccupancyInput { block_size, registers, shared_bytes };
std::vector<OccupancyPoint> occupancy_curve(const GpuSpec& gpu, const OccupancyQuestion& question,
                                            OccupancyInput input);

/// All of it for one launch. `question` must mean something.
OccupancyPicture occupancy_picture(const GpuSpec& gpu, const OccupancyQuestion& question,
                                   const std::vector<GpuSpec>& gpus);

}  // namespace warpbook
