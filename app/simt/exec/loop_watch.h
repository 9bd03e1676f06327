#pragma once
// Endless loops: a fragment whose registers at a loop header are what they were some rounds ago, with no byte
// of memory changed in between, will go round for ever unless somebody else writes. It is parked until
// somebody does.
#include "simt/exec/state.h"

namespace warpbook::simt {

/// For a warp that starts a block.
void start_watch(Warp& warp);
/// Warp::credit is used up at a backward branch from basic block `from` to the running fragment's new block.
/// Parks the fragment, makes it give way to others of its warp, or lets it go on; sets the next credit.
void watch_loop(Warp& warp, uint32_t from);

}  // namespace warpbook::simt
