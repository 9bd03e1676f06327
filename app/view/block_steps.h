#pragma once
// The pure step of `block-steps`: what a whole block did, one warp instruction after the other; where each
// warp stands at a step, and which step is the moment of a diagnosis.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/step_recording.h"
#include "view/view.h"

namespace warpbook::view {

/// A warp at one moment of its block.
struct WarpMoment {
  int line = 0;                     ///< of its last step; 0 = it has not begun, or the PTX does not tell
  uint32_t ran = 0;                 ///< lanes of its last step
  uint32_t live = 0;                ///< lanes that have not left the kernel
  uint32_t at_barrier = 0;          ///< lanes that wait at a block barrier
  uint32_t for_lanes = 0;           ///< lanes that wait for others of their warp
  int barrier_line = 0;             ///< of the barrier that the last lanes came to
  bool begun = false, now = false;  ///< has made a step; made the very last step of the block
  bool faulted = false;
};

/// Every warp of the block after `step` (the steps 0..step have happened).
std::vector<WarpMoment> warps_after(const BlockRecording& recording, size_t step);

/// Lanes of that warp that have a thread: the last warp of a block may be short.
uint32_t lanes_of_warp(const BlockRecording& recording, uint32_t warp);

/// What one side of a diagnosis says of its access.
struct Sought {
  Dim3 thread;
  int line = 0;
  std::string access, buffer;
  std::optional<int64_t> index;
};
struct FoundStep {
  size_t step = 0;
  bool exact = false;  ///< the thread was in that line there; else the nearest that the recording has
};
/// The step at which the thread did what was sought: the first access that fits, or the last step of a wait
/// or a fault. Nothing when the thread's warp has no step.
std::optional<FoundStep> find_step(const BlockRecording& recording, const Dim3& block_size,
                                   const Sought& sought);

/// The moment of a diagnosis in a recorded block, and of the other side of a race or barrier when that lies
/// in the same block.
struct MomentOf {
  std::optional<FoundStep> one, other;
};
MomentOf moment_of(const BlockRecording& recording, const Dim3& block_size, const Diagnosis& diagnosis);

/// "Step 12 of 87: warp 1, line 9: 16 of 32 lanes write s[0] to s[15]".
std::string step_words(const BlockRecording& recording, size_t step);
/// "line 9", "waits at the barrier of line 12", "has left".
std::string warp_words(const WarpMoment& warp);

}  // namespace warpbook::view
