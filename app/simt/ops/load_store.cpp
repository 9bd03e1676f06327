// ld, ldu, st (PTX ISA 9.7.9.8 to 9.7.9.12): all spaces and widths, vectors, volatile and ordered forms.
//
// Four ways, from fast to slow: lanes side by side in the buffer that the site knows (one copy), in two rows
// there, anywhere in that buffer (lane by lane), and everything else through locate(), which also finds what
// is wrong. Each way is a function that passes on what is not for it.
#include "simt/ops/all_families.h"
#include "simt/ops/memory_access.h"
#include "simt/ops/move_values.h"
#include "simt/ops/quick_access.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

/// How the values of `count` lanes of `bytes` each lie, from the address register alone: the second lane
/// decides which way to look.
template <class T>
WARPBOOK_INLINE Pattern pattern_of(const T* from, int count, uint32_t bytes) {
  const T base = from[0];
  Vec<T> off{};
  if (from[1] == base) {
    for (int i = 0; i < count; i += vec_lanes<T>) off |= *reinterpret_cast<const Vec<T>*>(from + i) ^ base;
    return all_zero(Vec<uint64_t>(off)) ? Pattern::same : Pattern::scattered;
  }
  Vec<T> expected;
  if constexpr (sizeof(T) == 8) {
    expected = Vec<uint64_t>{0, bytes, 2ull * bytes, 3ull * bytes} + base;
  } else {
    expected = Vec<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7} * bytes + base;
  }
  const T step = T(vec_lanes<T>) * bytes;
  for (int i = 0; i < count; i += vec_lanes<T>, expected += step)
    off |= *reinterpret_cast<const Vec<T>*>(from + i) ^ expected;
  return all_zero(Vec<uint64_t>(off)) ? Pattern::contiguous : Pattern::scattered;
}

/// What the address register of a lane stands for.
WARPBOOK_INLINE Address address_of_value(const Shape& shape, uint64_t value) {
  return value + shape.offset + shape.window;
}
WARPBOOK_INLINE Address address_of_value(const Shape& shape, uint32_t value) {
  return uint32_t(value + uint32_t(shape.offset)) + shape.window;
}

/// True when both halves of the warp are rows, each inside the cached buffer. Words only.
template <class T>
WARPBOOK_INLINE bool half_rows(const Shape& shape, const T* from, const SiteCache& cache, HalfRows& rows) {
  for (int half = 0; half < 2; ++half) {
    const Pattern pattern = pattern_of(from + 16 * half, 16, 4);
    if (pattern == Pattern::scattered) return false;
    const Address first = address_of_value(shape, from[16 * half]);
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
      low = load_words(from);
      high = load_words(from + 32);
    }
    store_words(d, low);
    store_words(d + 8, high);
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

/// For what the quick way does not tell: every lane's address.
[[gnu::noinline]] void note_slowly(Warp& warp, const Inst& inst, const Shape& shape, const SiteCache& cache,
                                   Pattern pattern, bool counted) {
  Lanes at;
  gather_addresses(warp, inst, shape, at);
  const Access access = access_of(warp, inst, shape, at);
  if (counted) {
    follow(warp, access, &cache, pattern);
  } else {
    account(warp, access, &cache, pattern, shape.level);
  }
}

/// Levels measure and check, of lanes side by side without a gap (`count` of them) or at one place.
template <Level At, bool Load, bool Masked>
WARPBOOK_INLINE void note_run(Warp& warp, const Inst& inst, const Shape& shape, const SiteCache& cache,
                              Pattern pattern, Address first, uint32_t count) {
  if constexpr (At == Level::run) return;
  if (!count_quick<Masked>(*warp.worker->memory, shape, cache, pattern, first, count)) {
    note_slowly(warp, inst, shape, cache, pattern, false);
  } else if (At == Level::check && !follow_quick<Load, Masked>(warp, shape, cache, pattern, first, count)) {
    note_slowly(warp, inst, shape, cache, pattern, true);
  }
}
template <Level At>
WARPBOOK_INLINE void note_rows(Warp& warp, const Inst& inst, const Shape& shape, const SiteCache& cache,
                               const HalfRows& rows) {
  if constexpr (At == Level::run) return;
  if (!count_rows(*warp.worker->memory, cache, rows)) {
    note_slowly(warp, inst, shape, cache, Pattern::scattered, false);
  } else if (At == Level::check && !follow_rows(warp, shape, cache, rows)) {
    note_slowly(warp, inst, shape, cache, Pattern::scattered, true);
  }
}

/// `need` bytes from `first` on, a multiple of `bytes`, lie in the cached buffer.
WARPBOOK_INLINE bool run_inside(const SiteCache& cache, Address first, uint64_t need, uint32_t bytes) {
  const uint64_t off = first - cache.base;
  return off <= cache.bytes && need <= cache.bytes - off && (first & (bytes - 1)) == 0;
}

/// Any access, by every lane's address.
template <Level At, bool Load, bool Masked>
[[gnu::noinline]] Step access_any(Warp& warp, const Inst& inst) {
  constexpr bool counted = At != Level::run;
  const Shape& shape = shape_of(inst);
  const SiteCache& cache = warp.worker->memory->caches[inst.site];
  Lanes at;
  const int leader = Masked ? __builtin_ctz(warp.mask) : 0;
  const Pattern pattern = gather_and_classify<Masked>(warp, inst, shape, leader, at);
  if (!Load && cache.read_only) return access_slow<counted, Load>(warp, inst, shape, at);

  const Address first = at.address[leader];
  if (pattern == Pattern::contiguous) {
    const uint32_t shifted = Masked ? warp.mask >> leader : ~0u;
    const uint32_t reach =
        Masked ? 32 - uint32_t(__builtin_clz(shifted)) : 32;  // lanes from the leader to the last
    if (run_inside(cache, first, uint64_t(reach) * shape.bytes, shape.bytes)) {
      const uint32_t run = (shifted & (shifted + 1)) == 0 ? reach : 0;  // no idle lane between
      note_run<At, Load, Masked>(warp, inst, shape, cache, Pattern::contiguous, first, run);
      move_contiguous<Load, Masked>(warp, shape, host_of(warp, cache) + (first - cache.base), leader, run);
      return Step::next;
    }
  } else if (Load && pattern == Pattern::same) {
    if (run_inside(cache, first, shape.bytes, shape.bytes)) {
      const uint32_t count = Masked ? uint32_t(__builtin_popcount(warp.mask)) : 32;
      note_run<At, Load, Masked>(warp, inst, shape, cache, Pattern::same, first, count);
      fetch_same<Masked>(warp, shape, host_of(warp, cache) + (first - cache.base));
      return Step::next;
    }
  } else if (inside<Masked>(warp, shape, at, cache)) {
    if constexpr (counted) account(warp, access_of(warp, inst, shape, at), &cache, pattern, shape.level);
    std::byte* host = host_of(warp, cache);
    const auto where = [&](int lane) { return host + (at.address[lane] - cache.base); };
    if constexpr (Load) {
      fetch<Masked>(warp, shape, where);
    } else if (put<Masked>(warp, shape, where)) {
      ++warp.block->touched;
    }
    return Step::next;
  }
  if (first >= local_window) return access_local<counted, Load, Masked>(warp, inst, shape, at);
  return access_slow<counted, Load>(warp, inst, shape, at);
}

/// Words of the whole warp that lie anyhow: perhaps in two rows.
template <Level At, class T>
[[gnu::noinline]] Step load_rows(Warp& warp, const Inst& inst) {
  const Shape& shape = shape_of(inst);
  const SiteCache& cache = warp.worker->memory->caches[inst.site];
  HalfRows rows;
  if (!half_rows(shape, slot<T>(warp, inst.a), cache, rows)) return access_any<At, true, false>(warp, inst);
  note_rows<At>(warp, inst, shape, cache, rows);
  fetch_half_rows(warp, shape, cache, rows);
  return Step::next;
}

/// The whole warp: its lanes side by side, or loads of one place. Everything else is passed on, so that this
/// needs few registers and no stack. T is the address register's type, `Words` means one plain 32-bit value a
/// lane.
template <Level At, bool Load, class T, bool Words>
Step access_whole(Warp& warp, const Inst& inst) {
  const Shape& shape = shape_of(inst);
  const SiteCache& cache = warp.worker->memory->caches[inst.site];
  const T* from = slot<T>(warp, inst.a);
  const uint32_t bytes = Words ? 4 : shape.bytes;
  const Pattern pattern = pattern_of(from, lanes, bytes);
  if (pattern == Pattern::scattered) {
    if constexpr (Load && Words) return load_rows<At, T>(warp, inst);
    return access_any<At, Load, false>(warp, inst);
  }
  const Address first = address_of_value(shape, from[0]);
  const bool good = Load || (pattern == Pattern::contiguous && !cache.read_only);
  const uint64_t need = pattern == Pattern::same ? bytes : 32ull * bytes;
  if (!good || !run_inside(cache, first, need, bytes)) return access_any<At, Load, false>(warp, inst);
  note_run<At, Load, false>(warp, inst, shape, cache, pattern, first, 32);
  std::byte* host = host_of(warp, cache) + (first - cache.base);
  if constexpr (Words) {
    std::byte* registers = warp.frame + shape.slot[0];
    if (pattern == Pattern::same) {
      uint32_t word;
      std::memcpy(&word, host, sizeof word);
      for (int i = 0; i < 4; ++i) store_words(registers + 32 * i, all_lanes<uint32_t>(word));
    } else {
      move_line<Load>(warp, host, registers);
    }
  } else if (pattern == Pattern::same) {
    fetch_same<false>(warp, shape, host);
  } else {
    move_contiguous<Load, false>(warp, shape, host, 0, 32);
  }
  return Step::next;
}

template <bool Counted, bool Load, bool Masked>
Step access_in_local(Warp& warp, const Inst& inst) {
  const Shape& shape = shape_of(inst);
  Lanes at;
  gather_addresses(warp, inst, shape, at);
  return access_local<Counted, Load, Masked>(warp, inst, shape, at);
}

template <Level At, bool Load>
void choose(Inst& inst, const Shape& shape) {
  if (shape.space == ptx::Space::local) {
    constexpr bool counted = At != Level::run;
    inst.full = &access_in_local<counted, Load, false>;
    inst.masked = &access_in_local<counted, Load, true>;
    return;
  }
  const bool words = shape.bytes == 4 && shape.components == 1 && !shape.wide[0] && !shape.ordered;
  if (shape.narrow_address) {
    inst.full = words ? &access_whole<At, Load, uint32_t, true> : &access_whole<At, Load, uint32_t, false>;
  } else {
    inst.full = words ? &access_whole<At, Load, uint64_t, true> : &access_whole<At, Load, uint64_t, false>;
  }
  inst.masked = &access_any<At, Load, true>;
}
template <bool Load>
void choose(Inst& inst, const Shape& shape) {
  switch (shape.level) {
    case Level::run: return choose<Level::run, Load>(inst, shape);
    case Level::measure: return choose<Level::measure, Load>(inst, shape);
    case Level::check: return choose<Level::check, Load>(inst, shape);
  }
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
  if (load) {
    choose<true>(inst, *shape);
  } else {
    choose<false>(inst, *shape);
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
