#pragma once
// Taking the memory of a moment, and laying it out again in a fresh memory at the same addresses.
#include <vector>

#include "base/result.h"
#include "result/captured_launch.h"
#include "simt/access/allocation.h"

namespace warpbook {

uint64_t live_bytes(const simt::Memory& memory);

/// All that is live. `with_gaps`: also which bytes nothing has written, which costs a look at each.
std::vector<CapturedMemory> keep_memory(const simt::Memory& memory, bool with_gaps);

/// An allocation at the captured address. Errors: something lies there, or there is no room.
Result<Done> place_captured(const CapturedMemory& captured, simt::Memory& memory);

/// Bytes, and which of them count as written, into an allocation of the same size.
void fill_captured(const CapturedMemory& captured, simt::Allocation& allocation);

}  // namespace warpbook
