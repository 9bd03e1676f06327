// cvta, isspacep, prefetch (PTX ISA 9.7.9.16 to 9.7.9.21): between a space's own addresses and generic ones.
// Only shared and local addresses differ, by their window; see access.h.
#include "simt/ops/all_families.h"
#include "simt/ops/memory_access.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

template <bool Masked>
Step add_window(Warp& warp, const Inst& inst) {
  uint64_t* d = slot<uint64_t>(warp, inst.dst);
  const uint64_t* a = slot<uint64_t>(warp, inst.a);
  for (int i = 0; i < lanes; i += 4) {
    store_lanes<Masked, uint64_t>(warp, d, i, *reinterpret_cast<const Vec<uint64_t>*>(a + i) + inst.imm);
  }
  return Step::next;
}

/// A parameter is in the kernel's block of constants, whose addresses are generic, or in local memory.
Step parameter_to_generic(Warp& warp, const Inst& inst) {
  const uint64_t* a = slot<uint64_t>(warp, inst.a);
  uint64_t* d = slot<uint64_t>(warp, inst.dst);
  each_lane<true>(warp,
                  [&](int lane) { d[lane] = a[lane] + (a[lane] < parameter_window ? local_window : 0); });
  return Step::next;
}
Step parameter_from_generic(Warp& warp, const Inst& inst) {
  const uint64_t* a = slot<uint64_t>(warp, inst.a);
  uint64_t* d = slot<uint64_t>(warp, inst.dst);
  each_lane<true>(warp, [&](int lane) { d[lane] = a[lane] - (a[lane] >= local_window ? local_window : 0); });
  return Step::next;
}

enum Question : uint8_t { in_global, in_constant, in_shared, in_local, in_parameters };

Step is_in_space(Warp& warp, const Inst& inst) {
  const uint64_t* a = slot<uint64_t>(warp, inst.a);
  const Memory::State& memory = *warp.worker->memory->launch->memory;
  uint32_t bits = 0;
  each_lane<true>(warp, [&](int lane) {
    const Address at = a[lane];
    bool yes = false;
    switch (inst.flags) {
      case in_global:
      case in_constant:
        if (at < function_window) {
          const Allocation* buffer = memory.window_of(at);
          yes = buffer && buffer->info.read_only ? inst.flags == in_constant : inst.flags == in_global;
        }
        break;
      case in_shared: yes = at >= shared_window && at < local_window; break;
      case in_local: yes = at >= local_window; break;
      default: yes = at >= parameter_window && at < shared_window; break;
    }
    bits |= uint32_t(yes) << lane;
  });
  store_predicate(warp, inst.dst, bits);
  return Step::next;
}

Step nothing(Warp&, const Inst&) { return Step::next; }

}  // namespace

bool decode_cvta(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.operands.size() != 2 || source.type() != ptx::Type::u64) return false;
  const bool to_space = source.has("to");
  const ptx::Space space = space_of(source);
  if (space == ptx::Space::generic) return false;
  inst.a = encoder.source(source.operands[1], ptx::Type::u64);
  inst.dst = encoder.target(source.operands[0], ptx::Type::u64);
  if (space == ptx::Space::param) {
    inst.full = inst.masked = to_space ? &parameter_from_generic : &parameter_to_generic;
    return true;
  }
  const Address window = space == ptx::Space::shared  ? shared_window
                         : space == ptx::Space::local ? local_window
                                                      : 0;
  inst.imm = to_space ? 0 - window : window;
  inst.full = &add_window<false>;
  inst.masked = &add_window<true>;
  return true;
}

bool decode_isspacep(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.operands.size() != 2) return false;
  switch (space_of(source)) {
    case ptx::Space::global: inst.flags = in_global; break;
    case ptx::Space::constant: inst.flags = in_constant; break;
    case ptx::Space::shared: inst.flags = in_shared; break;
    case ptx::Space::local: inst.flags = in_local; break;
    case ptx::Space::param: inst.flags = in_parameters; break;
    default: return false;
  }
  inst.a = encoder.source(source.operands[1], ptx::Type::u64);
  inst.dst = encoder.target_predicate(source.operands[0]);
  inst.full = inst.masked = &is_in_space;
  return true;
}

/// Hints to caches change no result (prefetch, prefetchu, discard, applypriority).
bool decode_prefetch(const ptx::Instruction&, Encoder&, Inst& inst) {
  inst.full = inst.masked = &nothing;
  return true;
}

}  // namespace warpbook::simt::WARPBOOK_ISA
