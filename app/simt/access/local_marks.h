#pragma once
// What is known to be written in a thread's local memory, for those that copy it.
#include "simt/access/access.h"

namespace warpbook::simt {

/// Level check: bytes at `to` count as written where those at `from` do. Offsets in the thread's local
/// memory.
void copy_written_marks(Warp& warp, int lane, uint32_t from, uint32_t to, uint32_t bytes);

}  // namespace warpbook::simt
