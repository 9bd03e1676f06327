#pragma once
// Forms of add, min and max that are not of one integer as it is.
#include "simt/families.h"

namespace warpbook::simt::WARPBOOK_ISA {

/// Two 16-bit integers in a register, or a result that is cut at zero (.relu).
bool is_packed_integer(const ptx::Instruction& source);
bool decode_packed_integer(const ptx::Instruction& source, Encoder& encoder, Inst& inst);

}  // namespace warpbook::simt::WARPBOOK_ISA
