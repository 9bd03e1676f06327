#pragma once
// Instructions with a member mask (shfl.sync, vote.sync, match.sync, redux.sync, bar.warp.sync): who must
// arrive before they run (PTX ISA 9.7.9.3 and others: "waits until all non-exited threads of the mask have
// executed it").
#include "simt/exec/state.h"

namespace warpbook::simt {

enum class Gathered : uint8_t {
  here,    ///< all are here: execute for warp.mask
  joined,  ///< the same, but warp.mask has changed: after executing return finish_joined()
  wait,    ///< return Step::wait
  fault,   ///< a diagnosis was made: return Step::fault
};

/// `members` is the slot of masks, one a lane. `access` is of diagnoses: "shuffle" or "barrier".
Gathered gather(Warp& warp, const Inst& inst, const uint32_t* members, const char* access);
/// The running fragment goes on behind `inst`, which it executed with others that had waited for it.
Step finish_joined(Warp& warp, const Inst& inst);

/// bar.warp.sync: members may wait at different places.
Step sync_warp(Warp& warp, const Inst& inst, const uint32_t* members);

/// Lanes read a lane that does not take part.
Step inactive_source(Warp& warp, const Inst& inst, uint32_t readers, int reader, int source);

/// An instruction that needs the whole warp does not have these lanes.
Step lanes_missing(Warp& warp, const Inst& inst, uint32_t lanes);

}  // namespace warpbook::simt
