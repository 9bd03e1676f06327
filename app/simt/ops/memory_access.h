#pragma once
// What the memory families share: the shape of an access, the lanes' addresses, and whether one buffer that
// the site knows already holds them all. What is rare or wrong is left to simt/access.
#include <atomic>
#include <bit>

#include "simt/access/worker.h"
#include "simt/exec/state.h"
#include "simt/families.h"
#include "simt/ops/vectors.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

constexpr int most_components = 8;

/// Everything about one instruction's access that decode knows; Inst::imm points to it.
struct Shape {
  alignas(32) uint64_t ramp[32] = {};  ///< lane * bytes
  uint64_t offset = 0;
  Address window = 0;  ///< added to the address: shared_window, local_window or 0
  uint32_t bytes = 4;  ///< a lane
  uint32_t component_bytes = 4;
  uint32_t components = 1;
  Level level = Level::run;  ///< handlers for run are built apart; measure and check share theirs
  ptx::Space space = ptx::Space::generic;
  AccessKind kind = AccessKind::read;
  bool narrow_address = false;          ///< the address register has 32 bits
  bool sign = false;                    ///< loads: sign-extend
  bool ordered = false;                 ///< volatile, relaxed, acquire, release: atomic to the host too
  Ordering ordering;                    ///< what it means to the race rules
  uint32_t slot[most_components] = {};  ///< frame offsets of values
  bool wide[most_components] = {};      ///< 64-bit slots
};

WARPBOOK_INLINE const Shape& shape_of(const Inst& inst) { return *reinterpret_cast<const Shape*>(inst.imm); }

/// The lanes' generic addresses.
struct Lanes {
  alignas(32) Address address[32];
};

/// Four lanes from 32 to 64 bits (GCC 12 splits the plain conversion into many steps).
typedef uint32_t FourLanes __attribute__((vector_size(16)));
WARPBOOK_INLINE Vec<uint64_t> widened_lanes(const FourLanes& v) {
#if defined(__AVX2__) && !defined(__clang__)
  typedef int i32x4 __attribute__((vector_size(16)));
  return Vec<uint64_t>(__builtin_ia32_pmovzxdq256(i32x4(v)));
#else
  return __builtin_convertvector(v, Vec<uint64_t>);
#endif
}

WARPBOOK_INLINE void gather_addresses(Warp& warp, const Inst& inst, const Shape& shape, Lanes& to) {
  if (shape.narrow_address) {
    const uint32_t* from = slot<uint32_t>(warp, inst.a);
    const uint32_t offset = uint32_t(shape.offset);
    for (int i = 0; i < lanes; i += 4) {
      FourLanes narrow;
      std::memcpy(&narrow, from + i, sizeof narrow);
      *reinterpret_cast<Vec<uint64_t>*>(to.address + i) = widened_lanes(narrow + offset) + shape.window;
    }
  } else {
    const uint64_t* from = slot<uint64_t>(warp, inst.a);
    const uint64_t offset = shape.offset + shape.window;
    for (int i = 0; i < lanes; i += 4) {
      *reinterpret_cast<Vec<uint64_t>*>(to.address + i) =
          *reinterpret_cast<const Vec<uint64_t>*>(from + i) + offset;
    }
  }
}

WARPBOOK_INLINE uint64_t any_bit(const Vec<uint64_t>& v) { return v[0] | v[1] | v[2] | v[3]; }

WARPBOOK_INLINE bool all_zero(const Vec<uint64_t>& v) {
#if defined(__AVX2__)
  typedef long long i64x4 __attribute__((vector_size(32)));
  return __builtin_ia32_ptestz256(i64x4(v), i64x4(v));
#else
  return any_bit(v) == 0;
#endif
}

/// The lanes' generic addresses and how they lie: side by side (address of lane l == address of the leader +
/// (l - leader) * bytes), all the same, or anyhow.
template <bool Masked>
WARPBOOK_INLINE Pattern gather_and_classify(Warp& warp, const Inst& inst, const Shape& shape, int leader,
                                            Lanes& to) {
  gather_addresses(warp, inst, shape, to);
  const uint64_t first = to.address[leader];
  const uint64_t base = Masked ? first - shape.ramp[leader] : first;
  Vec<uint64_t> off{};
  for (int i = 0; i < lanes; i += 4) {
    Vec<uint64_t> d = (*reinterpret_cast<const Vec<uint64_t>*>(to.address + i) - base) ^
                      *reinterpret_cast<const Vec<uint64_t>*>(shape.ramp + i);
    if constexpr (Masked) d &= Vec<uint64_t>(mask_at<uint64_t>(warp, i));
    off |= d;
  }
  if (all_zero(off)) return Pattern::contiguous;
  Vec<uint64_t> spread{};
  for (int i = 0; i < lanes; i += 4) {
    Vec<uint64_t> d = *reinterpret_cast<const Vec<uint64_t>*>(to.address + i) ^ first;
    if constexpr (Masked) d &= Vec<uint64_t>(mask_at<uint64_t>(warp, i));
    spread |= d;
  }
  return all_zero(spread) ? Pattern::same : Pattern::scattered;
}

/// All active lanes' bytes lie in the cached buffer and are aligned.
template <bool Masked>
WARPBOOK_INLINE bool inside(const Warp& warp, const Shape& shape, const Lanes& at, const SiteCache& cache) {
  // In two's complement, x is in [0, limit] exactly when neither x nor limit - x is negative.
  const uint64_t limit = cache.bytes - shape.bytes;
  if (cache.bytes < shape.bytes) return false;
  Vec<uint64_t> bad{}, low{};
  for (int i = 0; i < lanes; i += 4) {
    const Vec<uint64_t> a = *reinterpret_cast<const Vec<uint64_t>*>(at.address + i);
    const Vec<uint64_t> x = a - cache.base;
    Vec<uint64_t> b = x | (limit - x), l = a;
    if constexpr (Masked) {
      const Vec<uint64_t> m = Vec<uint64_t>(mask_at<uint64_t>(warp, i));
      b &= m;
      l &= m;
    }
    bad |= b;
    low |= l;
  }
  return int64_t(any_bit(bad)) >= 0 && (any_bit(low) & (shape.bytes - 1)) == 0;
}

/// Eight words anywhere in memory.
WARPBOOK_INLINE Vec<uint32_t> load_words(const void* from) {
  Vec<uint32_t> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
WARPBOOK_INLINE void store_words(void* to, const Vec<uint32_t>& v) { std::memcpy(to, &v, sizeof v); }

WARPBOOK_INLINE std::byte* host_of(Warp& warp, const SiteCache& cache) {
  return cache.shared ? warp.block->memory.shared.data() + cache.shared_offset : cache.host;
}

WARPBOOK_INLINE Access access_of(const Warp& warp, const Inst& inst, const Shape& shape, const Lanes& at) {
  Access access;
  access.site = inst.site;
  access.inst = &inst;
  access.kind = shape.kind;
  access.space = shape.space;
  access.bytes = shape.bytes;
  access.component_bytes = shape.component_bytes;
  access.mask = warp.mask;
  access.address = at.address;
  access.ordering = shape.ordering;
  access.components = shape.components;
  if (shape.kind == AccessKind::write) {
    access.slots = shape.slot;
    access.wide = shape.wide;
  }
  return access;
}

/// One component to or from the host; words of local memory lie apart.
template <class T>
WARPBOOK_INLINE T read_component(const std::byte* at, bool ordered) {
  if (ordered) return __atomic_load_n(reinterpret_cast<const T*>(at), __ATOMIC_ACQUIRE);
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
WARPBOOK_INLINE void write_component(std::byte* at, T value, bool ordered) {
  if (ordered) {
    __atomic_store_n(reinterpret_cast<T*>(at), value, __ATOMIC_RELEASE);
  } else {
    std::memcpy(at, &value, sizeof value);
  }
}
template <class T>
WARPBOOK_INLINE T read_local(const std::byte* at) {
  T value;
  if constexpr (sizeof(T) == 8) {
    std::memcpy(&value, at, 4);
    std::memcpy(reinterpret_cast<std::byte*>(&value) + 4, at + local_stride, 4);
  } else {
    std::memcpy(&value, at, sizeof value);
  }
  return value;
}
template <class T>
WARPBOOK_INLINE void write_local(std::byte* at, T value) {
  if constexpr (sizeof(T) == 8) {
    std::memcpy(at, &value, 4);
    std::memcpy(at + local_stride, reinterpret_cast<const std::byte*>(&value) + 4, 4);
  } else {
    std::memcpy(at, &value, sizeof value);
  }
}
/// Byte `k` of a lane's run of words that starts at a word or inside one.
WARPBOOK_INLINE std::byte* local_at(std::byte* start, uint32_t k) {
  return start + k / 4 * local_stride + k % 4;
}

// Decode.

inline bool is_shared(const ptx::Instruction& source) {
  // Without clusters a block's own shared memory is all that a cluster has.
  return source.has("shared") || source.has("shared::cta") || source.has("shared::cluster");
}

/// Space of ld, st, atom, red. Constant and global addresses are the same as generic ones.
inline ptx::Space space_of(const ptx::Instruction& source) {
  if (is_shared(source)) return ptx::Space::shared;
  if (source.has("global")) return ptx::Space::global;
  if (source.has("local")) return ptx::Space::local;
  if (source.has("const")) return ptx::Space::constant;
  for (const auto& m : source.modifiers) {
    if (m.starts_with("param")) return ptx::Space::param;
  }
  return ptx::Space::generic;
}

inline bool is_wide(const ptx::Operand& operand, const Encoder& encoder, ptx::Type type) {
  if (operand.kind == ptx::Operand::Kind::reg) {
    return ptx::bits_of(encoder.function().registers[operand.index].type) == 64;
  }
  return ptx::bits_of(type) == 64;
}

/// Fills address slot, offset and window from an address operand.
inline bool fill_address(const ptx::Operand& operand, Encoder& encoder, Shape& shape,
                         uint32_t& address_slot) {
  using Kind = ptx::Operand::Kind;
  if (operand.kind != Kind::address || operand.parts.size() != 1) return false;
  const ptx::Operand& base = operand.parts[0];
  if (base.kind != Kind::reg && base.kind != Kind::symbol && base.kind != Kind::immediate) return false;
  shape.narrow_address = base.kind == Kind::reg && !is_wide(base, encoder, ptx::Type::u64);
  shape.offset = uint64_t(operand.offset);
  address_slot = encoder.source(base, shape.narrow_address ? ptx::Type::u32 : ptx::Type::u64);
  switch (shape.space) {
    case ptx::Space::shared: shape.window = shared_window; break;
    case ptx::Space::local: shape.window = local_window; break;
    case ptx::Space::param: {
      // A kernel's own parameters are a block of constants; all other .param variables are local memory.
      bool own = encoder.function().entry;
      if (base.kind == Kind::symbol) {
        bool named = false;
        for (const auto& p : encoder.function().parameters) named |= p.name == base.name;
        own = own && named;
      }
      if (!own) {
        shape.window = local_window;
        shape.space = ptx::Space::local;
      }
      break;
    }
    default: break;
  }
  return true;
}

inline void finish_shape(Shape& shape, ptx::Type type, uint32_t components) {
  shape.component_bytes = uint32_t(ptx::bits_of(type) / 8);
  shape.components = components;
  shape.bytes = shape.component_bytes * components;
  for (uint32_t i = 0; i < 32; ++i) shape.ramp[i] = uint64_t(i) * shape.bytes;
}

}  // namespace
}  // namespace warpbook::simt::WARPBOOK_ISA
