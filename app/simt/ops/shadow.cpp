// What a debug build at level check adds around instructions whose values may be unwritten. A followed
// register has a shadow of its own width: a byte of ones for each byte that was written (a bit a lane for
// predicates). Copies copy it, loads and stores of local memory take it from there and leave it there, every
// other use looks at it. decode writes these as an instruction `%shadow`, which no PTX has.
#include "simt/access/local_overrun.h"
#include "simt/ops/handlers.h"
#include "simt/ops/memory_access.h"

namespace warpbook::simt::WARPBOOK_ISA {

bool decode_shadow(const ptx::Instruction&, Encoder&, Inst&);

namespace {

enum Width : uint8_t { width_predicate, width_narrow, width_wide };

Width width_of(const Encoder& encoder, uint32_t register_index) {
  const ptx::Type type = encoder.function().registers[register_index].type;
  return type == ptx::Type::pred ? width_predicate : ptx::bits_of(type) > 32 ? width_wide : width_narrow;
}

/// The bytes of a register that count: 16-bit values live in 32-bit slots.
uint64_t bytes_that_count(const Encoder& encoder, uint32_t register_index) {
  const int bits = ptx::bits_of(encoder.function().registers[register_index].type);
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

uint64_t shadow_of(Warp& warp, uint32_t offset, uint8_t width, int lane) {
  return width == width_wide ? slot<uint64_t>(warp, offset)[lane] : slot<uint32_t>(warp, offset)[lane];
}
void set_shadow(Warp& warp, uint32_t offset, uint8_t width, int lane, uint64_t bits) {
  if (width == width_wide) {
    slot<uint64_t>(warp, offset)[lane] = bits;
  } else {
    slot<uint32_t>(warp, offset)[lane] = uint32_t(bits);
  }
}

Step run_set(Warp& warp, const Inst& inst) {
  if (inst.flags == width_predicate) {
    *slot<uint32_t>(warp, inst.dst) |= warp.mask;
  } else {
    each_lane<true>(warp, [&](int lane) { set_shadow(warp, inst.dst, inst.flags, lane, ~uint64_t(0)); });
  }
  return Step::next;
}

Step run_copy(Warp& warp, const Inst& inst) {
  if (inst.flags == width_predicate) {
    store_predicate(warp, inst.dst, load_predicate(warp, inst.a));
  } else {
    each_lane<true>(warp, [&](int lane) {
      set_shadow(warp, inst.dst, inst.flags, lane, shadow_of(warp, inst.a, inst.flags, lane));
    });
  }
  return Step::next;
}

/// Bits that `and` with a constant clears are known. imm: the constant.
Step run_mask(Warp& warp, const Inst& inst) {
  each_lane<true>(warp, [&](int lane) {
    set_shadow(warp, inst.dst, inst.flags, lane, shadow_of(warp, inst.a, inst.flags, lane) | ~inst.imm);
  });
  return Step::next;
}

/// Known where both sides are; a shadow of 0 stands for a value that is always there.
Step run_both(Warp& warp, const Inst& inst) {
  each_lane<true>(warp, [&](int lane) {
    uint64_t bits = ~uint64_t(0);
    if (inst.a) bits &= shadow_of(warp, inst.a, inst.flags, lane);
    if (inst.b) bits &= shadow_of(warp, inst.b, inst.flags, lane);
    set_shadow(warp, inst.dst, inst.flags, lane, bits);
  });
  return Step::next;
}

/// a where the predicate c holds, else b; a shadow of 0 stands for a value that is always there.
Step run_select(Warp& warp, const Inst& inst) {
  const uint32_t chosen = load_predicate(warp, inst.c);
  each_lane<true>(warp, [&](int lane) {
    const uint32_t from = chosen >> lane & 1 ? inst.a : inst.b;
    set_shadow(warp, inst.dst, inst.flags, lane,
               from ? shadow_of(warp, from, inst.flags, lane) : ~uint64_t(0));
  });
  return Step::next;
}

Step run_check(Warp& warp, const Inst& inst) {
  uint32_t bad = 0;
  if (inst.flags == width_predicate) {
    bad = warp.mask & ~load_predicate(warp, inst.a);
  } else {
    each_lane<true>(warp, [&](int lane) {
      if ((shadow_of(warp, inst.a, inst.flags, lane) & inst.imm) != inst.imm) bad |= 1u << lane;
    });
  }
  if (bad) {
    note_unwritten_register(warp, inst, bad, inst.extra);
    // Told once; what is computed from it counts as written.
    if (inst.flags == width_predicate) {
      *slot<uint32_t>(warp, inst.a) |= bad;
    } else {
      for (uint32_t rest = bad; rest; rest &= rest - 1)
        set_shadow(warp, inst.a, inst.flags, __builtin_ctz(rest), ~uint64_t(0));
    }
  }
  return Step::next;
}

/// An access of local memory, perhaps through a generic address.
struct ShadowAccess {
  uint64_t offset = 0;
  Address window = 0;
  uint32_t bytes = 4;
  bool narrow_address = false;
  uint8_t width = width_narrow;
  uint32_t register_index = 0;
};

const ShadowAccess& access_of(const Inst& inst) { return *reinterpret_cast<const ShadowAccess*>(inst.imm); }

/// Which bytes of the lane were written; null when the address is not in local memory.
uint8_t* written_at(Warp& warp, const Inst& inst, const ShadowAccess& access, int lane, uint32_t& offset) {
  const Address base = access.narrow_address
                           ? Address(uint32_t(slot<uint32_t>(warp, inst.a)[lane] + uint32_t(access.offset)))
                           : slot<uint64_t>(warp, inst.a)[lane] + access.offset;
  const Address address = base + access.window;
  BlockMemory& memory = warp.block->memory;
  if (address < local_window || memory.local_written.empty()) return nullptr;
  const uint64_t at = address - local_window;
  const uint32_t have = memory.local_bytes_per_thread;
  if (at > have || access.bytes > have - at) return nullptr;
  offset = uint32_t(at);
  return memory.local_written.data() + size_t(warp.index) * 32 * have;
}

uint8_t& mark(uint8_t* warp_bytes, int lane, uint32_t offset) {
  return warp_bytes[size_t(offset / 4) * local_stride + uint32_t(lane) * 4 + offset % 4];
}

Step run_load(Warp& warp, const Inst& inst) {
  const ShadowAccess& access = access_of(inst);
  each_lane<true>(warp, [&](int lane) {
    uint32_t offset = 0;
    uint64_t bits = ~uint64_t(0);
    if (uint8_t* bytes = written_at(warp, inst, access, lane, offset)) {
      bits = 0;
      for (uint32_t i = 0; i < access.bytes; ++i) {
        if (mark(bytes, lane, offset + i)) bits |= uint64_t(0xff) << (8 * i);
      }
      const uint64_t all = access.bytes >= 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * access.bytes)) - 1;
      // A narrow value is extended into the register, and so is what is known of it.
      if (bits == all) bits = ~uint64_t(0);
    }
    set_shadow(warp, inst.dst, access.width, lane, bits);
  });
  return Step::next;
}

Step run_store(Warp& warp, const Inst& inst) {
  const ShadowAccess& access = access_of(inst);
  const uint64_t all = access.bytes >= 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * access.bytes)) - 1;
  uint32_t bad = 0;
  each_lane<true>(warp, [&](int lane) {
    const uint64_t bits = shadow_of(warp, inst.b, access.width, lane);
    if ((bits & all) == all) return;
    uint32_t offset = 0;
    if (uint8_t* bytes = written_at(warp, inst, access, lane, offset)) {
      for (uint32_t i = 0; i < access.bytes; ++i)
        mark(bytes, lane, offset + i) = (bits >> (8 * i) & 0xff) != 0;  // a bit field has its byte written
    } else {
      bad |= 1u << lane;
      set_shadow(warp, inst.b, access.width, lane, ~uint64_t(0));
    }
  });
  if (bad) note_unwritten_register(warp, inst, bad, access.register_index);
  return Step::next;
}

bool decode_shadow_access(const ptx::Instruction& source, Encoder& encoder, Inst& inst, bool load) {
  Shape shape;
  shape.space = space_of(source);
  if (!fill_address(source.operands[1], encoder, shape, inst.a)) return false;
  auto* access = make_kept<ShadowAccess>(encoder);
  access->offset = shape.offset;
  access->window = shape.window;
  access->narrow_address = shape.narrow_address;
  access->bytes = uint32_t(ptx::bits_of(source.type()) / 8);
  access->register_index = source.operands[0].index;
  access->width = width_of(encoder, source.operands[0].index);
  (load ? inst.dst : inst.b) = encoder.source(source.operands[0], source.type());
  use_both(inst, load ? &run_load : &run_store);
  inst.imm = reinterpret_cast<uint64_t>(access);
  return true;
}

/// An array in local memory that an index must stay in.
struct Within {
  ShadowAccess access;
  uint32_t components = 1;
  LocalBounds bounds;
};

Step run_within(Warp& warp, const Inst& inst) {
  const auto& within = *reinterpret_cast<const Within*>(inst.imm);
  const Address first = local_window + warp.active->frame->local_base + within.bounds.offset;
  const ShadowAccess& access = within.access;
  uint32_t bad = 0;
  alignas(32) Address at[lanes];
  each_lane<true>(warp, [&](int lane) {
    const Address base = access.narrow_address
                             ? Address(uint32_t(slot<uint32_t>(warp, inst.a)[lane] + uint32_t(access.offset)))
                             : slot<uint64_t>(warp, inst.a)[lane] + access.offset;
    at[lane] = base + access.window;
    const uint64_t from = at[lane] - first;
    if (from > within.bounds.bytes || access.bytes > within.bounds.bytes - from) bad |= 1u << lane;
  });
  if (!bad) return Step::next;
  note_local_overrun(warp, inst, bad, at, within.bounds);
  return Step::fault;
}

bool decode_within(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  Shape shape;
  shape.space = space_of(source);
  if (!fill_address(source.operands[1], encoder, shape, inst.a)) return false;
  auto* within = make_kept<Within>(encoder);
  within->access.offset = shape.offset;
  within->access.window = shape.window;
  within->access.narrow_address = shape.narrow_address;
  const uint32_t components = source.has("v4") ? 4 : source.has("v2") ? 2 : 1;
  within->access.bytes = uint32_t(ptx::bits_of(source.type()) / 8) * components;
  within->bounds.offset = uint32_t(source.operands[0].bits);
  within->bounds.bytes = source.operands[0].index;
  const std::string& name = source.operands[0].name;
  auto* letters = static_cast<char*>(encoder.room(name.size() + 1));
  std::memcpy(letters, name.c_str(), name.size() + 1);
  within->bounds.name = letters;
  within->bounds.component_bytes = uint32_t(ptx::bits_of(source.type()) / 8);
  within->bounds.access_bytes = within->access.bytes;
  within->bounds.writes = source.has("write");
  use_both(inst, &run_within);
  inst.imm = reinterpret_cast<uint64_t>(within);
  return true;
}

}  // namespace

/// Operands are registers, meant as their shadows: `special` operands with the register's index.
bool decode_shadow(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const std::string& what = source.modifiers.front();
  if (what == "load" || what == "store") return decode_shadow_access(source, encoder, inst, what == "load");
  if (what == "within") return decode_within(source, encoder, inst);
  const uint32_t index = source.operands[0].index;
  inst.flags = width_of(encoder, index);
  if (what == "check") {
    if (index > UINT16_MAX) return false;
    inst.a = encoder.source(source.operands[0], ptx::Type::b32);
    inst.imm = bytes_that_count(encoder, index) & source.operands[1].bits;
    inst.extra = uint16_t(index);
    use_both(inst, &run_check);
    return true;
  }
  inst.dst = encoder.source(source.operands[0], ptx::Type::b32);
  if (what == "set") {
    use_both(inst, &run_set);
    return true;
  }
  inst.a = encoder.source(source.operands[1], ptx::Type::b32);
  if (what == "copy") {
    use_both(inst, &run_copy);
    return true;
  }
  if (what == "mask") {
    inst.imm = source.operands[2].bits;
    use_both(inst, &run_mask);
    return true;
  }
  inst.b = encoder.source(source.operands[2], ptx::Type::b32);
  if (what == "both") {
    use_both(inst, &run_both);
    return true;
  }
  inst.c = encoder.source_predicate(source.operands[3]);
  use_both(inst, &run_select);
  return true;
}

}  // namespace warpbook::simt::WARPBOOK_ISA
