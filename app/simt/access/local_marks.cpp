// See local_marks.h. Marks lie as the bytes do: the same word of a warp's lanes is contiguous.
#include "simt/access/local_marks.h"

#include "simt/access/worker.h"
#include "simt/exec/state.h"

namespace warpbook::simt {

void copy_written_marks(Warp& warp, int lane, uint32_t from, uint32_t to, uint32_t bytes) {
  BlockMemory& memory = warp.block->memory;
  const uint32_t have = memory.local_bytes_per_thread;
  if (memory.local_written.empty() || from + uint64_t(bytes) > have || to + uint64_t(bytes) > have) return;
  uint8_t* marks = memory.local_written.data() + size_t(warp.index) * 32 * have;
  const auto at = [&](uint32_t offset) -> uint8_t& {
    return marks[size_t(offset / 4) * local_stride + uint32_t(lane) * 4 + offset % 4];
  };
  for (uint32_t i = 0; i < bytes; ++i) at(to + i) = at(from + i);
}

}  // namespace warpbook::simt
