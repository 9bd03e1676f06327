#pragma once
// Slots for registers by linear scan (Poletto and Sarkar 1999), a pool each for 32-bit values, 64-bit values
// and predicates: slots of different width never share memory (code.h says why). Registers of one instruction
// never share either, so a handler may write a result before it has read all sources.
#include <cstdint>
#include <span>
#include <vector>

#include "simt/decode/liveness.h"

namespace warpbook::simt {

inline constexpr uint32_t narrow_slot_bytes = 128, wide_slot_bytes = 256, predicate_slot_bytes = 4;

enum class Pool : uint8_t { narrow, wide, predicate };
Pool pool_of(ptx::Type type);

struct Slots {
  std::vector<uint32_t> offset;                   ///< by register: in the frame; 0 = it has none (never used)
  uint32_t narrow = 0, wide = 0, predicates = 0;  ///< slots in each pool
  uint32_t end = 0;                               ///< first free byte behind them, a multiple of 64
  std::vector<uint32_t> shadow;  ///< by register: of its shadow (ops/shadow); 0 = not followed
};

/// Shadows for the registers that are followed, behind the others.
void add_shadows(Slots& slots, std::span<const ptx::Register> registers, std::span<const uint8_t> followed);

/// `own_slots`: none is shared, so that every value stays readable after its last use (debug builds).
Slots assign_slots(std::span<const ptx::Register> registers, const Liveness& liveness,
                   bool own_slots = false);

}  // namespace warpbook::simt
