// See local_overrun.h.
#include "simt/access/local_overrun.h"

#include <bit>

#include "simt/access/worker.h"
#include "simt/exec/state.h"

namespace warpbook::simt {

void note_local_overrun(Warp& warp, const Inst& inst, uint32_t lanes, const Address* address,
                        const LocalBounds& bounds) {
  const Address first = local_window + warp.active->frame->local_base + bounds.offset;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const int64_t distance = int64_t(address[lane] - first);
    const int64_t element = bounds.component_bytes;
    Fault fault;
    fault.kind = FaultKind::out_of_bounds;
    fault.access = bounds.writes ? AccessKind::write : AccessKind::read;
    fault.site = inst.site;
    fault.buffer = bounds.name;
    fault.space = "local";
    fault.index = distance >= 0 ? distance / element : ~(~distance / element);
    fault.has_index = true;
    fault.element_bytes = bounds.component_bytes;
    fault.elements = bounds.bytes / bounds.component_bytes;
    fault.bytes = bounds.access_bytes;
    fault.address = address[lane];
    note_fault(*warp.worker->memory, warp, lane, std::move(fault));
  }
}

}  // namespace warpbook::simt
