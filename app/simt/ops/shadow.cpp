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

/// Whole vectors of the shadows at `offset`; f(first lane) gives what the lanes from there get.
template <class T, class F>
void set_shadows(Warp& warp, uint32_t offset, F f) {
  T* to = slot<T>(warp, offset);
  for (int i = 0; i < lanes; i += vec_lanes<T>) store_lanes<true, T>(warp, to, i, f(i));
}
template <class T>
WARPBOOK_INLINE Vec<T> shadows_at(Warp& warp, uint32_t offset, int first) {
  return *reinterpret_cast<const Vec<T>*>(slot<T>(warp, offset) + first);
}
/// As `shadows_at`; an offset of 0 stands for a value that is always there.
template <class T>
WARPBOOK_INLINE Vec<T> shadows_or_all(Warp& warp, uint32_t offset, int first) {
  return offset ? shadows_at<T>(warp, offset, first) : all_lanes<T>(T(~T(0)));
}
/// Active lanes whose shadows lack some of the wanted bits.
template <class T>
WARPBOOK_INLINE uint32_t lacking(Warp& warp, uint32_t offset, T wanted) {
  uint32_t lanes_lacking = 0;
  for (int i = 0; i < lanes; i += vec_lanes<T>) {
    const MaskVec<T> lacks = (shadows_at<T>(warp, offset, i) & wanted) != all_lanes<T>(wanted);
    lanes_lacking |= bits_of_mask<T>(lacks) << i;
  }
  return lanes_lacking & warp.mask;
}
uint32_t lacking(Warp& warp, uint32_t offset, uint8_t width, uint64_t wanted) {
  return width == width_wide ? lacking<uint64_t>(warp, offset, wanted)
                             : lacking<uint32_t>(warp, offset, uint32_t(wanted));
}
/// f<T>() with T as wide as the shadow.
template <class F>
void by_width(uint8_t width, F f) {
  if (width == width_wide) {
    f(uint64_t());
  } else {
    f(uint32_t());
  }
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
    by_width(inst.flags,
             [&]<class T>(T) { set_shadows<T>(warp, inst.dst, [](int) { return all_lanes<T>(T(~T(0))); }); });
  }
  return Step::next;
}

Step run_copy(Warp& warp, const Inst& inst) {
  if (inst.flags == width_predicate) {
    store_predicate(warp, inst.dst, load_predicate(warp, inst.a));
  } else {
    by_width(inst.flags, [&]<class T>(T) {
      set_shadows<T>(warp, inst.dst, [&](int i) { return shadows_at<T>(warp, inst.a, i); });
    });
  }
  return Step::next;
}

/// Bits that `and` with a constant clears are known. imm: the constant.
Step run_mask(Warp& warp, const Inst& inst) {
  by_width(inst.flags, [&]<class T>(T) {
    set_shadows<T>(warp, inst.dst, [&](int i) { return shadows_at<T>(warp, inst.a, i) | T(~inst.imm); });
  });
  return Step::next;
}

/// Known where both sides are; a shadow of 0 stands for a value that is always there.
Step run_both(Warp& warp, const Inst& inst) {
  by_width(inst.flags, [&]<class T>(T) {
    set_shadows<T>(warp, inst.dst, [&](int i) {
      return shadows_or_all<T>(warp, inst.a, i) & shadows_or_all<T>(warp, inst.b, i);
    });
  });
  return Step::next;
}

/// a where the predicate c holds, else b; a shadow of 0 stands for a value that is always there.
Step run_select(Warp& warp, const Inst& inst) {
  const uint32_t chosen = load_predicate(warp, inst.c);
  by_width(inst.flags, [&]<class T>(T) {
    set_shadows<T>(warp, inst.dst, [&](int i) {
      return mask_of_bits<T>(chosen, i) ? shadows_or_all<T>(warp, inst.a, i)
                                        : shadows_or_all<T>(warp, inst.b, i);
    });
  });
  return Step::next;
}

Step run_check(Warp& warp, const Inst& inst) {
  const uint32_t bad = inst.flags == width_predicate ? warp.mask & ~load_predicate(warp, inst.a)
                                                     : lacking(warp, inst.a, inst.flags, inst.imm);
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
  Shape shape;  ///< of the address alone
  uint32_t bytes = 4;
  uint8_t width = width_narrow;
  uint32_t register_index = 0;
};

const ShadowAccess& access_of(const Inst& inst) { return *reinterpret_cast<const ShadowAccess*>(inst.imm); }

/// Where the active lanes' addresses lie.
struct Where {
  Lanes at;
  Address first = 0;  ///< of the lowest active lane
  bool same = false;
  bool any_local = false;
};

WARPBOOK_INLINE void find_lanes(Warp& warp, const Inst& inst, const Shape& shape, Where& where) {
  gather_addresses(warp, inst, shape, where.at);
  where.first = where.at.address[__builtin_ctz(warp.mask)];
  Vec<uint64_t> spread{}, local{};
  for (int i = 0; i < lanes; i += 4) {
    const Vec<uint64_t> address = *reinterpret_cast<const Vec<uint64_t>*>(where.at.address + i);
    const Vec<uint64_t> active = Vec<uint64_t>(mask_at<uint64_t>(warp, i));
    spread |= (address ^ where.first) & active;
    // No address of ours has the top bit: the difference's says who lies below.
    local |= ~(address - local_window) & active;
  }
  where.same = all_zero(spread);
  where.any_local = int64_t(any_bit(local)) < 0;
}

/// Which bytes of the lanes were written, from the 4-byte word at the address on: lanes side by side, 4 bytes
/// each. Null when the access does not lie in local memory.
uint8_t* written_words(Warp& warp, Address address, uint32_t bytes) {
  BlockMemory& memory = warp.block->memory;
  if (address < local_window || memory.local_written.empty()) return nullptr;
  const uint64_t at = address - local_window;
  const uint32_t have = memory.local_bytes_per_thread;
  if (at > have || bytes > have - at) return nullptr;
  return memory.local_written.data() + size_t(warp.index) * 32 * have + size_t(at / 4) * local_stride;
}
/// The mark of a byte, so many behind the word's begin.
uint8_t& mark(uint8_t* words, int lane, uint32_t byte) {
  return words[size_t(byte / 4) * local_stride + uint32_t(lane) * 4 + byte % 4];
}
/// A mark is 0 or 1.
constexpr uint32_t mark_to_byte = 0xff;

/// Loads a word or two that all lanes have at the same place.
void load_rows(Warp& warp, const Inst& inst, const ShadowAccess& access, const uint8_t* words) {
  if (access.bytes == 4) {
    set_shadows<uint32_t>(warp, inst.dst, [&](int i) {
      Vec<uint32_t> marks;
      std::memcpy(&marks, words + 4 * i, sizeof marks);
      return marks * mark_to_byte;
    });
    return;
  }
  set_shadows<uint64_t>(warp, inst.dst, [&](int i) {
    FourLanes low, high;
    std::memcpy(&low, words + 4 * i, sizeof low);
    std::memcpy(&high, words + local_stride + 4 * i, sizeof high);
    return widened_lanes(low * mark_to_byte) | widened_lanes(high * mark_to_byte) << 32;
  });
}

void load_lane(Warp& warp, const Inst& inst, const ShadowAccess& access, int lane, Address address) {
  uint64_t bits = ~uint64_t(0);
  if (uint8_t* words = written_words(warp, address, access.bytes)) {
    bits = 0;
    for (uint32_t i = 0; i < access.bytes; ++i) {
      if (mark(words, lane, uint32_t(address % 4) + i)) bits |= uint64_t(0xff) << (8 * i);
    }
    const uint64_t all = access.bytes >= 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * access.bytes)) - 1;
    // A narrow value is extended into the register, and so is what is known of it.
    if (bits == all) bits = ~uint64_t(0);
  }
  set_shadow(warp, inst.dst, access.width, lane, bits);
}

Step run_load(Warp& warp, const Inst& inst) {
  const ShadowAccess& access = access_of(inst);
  Where where;
  find_lanes(warp, inst, access.shape, where);
  const bool whole = access.bytes == (access.width == width_wide ? 8 : 4);
  if (!where.any_local) {
    by_width(access.width,
             [&]<class T>(T) { set_shadows<T>(warp, inst.dst, [](int) { return all_lanes<T>(T(~T(0))); }); });
    return Step::next;
  }
  if (where.same && whole && where.first % 4 == 0) {
    if (const uint8_t* words = written_words(warp, where.first, access.bytes)) {
      load_rows(warp, inst, access, words);
      return Step::next;
    }
  }
  each_lane<true>(warp, [&](int lane) { load_lane(warp, inst, access, lane, where.at.address[lane]); });
  return Step::next;
}

Step run_store(Warp& warp, const Inst& inst) {
  const ShadowAccess& access = access_of(inst);
  const uint64_t all = access.bytes >= 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * access.bytes)) - 1;
  const uint32_t partly = lacking(warp, inst.b, access.width, all);
  if (!partly) return Step::next;
  Lanes at;
  gather_addresses(warp, inst, access.shape, at);
  uint32_t bad = 0;
  for (uint32_t rest = partly; rest; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const uint64_t bits = shadow_of(warp, inst.b, access.width, lane);
    const Address address = at.address[lane];
    if (uint8_t* words = written_words(warp, address, access.bytes)) {
      for (uint32_t i = 0; i < access.bytes; ++i)  // a bit field has its byte written
        mark(words, lane, uint32_t(address % 4) + i) = (bits >> (8 * i) & 0xff) != 0;
    } else {
      bad |= 1u << lane;
      set_shadow(warp, inst.b, access.width, lane, ~uint64_t(0));
    }
  }
  if (bad) note_unwritten_register(warp, inst, bad, access.register_index);
  return Step::next;
}

bool decode_shadow_access(const ptx::Instruction& source, Encoder& encoder, Inst& inst, bool load) {
  auto* access = make_kept<ShadowAccess>(encoder);
  access->shape.space = space_of(source);
  if (!fill_address(source.operands[1], encoder, access->shape, inst.a)) return false;
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
  Shape shape;  ///< of the address alone
  LocalBounds bounds;
};

Step run_within(Warp& warp, const Inst& inst) {
  const auto& within = *reinterpret_cast<const Within*>(inst.imm);
  const Address first = local_window + warp.active->frame->local_base + within.bounds.offset;
  const uint32_t bytes = within.bounds.access_bytes;
  const auto leaves = [&](Address address) {
    const uint64_t from = address - first;
    return from > within.bounds.bytes || bytes > within.bounds.bytes - from;
  };
  Where where;
  find_lanes(warp, inst, within.shape, where);
  uint32_t bad = 0;
  if (!where.same) {
    each_lane<true>(warp, [&](int lane) { bad |= uint32_t(leaves(where.at.address[lane])) << lane; });
  } else if (leaves(where.first)) {
    bad = warp.mask;
  }
  if (!bad) return Step::next;
  note_local_overrun(warp, inst, bad, where.at.address, within.bounds);
  return Step::fault;
}

bool decode_within(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  auto* within = make_kept<Within>(encoder);
  within->shape.space = space_of(source);
  if (!fill_address(source.operands[1], encoder, within->shape, inst.a)) return false;
  const uint32_t components = source.has("v4") ? 4 : source.has("v2") ? 2 : 1;
  within->bounds.offset = uint32_t(source.operands[0].bits);
  within->bounds.bytes = source.operands[0].index;
  const std::string& name = source.operands[0].name;
  auto* letters = static_cast<char*>(encoder.room(name.size() + 1));
  std::memcpy(letters, name.c_str(), name.size() + 1);
  within->bounds.name = letters;
  within->bounds.component_bytes = uint32_t(ptx::bits_of(source.type()) / 8);
  within->bounds.access_bytes = within->bounds.component_bytes * components;
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
