#pragma once
// cp.async.mbarrier.arrive is of the family cp, but works on a barrier object.
#include "simt/families.h"

namespace warpbook::simt::WARPBOOK_ISA {

bool decode_copy_arrive(const ptx::Instruction& source, Encoder& encoder, Inst& inst);

}  // namespace warpbook::simt::WARPBOOK_ISA
