#pragma once
// Moving values of ld and st between registers and memory, lane by lane, as one run, or from one place. Where
// the bytes lie has been found by then.
#include "simt/ops/memory_access.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

// `Where` gives a lane's first byte; Local says that words lie apart.

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

/// 128 bytes between registers and memory. Vector by vector: as one memcpy the compiler makes a string move
/// of it, which starts slowly. Four values with names: an array of them would go by way of the stack.
template <bool Load>
WARPBOOK_INLINE void move_line(Warp& warp, std::byte* host, std::byte* registers) {
  const std::byte* const from = Load ? host : registers;
  std::byte* const to = Load ? registers : host;
  const Vec<uint32_t> v0 = load_words(from), v1 = load_words(from + 32);
  const Vec<uint32_t> v2 = load_words(from + 64), v3 = load_words(from + 96);
  if constexpr (!Load) {
    const Vec<uint32_t> changed = (load_words(to) ^ v0) | (load_words(to + 32) ^ v1) |
                                  (load_words(to + 64) ^ v2) | (load_words(to + 96) ^ v3);
    if (!all_zero(Vec<uint64_t>(changed))) ++warp.block->touched;
  }
  store_words(to, v0);
  store_words(to + 32, v1);
  store_words(to + 64, v2);
  store_words(to + 96, v3);
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
      move_line<Load>(warp, host, registers);
      if (shape.bytes == 8) move_line<Load>(warp, host + 128, registers + 128);
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

}  // namespace
}  // namespace warpbook::simt::WARPBOOK_ISA
