#pragma once
// One worker's part of a launch: blocks made resident, their warps run in slices, stuck ones found.
#include "simt/exec/state.h"

namespace warpbook::simt {

/// Takes blocks from the launch's counter and runs each to its end before the next.
void run_independent_blocks(Worker& worker);
/// Runs all blocks of the launch alone: many are resident and take turns, so that they can wait for each
/// other.
void run_in_fixed_order(Worker& worker);

}  // namespace warpbook::simt
