#pragma once
// An index that leaves its own array in local memory, told apart from one that stays inside the thread's
// memory.
#include "simt/access/access.h"

namespace warpbook::simt {

struct LocalBounds {
  const char* name = "";
  uint32_t offset = 0, bytes = 0;  ///< from the activation's local memory on
  uint32_t component_bytes = 4;
  uint32_t access_bytes = 4;
  bool writes = false;
};

/// `lanes` leave the array; the block stops.
void note_local_overrun(Warp& warp, const Inst& inst, uint32_t lanes, const Address* address,
                        const LocalBounds& bounds);

}  // namespace warpbook::simt
