// Block barriers (PTX ISA 9.7.13.1 bar, barrier) and bar.warp.sync (9.7.13.2). Inst::a: number, b: threads,
// c: predicate of bar.red, flags: what bar.red computes.
#include "simt/exec/barriers.h"
#include "simt/exec/diagnose.h"
#include "simt/exec/warp_sync.h"
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

/// The barrier number and thread count of the executing lanes (they are the same for all of a
/// warp, 9.7.13.1).
struct Which {
  uint32_t id, threads;
};
Which which(Warp& warp, const Inst& inst) {
  const int lane = __builtin_ctz(warp.mask);
  return {slot<uint32_t>(warp, inst.a)[lane] & 15u, inst.b ? slot<uint32_t>(warp, inst.b)[lane] : 0u};
}

Step sync(Warp& warp, const Inst& inst) {
  const Which barrier = which(warp, inst);
  Fragment& fragment = *warp.active;
  fragment.state = FragmentState::at_barrier;
  fragment.wait_id = barrier.id;
  fragment.wait_count = barrier.threads;
  fragment.site = inst.site;
  fragment.inst = index_of(*fragment.frame->function, inst) + 1;
  return Step::wait;
}

Step arrive_and_go_on(Warp& warp, const Inst& inst) {
  const Which barrier = which(warp, inst);
  return arrive_only(warp, barrier.id, barrier.threads, warp.mask) ? Step::next : Step::fault;
}

Step warp_sync(Warp& warp, const Inst& inst) { return sync_warp(warp, inst, slot<uint32_t>(warp, inst.a)); }

bool decode_block_barrier(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const bool reduces = source.has("red");
  const size_t first = reduces ? 1 : 0;
  const auto& operands = source.operands;
  const size_t predicates = reduces ? 1 : 0;
  if (operands.size() < first + 1 + predicates || operands.size() > first + 2 + predicates) return false;
  inst.a = encoder.source(operands[first], ptx::Type::u32);
  if (operands.size() == first + 2 + predicates) inst.b = encoder.source(operands[first + 1], ptx::Type::u32);
  if (source.has("arrive")) {
    use_both(inst, &arrive_and_go_on);
    return true;
  }
  if (reduces) {
    const ptx::Operand& predicate = operands.back();
    inst.c = encoder.source_predicate(predicate);
    inst.extra = predicate.negated ? 1 : 0;
    if (source.has("popc")) {
      inst.flags = barrier_reduce_popc;
      inst.dst = encoder.target(operands[0], ptx::Type::u32);
    } else {
      inst.flags = source.has("and") ? barrier_reduce_and : barrier_reduce_or;
      inst.dst = encoder.target_predicate(operands[0]);
    }
  } else if (!source.has("sync")) {
    return false;
  }
  use_both(inst, &sync);
  return true;
}

}  // namespace

bool decode_bar(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.has("warp")) {
    if (source.operands.size() != 1) return false;
    inst.a = encoder.source(source.operands[0], ptx::Type::b32);
    use_both(inst, &warp_sync);
    return true;
  }
  return decode_block_barrier(source, encoder, inst);
}

bool decode_barrier(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.has("cluster")) return false;
  return decode_block_barrier(source, encoder, inst);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
