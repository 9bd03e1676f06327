// Control flow (PTX ISA 9.7.12): bra, brx.idx, ret, exit, trap, brkpt. These end basic blocks, so the run
// loop leaves their guard to them. Inst::imm holds the block that a branch goes to in its lower half and the
// block that follows in program order in its upper half.
#include "simt/exec/calls.h"
#include "simt/exec/diagnose.h"
#include "simt/exec/fragments.h"
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

uint32_t target_of(const Inst& inst) { return uint32_t(inst.imm); }
uint32_t next_of(const Inst& inst) { return uint32_t(inst.imm >> 32); }

/// The running fragment's lanes whose guard holds.
uint32_t guarded_lanes(Warp& warp, const Inst& inst) {
  if (inst.guard == 0) return warp.fragment_mask;
  const uint32_t bits = load_predicate(warp, inst.guard);
  return (inst.guard_negated ? ~bits : bits) & warp.fragment_mask;
}

Step jump(Warp& warp, const Inst& inst) {
  warp.active->block = target_of(inst);
  return Step::jump;
}

template <bool Masked>
Step branch(Warp& warp, const Inst& inst) {
  const uint32_t all = Masked ? warp.fragment_mask : ~0u;
  uint32_t taken = load_predicate(warp, inst.guard);
  if (inst.guard_negated) taken = ~taken;
  if constexpr (Masked) taken &= all;
  if (taken == all) {
    warp.active->block = target_of(inst);
  } else if (taken == 0) {
    warp.active->block = next_of(inst);
  } else {
    branch_apart(warp, inst, taken, target_of(inst), next_of(inst));
  }
  return Step::jump;
}

/// Inst::guard is filled in after decoding, so the choice between the two is made when the branch first runs.
template <bool Masked>
Step any_branch(Warp& warp, const Inst& inst) {
  return inst.guard == 0 ? jump(warp, inst) : branch<Masked>(warp, inst);
}

struct BranchTable {
  uint32_t size = 0;
  const uint32_t* blocks = nullptr;
};

/// brx.idx: lanes with the same index go together; the lowest lane's first.
Step indexed_branch(Warp& warp, const Inst& inst) {
  const auto& table = *reinterpret_cast<const BranchTable*>(inst.imm);
  const uint32_t* index = slot<uint32_t>(warp, inst.a);
  uint32_t first = ~0u;
  for (uint32_t rest = warp.fragment_mask; rest;) {
    const uint32_t wanted = index[__builtin_ctz(rest)];
    uint32_t same = 0;
    for (uint32_t other = rest; other; other &= other - 1) {
      if (index[__builtin_ctz(other)] == wanted) same |= other & (~other + 1);
    }
    rest &= ~same;
    if (wanted >= table.size) return outside_jump_table(warp, inst, same, table.size, wanted);
    if (first == ~0u) {
      first = table.blocks[wanted];
    } else {
      part(warp, same, table.blocks[wanted]);
    }
  }
  warp.active->block = first;
  return Step::jump;
}

Step return_from(Warp& warp, const Inst& inst) {
  return return_lanes(warp, inst, guarded_lanes(warp, inst), next_of(inst));
}

Step exit_kernel(Warp& warp, const Inst& inst) {
  const uint32_t gone = guarded_lanes(warp, inst);
  if (gone == 0) {
    warp.active->block = next_of(inst);
  } else {
    leave_kernel(warp, inst, gone, next_of(inst));
  }
  return Step::jump;
}

template <bool Breakpoint>
Step stop(Warp& warp, const Inst& inst) {
  const uint32_t stopped = guarded_lanes(warp, inst);
  if (stopped == 0) {
    warp.active->block = next_of(inst);
    return Step::jump;
  }
  return stops_itself(warp, inst, stopped, Breakpoint);
}

uint64_t with_next(Encoder& encoder, uint32_t target) {
  return uint64_t(encoder.next_block()) << 32 | target;
}

}  // namespace

bool decode_bra(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.operands.size() != 1) return false;
  const uint32_t target = encoder.block_of_label(source.operands[0]);
  inst.imm = source.guard < 0 ? target : with_next(encoder, target);
  inst.full = &any_branch<false>;
  inst.masked = &any_branch<true>;
  return true;
}

bool decode_brx(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.operands.size() != 2 || source.guard >= 0) return false;
  const auto& tables = encoder.function().branch_targets;
  const auto found = tables.find(source.operands[1].name);
  if (found == tables.end()) return false;
  const auto size = uint32_t(found->second.size());
  auto* blocks = static_cast<uint32_t*>(encoder.room(size * sizeof(uint32_t)));
  for (uint32_t i = 0; i < size; ++i) {
    const auto place = encoder.function().labels.find(found->second[i]);
    if (place == encoder.function().labels.end()) return false;
    blocks[i] = encoder.block_at(place->second);
  }
  auto* table = make_kept<BranchTable>(encoder);
  table->size = size;
  table->blocks = blocks;
  inst.a = encoder.source(source.operands[0], ptx::Type::u32);
  inst.imm = reinterpret_cast<uint64_t>(table);
  use_both(inst, &indexed_branch);
  return true;
}

bool decode_ret(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  inst.imm = source.guard < 0 ? 0 : with_next(encoder, 0);
  use_both(inst, &return_from);
  return true;
}

bool decode_exit(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  inst.imm = source.guard < 0 ? 0 : with_next(encoder, 0);
  use_both(inst, &exit_kernel);
  return true;
}

bool decode_trap(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  inst.imm = source.guard < 0 ? 0 : with_next(encoder, 0);
  use_both(inst, &stop<false>);
  return true;
}

bool decode_brkpt(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  inst.imm = source.guard < 0 ? 0 : with_next(encoder, 0);
  use_both(inst, &stop<true>);
  return true;
}

}  // namespace warpbook::simt::WARPBOOK_ISA
