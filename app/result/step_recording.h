#pragma once
// What a whole block did, one warp instruction after the other in the order in which the emulator ran them:
// the base of scrubbers over lanes, of time lines of two accesses, of who waits at which barrier.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "result/launch.h"

namespace warpbook {

/// One warp instruction, or the moment at which lanes of a warp go on after a wait.
struct RecordedStep {
  enum class Event : uint8_t {
    ran,               ///< the lanes of `mask` executed the line
    waits_at_barrier,  ///< they reached a block barrier and wait at it
    waits_for_lanes,   ///< they wait for other lanes of their warp (__syncwarp, shuffles, votes)
    released,          ///< the barrier let them go on
    left,              ///< they left the kernel
    faulted            ///< the block stopped here
  };
  uint32_t warp = 0;
  uint32_t number = 0;  ///< of this warp's steps, from 0
  Event event = Event::ran;
  uint8_t barrier = 0;  ///< its number, for the barrier's events
  int line = 0;         ///< the learner's own; 0 when the PTX does not tell
  uint32_t mask = 0;    ///< lanes that took part
  uint32_t live = 0;    ///< lanes that have not left the kernel, afterwards
  int32_t access = -1;  ///< index into BlockRecording::accesses
};

/// Where the lanes of one step reached in memory.
struct StepAccess {
  std::string buffer;               ///< the learner's name, or empty
  std::string space;                ///< global shared local const
  std::string access;               ///< read write atomic
  uint32_t mask = 0;                ///< lanes (a guard may have switched some of the step's off)
  uint32_t bytes = 0;               ///< a lane
  std::array<int64_t, 32> index{};  ///< element by lane
};

struct BlockRecording {
  Dim3 block;
  uint32_t warps = 0, threads = 0;
  bool complete = true;  ///< false when `most_recorded_steps` cut it
  std::vector<RecordedStep> steps;
  std::vector<StepAccess> accesses;

  /// Steps of one warp, as indices into `steps`.
  std::vector<uint32_t> of_warp(uint32_t warp) const {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < steps.size(); ++i) {
      if (steps[i].warp == warp) found.push_back(i);
    }
    return found;
  }
};
inline constexpr size_t most_recorded_steps = 200'000;

}  // namespace warpbook
