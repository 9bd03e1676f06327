#pragma once
// How strongly an instruction takes part in the order between threads (PTX ISA 8 "Memory consistency model"):
// what decode reads off its modifiers, and what the race rules ask for.
#include <cstdint>

#include "simt/ptx/module.h"

namespace warpbook::simt {

/// `plain` accesses order nothing. `atomic`: atom, red and ld/st with relaxed, acquire or release; two of
/// them never race. `is_volatile`: a flag in old code, safe only beside a fence (emulator notes 10).
enum class Strength : uint8_t { plain, is_volatile, atomic };
/// Who is meant to see it: the block, or everybody (clusters count as everybody: they are not modelled).
enum class Scope : uint8_t { block, device };

struct Ordering {
  Strength strength = Strength::plain;
  Scope scope = Scope::device;
  bool acquire = false, release = false;  ///< brings its own fence behind or before
};

inline Scope scope_of(const ptx::Instruction& source) {
  return source.has("cta") ? Scope::block : Scope::device;
}

/// Of ld, st, atom, red. An atom without a word about order is relaxed, at the scope of the device (PTX ISA
/// 9.7.13.3).
inline Ordering ordering_of(const ptx::Instruction& source) {
  Ordering o;
  o.scope = scope_of(source);
  o.acquire = source.has("acquire") || source.has("acq_rel");
  o.release = source.has("release") || source.has("acq_rel");
  const bool atomic = source.opcode == "atom" || source.opcode == "red" || o.acquire || o.release ||
                      source.has("relaxed") || source.has("mmio");
  o.strength = atomic ? Strength::atomic : source.has("volatile") ? Strength::is_volatile : Strength::plain;
  return o;
}

}  // namespace warpbook::simt
