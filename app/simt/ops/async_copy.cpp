// cp.async (PTX ISA 9.7.9.25.3): global to shared without registers. The copy is done at once, which is one
// of the times at which the hardware may do it; the race rules go by when it must be done (commit and wait).
#include <algorithm>

#include "simt/ops/all_families.h"
#include "simt/ops/mbarrier.h"
#include "simt/ops/memory_access.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

/// Both sides of a copy: itself the shape of the target.
struct Copy : Shape {
  Shape from;
  uint32_t from_slot = 0;
  uint32_t size_slot = 0;    ///< 0 = the whole copy; else bytes to take, the rest is zero
  uint32_t ignore_slot = 0;  ///< a predicate: lanes that take nothing; 0 = none
  bool ignore_negated = false;
};

template <bool Counted>
Step copy(Warp& warp, const Inst& inst) {
  const Copy& c = static_cast<const Copy&>(shape_of(inst));
  Inst source = inst;
  source.a = c.from_slot;
  Lanes to, from;
  gather_addresses(warp, inst, c, to);
  gather_addresses(warp, source, c.from, from);

  // Lanes that take nothing do not touch the source.
  uint32_t readers = warp.mask;
  if (c.size_slot) {
    const uint32_t* size = slot<uint32_t>(warp, c.size_slot);
    each_lane<true>(warp, [&](int lane) {
      if (size[lane] == 0) readers &= ~(1u << lane);
    });
  }
  if (c.ignore_slot) {
    const uint32_t ignored = load_predicate(warp, c.ignore_slot);
    readers &= c.ignore_negated ? ignored : ~ignored;
  }
  Places to_places, from_places;
  Access reading = access_of(warp, inst, c.from, from);
  Access writing = access_of(warp, inst, c, to);
  writing.asynchronous = true;
  writing.slots = nullptr;
  reading.mask = readers;
  const bool good_source = readers == 0 || locate(warp, reading, from_places);
  if (!locate(warp, writing, to_places) || !good_source) return Step::fault;
  if constexpr (Counted) {
    if (readers) account(warp, reading, nullptr, Pattern::scattered, c.level);
    account(warp, writing, nullptr, Pattern::scattered, c.level);
  }
  bool changed = false;
  each_lane<true>(warp, [&](int lane) {
    uint32_t taken = c.size_slot ? std::min(slot<uint32_t>(warp, c.size_slot)[lane], c.bytes) : c.bytes;
    if ((readers >> lane & 1) == 0) taken = 0;
    std::byte* target = to_places.host[size_t(lane)];
    std::byte value[16] = {};
    if (taken) std::memcpy(value, from_places.host[size_t(lane)], taken);
    changed |= std::memcmp(target, value, c.bytes) != 0;
    std::memcpy(target, value, c.bytes);
  });
  if (changed) ++warp.block->touched;
  return Step::next;
}

Step commit(Warp& warp, const Inst&) {
  commit_copies(warp, warp.mask);
  return Step::next;
}
/// a: how many of the last groups need not be done.
Step wait(Warp& warp, const Inst& inst) {
  wait_for_copies(warp, warp.mask, slot<uint32_t>(warp, inst.a)[__builtin_ctz(warp.mask)], false);
  return Step::next;
}
Step wait_all(Warp& warp, const Inst&) {
  wait_for_copies(warp, warp.mask, 0, true);
  return Step::next;
}

}  // namespace

bool decode_cp(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (!source.has("async") || source.has("bulk")) return false;
  if (source.has("mbarrier")) return decode_copy_arrive(source, encoder, inst);
  if (source.has("commit_group") || source.has("wait_all")) {
    inst.full = inst.masked = source.has("wait_all") ? &wait_all : &commit;
    return true;
  }
  if (source.has("wait_group")) {
    if (source.operands.size() != 1) return false;
    inst.a = encoder.source(source.operands[0], ptx::Type::u32);
    inst.full = inst.masked = &wait;
    return true;
  }
  if (!is_shared(source) || !source.has("global") || source.operands.size() < 3) return false;
  const ptx::Operand& size = source.operands[2];
  if (size.kind != ptx::Operand::Kind::immediate || (size.bits != 4 && size.bits != 8 && size.bits != 16))
    return false;

  auto* both = make_kept<Copy>(encoder);
  both->kind = AccessKind::write;
  both->space = ptx::Space::shared;
  both->from.space = ptx::Space::global;
  if (!fill_address(source.operands[0], encoder, *both, inst.a)) return false;
  if (!fill_address(source.operands[1], encoder, both->from, both->from_slot)) return false;
  finish_shape(*both, ptx::Type::b8, uint32_t(size.bits));
  finish_shape(both->from, ptx::Type::b8, uint32_t(size.bits));
  both->component_bytes = both->from.component_bytes = 4;  // for indices of arrays that PTX declares as bytes
  // Then: bytes to take, or a predicate of lanes that take nothing; a cache policy comes last.
  const size_t given = source.operands.size() - (source.has("L2::cache_hint") ? 1 : 0);
  if (given > 4) return false;
  if (given == 4) {
    const ptx::Operand& what = source.operands[3];
    if (what.kind == ptx::Operand::Kind::reg &&
        encoder.function().registers[what.index].type == ptx::Type::pred) {
      both->ignore_slot = encoder.source_predicate(what);
      both->ignore_negated = what.negated;
    } else {
      both->size_slot = encoder.source(what, ptx::Type::u32);
    }
  }
  both->level = encoder.level();
  inst.full = inst.masked = both->level == Level::run ? &copy<false> : &copy<true>;
  inst.imm = reinterpret_cast<uint64_t>(static_cast<Shape*>(both));
  return true;
}

}  // namespace warpbook::simt::WARPBOOK_ISA
