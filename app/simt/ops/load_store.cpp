// ld, ldu, st (PTX ISA 9.7.9.8 to 9.7.9.12): all spaces and widths, vectors, volatile and ordered forms.
//
// Three ways, from fast to slow: lanes side by side in the buffer that the site knows (one copy), anywhere in
// that buffer (lane by lane), and everything else through locate(), which also finds what is wrong.
#include "simt/ops/all_families.h"
#include "simt/ops/memory_access.h"
#include "simt/ops/quick_access.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

// Moving values. `Where` gives a lane's first byte; Local says that words lie apart.

template <bool Masked, class T, class D, class Where>
WARPBOOK_INLINE void fetch_as(Warp& warp, uint32_t slot_offset, bool ordered, Where where) {
  D* d = slot<D>(warp, slot_offset);
  if (ordered) {
    each_lane<Masked>(warp, [&](int lane) { d[lane] = D(read_component<T>(where(lane), true)); });
  } else {
    each_lane<Masked>(warp, [&](int lane) { d[lane] = D(read_component<T>(where(lane), false)); });
  }
}

template <bool Masked, class Where>
void fetch(Warp& warp, const Shape& shape, Where where) {
  for (uint32_t k = 0; k < shape.components; ++k) {
    const uint32_t to = shape.slot[k];
    const bool ordered = shape.ordered;
    const auto at = [&](int lane) { return where(lane) + k * shape.component_bytes; };
    // A narrower value is extended into the register (PTX ISA 6.4.1); upper bits of 32-bit slots likewise.
    switch (shape.component_bytes * 4 + (shape.sign ? 2 : 0) + (shape.wide[k] ? 1 : 0)) {
      case 4: fetch_as<Masked, uint8_t, uint32_t>(warp, to, ordered, at); break;
      case 5: fetch_as<Masked, uint8_t, uint64_t>(warp, to, ordered, at); break;
      case 6: fetch_as<Masked, int8_t, int32_t>(warp, to, ordered, at); break;
      case 7: fetch_as<Masked, int8_t, int64_t>(warp, to, ordered, at); break;
      case 8: fetch_as<Masked, uint16_t, uint32_t>(warp, to, ordered, at); break;
      case 9: fetch_as<Masked, uint16_t, uint64_t>(warp, to, ordered, at); break;
      case 10: fetch_as<Masked, int16_t, int32_t>(warp, to, ordered, at); break;
      case 11: fetch_as<Masked, int16_t, int64_t>(warp, to, ordered, at); break;
      case 16:
      case 18: fetch_as<Masked, uint32_t, uint32_t>(warp, to, ordered, at); break;
      case 17: fetch_as<Masked, uint32_t, uint64_t>(warp, to, ordered, at); break;
      case 19: fetch_as<Masked, int32_t, int64_t>(warp, to, ordered, at); break;
      case 33:
      case 35: fetch_as<Masked, uint64_t, uint64_t>(warp, to, ordered, at); break;
      default: break;
    }
  }
}

// Stores return whether a byte changed: a loop whose stores change nothing makes no progress
// (BlockState::touched).

template <bool Masked, class T, class S, class Where>
WARPBOOK_INLINE bool put_as(Warp& warp, uint32_t slot_offset, bool ordered, Where where) {
  const S* s = slot<S>(warp, slot_offset);
  T changed = 0;
  const auto put_all = [&](bool in_order) {
    each_lane<Masked>(warp, [&](int lane) {
      std::byte* at = where(lane);
      changed |= T(read_component<T>(at, in_order) ^ T(s[lane]));
      write_component<T>(at, T(s[lane]), in_order);
    });
  };
  if (ordered) {
    put_all(true);
  } else {
    put_all(false);
  }
  return changed != 0;
}

template <bool Masked, class Where>
bool put(Warp& warp, const Shape& shape, Where where) {
  bool changed = false;
  for (uint32_t k = 0; k < shape.components; ++k) {
    const uint32_t from = shape.slot[k];
    const bool ordered = shape.ordered;
    const auto at = [&](int lane) { return where(lane) + k * shape.component_bytes; };
    switch (shape.component_bytes * 2 + (shape.wide[k] ? 1 : 0)) {
      case 2: changed |= put_as<Masked, uint8_t, uint32_t>(warp, from, ordered, at); break;
      case 3: changed |= put_as<Masked, uint8_t, uint64_t>(warp, from, ordered, at); break;
      case 4: changed |= put_as<Masked, uint16_t, uint32_t>(warp, from, ordered, at); break;
      case 5: changed |= put_as<Masked, uint16_t, uint64_t>(warp, from, ordered, at); break;
      case 8: changed |= put_as<Masked, uint32_t, uint32_t>(warp, from, ordered, at); break;
      case 9: changed |= put_as<Masked, uint32_t, uint64_t>(warp, from, ordered, at); break;
      case 17: changed |= put_as<Masked, uint64_t, uint64_t>(warp, from, ordered, at); break;
      default: break;
    }
  }
  return changed;
}

/// A component of one lane as 64 bits, extended as the shape says.
uint64_t extended(const Shape& shape, uint64_t bits) {
  const uint32_t unused = 64 - shape.component_bytes * 8;
  return shape.sign ? uint64_t(int64_t(bits << unused) >> unused) : bits << unused >> unused;
}

/// One lane at a time, of any width, in local memory or not.
void fetch_lane(Warp& warp, const Shape& shape, int lane, std::byte* from, bool local) {
  for (uint32_t k = 0; k < shape.components; ++k) {
    const uint32_t skip = k * shape.component_bytes;
    std::byte* at = local ? local_at(from, skip) : from + skip;
    uint64_t bits = 0;
    switch (shape.component_bytes) {
      case 1: bits = read_component<uint8_t>(at, shape.ordered); break;
      case 2: bits = read_component<uint16_t>(at, shape.ordered); break;
      case 4: bits = read_component<uint32_t>(at, shape.ordered); break;
      default: bits = local ? read_local<uint64_t>(at) : read_component<uint64_t>(at, shape.ordered); break;
    }
    bits = extended(shape, bits);
    if (shape.wide[k]) {
      slot<uint64_t>(warp, shape.slot[k])[lane] = bits;
    } else {
      slot<uint32_t>(warp, shape.slot[k])[lane] = uint32_t(bits);
    }
  }
}
template <class T>
bool put_component(std::byte* at, T value, bool ordered) {
  const bool changed = read_component<T>(at, ordered) != value;
  write_component<T>(at, value, ordered);
  return changed;
}
bool put_lane(Warp& warp, const Shape& shape, int lane, std::byte* to, bool local) {
  bool changed = false;
  for (uint32_t k = 0; k < shape.components; ++k) {
    const uint32_t skip = k * shape.component_bytes;
    std::byte* at = local ? local_at(to, skip) : to + skip;
    const uint64_t bits =
        shape.wide[k] ? slot<uint64_t>(warp, shape.slot[k])[lane] : slot<uint32_t>(warp, shape.slot[k])[lane];
    switch (shape.component_bytes) {
      case 1: changed |= put_component<uint8_t>(at, uint8_t(bits), shape.ordered); break;
      case 2: changed |= put_component<uint16_t>(at, uint16_t(bits), shape.ordered); break;
      case 4: changed |= put_component<uint32_t>(at, uint32_t(bits), shape.ordered); break;
      default:
        if (local) {
          changed |= read_local<uint64_t>(at) != bits;
          write_local<uint64_t>(at, bits);
        } else {
          changed |= put_component<uint64_t>(at, bits, shape.ordered);
        }
    }
  }
  return changed;
}

/// Lanes side by side from the leader on.
template <bool Load, bool Masked>
WARPBOOK_INLINE void move_contiguous(Warp& warp, const Shape& shape, std::byte* host, int leader,
                                     uint32_t run) {
  const bool whole_slots = shape.component_bytes == (shape.wide[0] ? 8u : 4u);
  if (shape.components == 1 && whole_slots && !shape.ordered && (!Masked || run != 0)) {
    std::byte* registers = warp.frame + shape.slot[0] + size_t(leader) * shape.bytes;
    // Never more than the active lanes' bytes: the neighbours may be another block's.
    if constexpr (Masked) {
      const size_t bytes = size_t(run) * shape.bytes;
      if constexpr (Load) {
        std::memcpy(registers, host, bytes);
      } else if (std::memcmp(host, registers, bytes) != 0) {
        std::memcpy(host, registers, bytes);
        ++warp.block->touched;
      }
    } else {
      // Vector by vector: as one memcpy the compiler makes a string move of it, which starts slowly.
      Vec<uint64_t> changed{};
      const size_t bytes = shape.bytes == 4 ? 128 : 256;
      for (size_t k = 0; k < bytes; k += 128) {
        Vec<uint64_t> v[4];
        std::memcpy(&v[0], (Load ? host : registers) + k, 32);
        std::memcpy(&v[1], (Load ? host : registers) + k + 32, 32);
        std::memcpy(&v[2], (Load ? host : registers) + k + 64, 32);
        std::memcpy(&v[3], (Load ? host : registers) + k + 96, 32);
        std::byte* const to = (Load ? registers : host) + k;
        for (size_t j = 0; j < 4; ++j) {
          if constexpr (!Load) {
            Vec<uint64_t> old;
            std::memcpy(&old, to + 32 * j, 32);
            changed |= old ^ v[j];
          }
          std::memcpy(to + 32 * j, &v[j], 32);
        }
      }
      if constexpr (!Load) {
        if (any_bit(changed) != 0) ++warp.block->touched;
      }
    }
    return;
  }
  const auto where = [&](int lane) { return host + uint32_t(lane - leader) * shape.bytes; };
  if constexpr (Load) {
    fetch<Masked>(warp, shape, where);
  } else if (put<Masked>(warp, shape, where)) {
    ++warp.block->touched;
  }
}

/// Every active lane reads one place.
template <bool Masked>
void fetch_same(Warp& warp, const Shape& shape, std::byte* host) {
  for (uint32_t k = 0; k < shape.components; ++k) {
    std::byte* at = host + k * shape.component_bytes;
    uint64_t bits = 0;
    switch (shape.component_bytes) {
      case 1: bits = read_component<uint8_t>(at, shape.ordered); break;
      case 2: bits = read_component<uint16_t>(at, shape.ordered); break;
      case 4: bits = read_component<uint32_t>(at, shape.ordered); break;
      default: bits = read_component<uint64_t>(at, shape.ordered); break;
    }
    bits = extended(shape, bits);
    if (shape.wide[k]) {
      uint64_t* d = slot<uint64_t>(warp, shape.slot[k]);
      for (int i = 0; i < lanes; i += 4) store_lanes<Masked>(warp, d, i, all_lanes<uint64_t>(bits));
    } else {
      uint32_t* d = slot<uint32_t>(warp, shape.slot[k]);
      for (int i = 0; i < lanes; i += 8) store_lanes<Masked>(warp, d, i, all_lanes<uint32_t>(uint32_t(bits)));
    }
  }
}

/// How half of a warp's addresses lie, lanes [first, first + 16).
WARPBOOK_INLINE Pattern half_pattern(const Lanes& at, const Shape& shape, int first) {
  const Address base = at.address[first];
  Vec<uint64_t> off{}, spread{};
  for (int i = 0; i < 16; i += 4) {
    const Vec<uint64_t> d = *reinterpret_cast<const Vec<uint64_t>*>(at.address + first + i) - base;
    off |= d ^ *reinterpret_cast<const Vec<uint64_t>*>(shape.ramp + i);
    spread |= d;
  }
  return all_zero(off) ? Pattern::contiguous : all_zero(spread) ? Pattern::same : Pattern::scattered;
}

/// True when both halves of the warp are rows, each inside the cached buffer. Words only.
WARPBOOK_INLINE bool half_rows(const Shape& shape, const Lanes& at, const SiteCache& cache, HalfRows& rows) {
  for (int half = 0; half < 2; ++half) {
    const Pattern pattern = half_pattern(at, shape, 16 * half);
    if (pattern == Pattern::scattered) return false;
    const Address first = at.address[16 * half];
    const uint64_t off = first - cache.base;
    const uint64_t need = pattern == Pattern::same ? 4 : 64;
    if (off > cache.bytes || need > cache.bytes - off || (first & 3) != 0) return false;
    rows.first[half] = first;
    rows.same[half] = pattern == Pattern::same;
  }
  return true;
}
WARPBOOK_INLINE void fetch_half_rows(Warp& warp, const Shape& shape, const SiteCache& cache,
                                     const HalfRows& rows) {
  const std::byte* host = host_of(warp, cache);
  uint32_t* d = slot<uint32_t>(warp, shape.slot[0]);
  for (int half = 0; half < 2; ++half, d += 16) {
    const std::byte* from = host + (rows.first[half] - cache.base);
    Vec<uint32_t> low, high;
    if (rows.same[half]) {
      uint32_t word;
      std::memcpy(&word, from, sizeof word);
      low = high = all_lanes<uint32_t>(word);
    } else {
      std::memcpy(&low, from, sizeof low);
      std::memcpy(&high, from + sizeof low, sizeof high);
    }
    std::memcpy(d, &low, sizeof low);
    std::memcpy(d + 8, &high, sizeof high);
  }
}

template <bool Counted, bool Load>
Step access_slow(Warp& warp, const Inst& inst, const Shape& shape, const Lanes& at) {
  const Access access = access_of(warp, inst, shape, at);
  Places places;
  if (!locate(warp, access, places)) return Step::fault;
  if constexpr (Counted) account(warp, access, nullptr, Pattern::scattered, shape.level);
  bool changed = false;
  each_lane<true>(warp, [&](int lane) {
    std::byte* host = places.host[size_t(lane)];
    const bool local = places.local_lanes >> lane & 1;
    if constexpr (Load) {
      fetch_lane(warp, shape, lane, host, local);
    } else {
      changed |= put_lane(warp, shape, lane, host, local);
    }
  });
  if (changed) ++warp.block->touched;
  return Step::next;
}

/// Local memory: the same word of all lanes is contiguous.
template <bool Counted, bool Load, bool Masked>
Step access_local(Warp& warp, const Inst& inst, const Shape& shape, const Lanes& at) {
  const int leader = Masked ? __builtin_ctz(warp.mask) : 0;
  const Address first = at.address[leader];
  const uint64_t offset = first - local_window;
  const uint32_t have = warp.block->memory.local_bytes_per_thread;
  Vec<uint64_t> spread{};
  for (int i = 0; i < lanes; i += 4) {
    Vec<uint64_t> s = *reinterpret_cast<const Vec<uint64_t>*>(at.address + i) ^ first;
    if constexpr (Masked) s &= Vec<uint64_t>(mask_at<uint64_t>(warp, i));
    spread |= s;
  }
  const bool whole_slots = shape.component_bytes == 4 && !shape.wide[0];
  if (any_bit(spread) != 0 || offset > have || shape.bytes > have - offset ||
      (offset & (shape.bytes - 1)) != 0 || !whole_slots) {
    return access_slow<Counted, Load>(warp, inst, shape, at);
  }
  if constexpr (Counted) account(warp, access_of(warp, inst, shape, at), nullptr, Pattern::same, shape.level);
  std::byte* row =
      warp.block->memory.local.data() + size_t(warp.index) * 32 * have + offset / 4 * local_stride;
  Vec<uint32_t> changed{};
  for (uint32_t k = 0; k < shape.components; ++k, row += local_stride) {
    uint32_t* registers = slot<uint32_t>(warp, shape.slot[k]);
    uint32_t* words = reinterpret_cast<uint32_t*>(row);
    for (int i = 0; i < lanes; i += 8) {
      if constexpr (Load) {
        Vec<uint32_t> v;
        std::memcpy(&v, words + i, sizeof v);
        store_lanes<Masked>(warp, registers, i, v);
      } else {
        // The whole row belongs to this warp: idle lanes keep theirs.
        Vec<uint32_t> v, old;
        std::memcpy(&v, registers + i, sizeof v);
        std::memcpy(&old, words + i, sizeof old);
        if constexpr (Masked) v = mask_at<uint32_t>(warp, i) ? v : old;
        changed |= v ^ old;
        std::memcpy(words + i, &v, sizeof v);
      }
    }
  }
  if constexpr (!Load) {
    if (any_bit(Vec<uint64_t>(changed)) != 0) ++warp.block->touched;
  }
  return Step::next;
}

/// Levels measure and check, of lanes side by side without a gap (`count` of them) or at one place.
template <bool Load, bool Masked>
WARPBOOK_INLINE void note_run(Warp& warp, const Inst& inst, const Shape& shape, const Lanes& at,
                              const SiteCache& cache, Pattern pattern, Address first, uint32_t count) {
  if (!count_quick<Masked>(*warp.worker->memory, shape, cache, pattern, first, count)) {
    account(warp, access_of(warp, inst, shape, at), &cache, pattern, shape.level);
  } else if (shape.level == Level::check &&
             !follow_quick<Load, Masked>(warp, shape, cache, pattern, first, count)) {
    follow(warp, access_of(warp, inst, shape, at), &cache, pattern);
  }
}
WARPBOOK_INLINE void note_rows(Warp& warp, const Inst& inst, const Shape& shape, const Lanes& at,
                               const SiteCache& cache, const HalfRows& rows) {
  if (!count_rows(*warp.worker->memory, cache, rows)) {
    account(warp, access_of(warp, inst, shape, at), &cache, Pattern::scattered, shape.level);
  } else if (shape.level == Level::check && !follow_rows(warp, shape, cache, rows)) {
    follow(warp, access_of(warp, inst, shape, at), &cache, Pattern::scattered);
  }
}

template <bool Counted, bool Load, bool Masked>
Step access(Warp& warp, const Inst& inst) {
  const Shape& shape = shape_of(inst);
  Lanes at;
  const int leader = Masked ? __builtin_ctz(warp.mask) : 0;
  const Pattern pattern = gather_and_classify<Masked>(warp, inst, shape, leader, at);
  const SiteCache& cache = warp.worker->memory->caches[inst.site];
  if (!Load && cache.read_only) return access_slow<Counted, Load>(warp, inst, shape, at);

  if (pattern == Pattern::contiguous) {
    const uint32_t shifted = Masked ? warp.mask >> leader : ~0u;
    const uint32_t reach =
        Masked ? 32 - uint32_t(__builtin_clz(shifted)) : 32;  // lanes from the leader to the last
    const uint64_t off = at.address[leader] - cache.base;
    const uint64_t need = uint64_t(reach) * shape.bytes;
    if (off <= cache.bytes && need <= cache.bytes - off && (at.address[leader] & (shape.bytes - 1)) == 0) {
      const uint32_t run = (shifted & (shifted + 1)) == 0 ? reach : 0;  // no idle lane between
      if constexpr (Counted) {
        note_run<Load, Masked>(warp, inst, shape, at, cache, Pattern::contiguous, at.address[leader], run);
      }
      move_contiguous<Load, Masked>(warp, shape, host_of(warp, cache) + off, leader, run);
      return Step::next;
    }
  } else if (Load && pattern == Pattern::same) {
    const uint64_t off = at.address[leader] - cache.base;
    if (off <= cache.bytes && shape.bytes <= cache.bytes - off &&
        (at.address[leader] & (shape.bytes - 1)) == 0) {
      if constexpr (Counted) {
        const uint32_t count = Masked ? uint32_t(__builtin_popcount(warp.mask)) : 32;
        note_run<Load, Masked>(warp, inst, shape, at, cache, Pattern::same, at.address[leader], count);
      }
      fetch_same<Masked>(warp, shape, host_of(warp, cache) + off);
      return Step::next;
    }
  } else {
    if constexpr (Load && !Masked) {
      HalfRows rows;
      if (shape.bytes == 4 && shape.components == 1 && !shape.wide[0] && !shape.ordered &&
          half_rows(shape, at, cache, rows)) {
        if constexpr (Counted) note_rows(warp, inst, shape, at, cache, rows);
        fetch_half_rows(warp, shape, cache, rows);
        return Step::next;
      }
    }
    if (inside<Masked>(warp, shape, at, cache)) {
      if constexpr (Counted) account(warp, access_of(warp, inst, shape, at), &cache, pattern, shape.level);
      std::byte* host = host_of(warp, cache);
      const auto where = [&](int lane) { return host + (at.address[lane] - cache.base); };
      if constexpr (Load) {
        fetch<Masked>(warp, shape, where);
      } else if (put<Masked>(warp, shape, where)) {
        ++warp.block->touched;
      }
      return Step::next;
    }
  }
  if (at.address[leader] >= local_window) return access_local<Counted, Load, Masked>(warp, inst, shape, at);
  return access_slow<Counted, Load>(warp, inst, shape, at);
}

template <bool Counted, bool Load, bool Masked>
Step access_in_local(Warp& warp, const Inst& inst) {
  const Shape& shape = shape_of(inst);
  Lanes at;
  gather_addresses(warp, inst, shape, at);
  return access_local<Counted, Load, Masked>(warp, inst, shape, at);
}

template <bool Load, bool Counted>
void choose(Inst& inst, bool local) {
  inst.full = local ? &access_in_local<Counted, Load, false> : &access<Counted, Load, false>;
  inst.masked = local ? &access_in_local<Counted, Load, true> : &access<Counted, Load, true>;
}

/// Debug builds copy objects without members as one byte that nothing ever writes (an empty struct passed by
/// value lies in the depot, at %SP): a byte that is only stored again. That reads no value, so it is none
/// that is missing.
bool copies_a_byte(const ptx::Instruction& load, const Encoder& encoder) {
  const ptx::Function& function = encoder.function();
  const ptx::Operand& base = load.operands[1].parts[0];
  if (ptx::bits_of(load.type()) != 8 || load.operands[0].kind != ptx::Operand::Kind::reg ||
      base.kind != ptx::Operand::Kind::reg || function.registers[base.index].name != "%SP") {
    return false;
  }
  const uint32_t value = load.operands[0].index;
  bool stored = false;
  for (const ptx::Instruction& other : function.body) {
    if (other.guard >= 0 && uint32_t(other.guard) == value) return false;
    for (size_t i = 0; i < other.operands.size(); ++i) {
      const ptx::Operand& operand = other.operands[i];
      bool uses = operand.kind == ptx::Operand::Kind::reg && operand.index == value;
      for (const ptx::Operand& part : operand.parts) {
        uses = uses || (part.kind == ptx::Operand::Kind::reg && part.index == value);
      }
      if (!uses || (i == 0 && other.opcode == "ld")) continue;
      if (other.opcode != "st" || i != 1 || ptx::bits_of(other.type()) != 8) return false;
      stored = true;
    }
  }
  return stored;
}

bool decode_access(const ptx::Instruction& source, Encoder& encoder, Inst& inst, bool load) {
  if (source.operands.size() < 2) return false;
  const ptx::Operand& value = source.operands[load ? 0 : 1];
  const ptx::Operand& address = source.operands[load ? 1 : 0];
  const ptx::Type type = source.type();
  const int bits = ptx::bits_of(type);
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return false;

  auto* shape = make_kept<Shape>(encoder);
  shape->level = encoder.level();
  shape->kind = load ? AccessKind::read : AccessKind::write;
  shape->space = space_of(source);
  shape->sign = ptx::is_signed(type);
  shape->ordering = ordering_of(source);
  shape->ordered = shape->ordering.strength != Strength::plain;
  if (!fill_address(address, encoder, *shape, inst.a)) return false;
  const bool vector = value.kind == ptx::Operand::Kind::vector;
  const size_t count = vector ? value.parts.size() : 1;
  if (count == 0 || count > most_components || (count & (count - 1)) != 0) return false;
  for (size_t k = 0; k < count; ++k) {
    const ptx::Operand& part = vector ? value.parts[k] : value;
    shape->wide[k] = is_wide(part, encoder, type);
    if (bits == 64 && !shape->wide[k]) return false;
    shape->slot[k] = load ? encoder.target(part, type) : encoder.source(part, type);
  }
  finish_shape(*shape, type, uint32_t(count));
  if (load && shape->level == Level::check && copies_a_byte(source, encoder)) shape->level = Level::measure;
  const bool local = shape->space == ptx::Space::local;
  const bool counted = shape->level != Level::run;
  if (load) {
    counted ? choose<true, true>(inst, local) : choose<true, false>(inst, local);
  } else {
    counted ? choose<false, true>(inst, local) : choose<false, false>(inst, local);
  }
  inst.imm = reinterpret_cast<uint64_t>(static_cast<Shape*>(shape));
  return true;
}

}  // namespace

bool decode_ld(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_access(source, encoder, inst, true);
}
bool decode_st(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_access(source, encoder, inst, false);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
