#pragma once
// The inner loop: one warp, until it waits or its slice ends.
#include "simt/exec/state.h"

namespace warpbook::simt {

enum class SliceEnd {
  used_up,   ///< the slice's instructions are spent
  waits,     ///< every fragment waits for others, or for memory to change
  sleeps,    ///< the same, but for a fragment that only sleeps
  finished,  ///< all lanes have exited
  faulted,   ///< BlockState::faulted is set
};

/// Runs about `instructions` warp instructions and takes off what it ran (it may go a basic block below
/// zero).
SliceEnd run_slice(Warp& warp, int64_t& instructions);

}  // namespace warpbook::simt
