#pragma once
// Instructions that the lanes of a warp execute together: nobody goes on before all members are there.
#include "simt/exec/warp_sync.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

/// Runs `compute` for warp.mask once all members are there. The mask slot is Inst::d.
template <class Compute>
Step together(Warp& warp, const Inst& inst, Compute compute) {
  const uint32_t* members = slot<uint32_t>(warp, inst.d);
  const Gathered gathered = gather(warp, inst, members, "shuffle");
  if (gathered == Gathered::wait) return Step::wait;
  if (gathered == Gathered::fault) return Step::fault;
  const Step step = compute(members);
  return gathered == Gathered::joined && step == Step::next ? finish_joined(warp, inst) : step;
}

/// The same for instructions that need all 32 lanes (.aligned ones on matrices); decode calls
/// fill_whole_warp().
template <class Compute>
Step whole_warp_together(Warp& warp, const Inst& inst, Compute compute) {
  return together(warp, inst, [&](const uint32_t*) {
    return warp.mask == ~0u ? compute() : lanes_missing(warp, inst, ~warp.mask);
  });
}
inline void fill_whole_warp(Encoder& encoder, Inst& inst) {
  inst.d = encoder.constant(0xffffffffu, ptx::Type::b32);
}

}  // namespace
}  // namespace warpbook::simt::WARPBOOK_ISA
