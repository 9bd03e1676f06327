// call (PTX ISA 9.7.12.5): direct, and through a pointer.
#include "simt/exec/calls.h"

#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

/// Inst::e is the basic block that follows.
Step call(Warp& warp, const Inst& inst) {
  uint32_t calling = warp.fragment_mask;
  if (inst.guard != 0) {
    const uint32_t bits = load_predicate(warp, inst.guard);
    calling &= inst.guard_negated ? ~bits : bits;
  }
  return call_function(warp, inst, calling, inst.e);
}

}  // namespace

bool decode_call(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const CallInfo* info = keep_call_info(source, encoder, inst.a);
  if (!info) return false;
  inst.imm = reinterpret_cast<uint64_t>(info);
  inst.e = encoder.next_block();
  use_both(inst, &call);
  return true;
}

}  // namespace warpbook::simt::WARPBOOK_ISA
