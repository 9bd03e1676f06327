// See slots.h.
#include "simt/decode/slots.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>

namespace warpbook::simt {

Pool pool_of(ptx::Type type) {
  if (type == ptx::Type::pred) return Pool::predicate;
  return ptx::bits_of(type) > 32 ? Pool::wide : Pool::narrow;
}

Slots assign_slots(std::span<const ptx::Register> registers, const Liveness& liveness, bool own_slots) {
  std::vector<uint32_t> by_start;
  for (uint32_t r = 0; r < registers.size(); ++r) {
    if (liveness.ranges[r].used()) by_start.push_back(r);
  }
  std::sort(by_start.begin(), by_start.end(), [&](uint32_t a, uint32_t b) {
    const uint32_t first_a = liveness.ranges[a].first, first_b = liveness.ranges[b].first;
    return first_a != first_b ? first_a < first_b : a < b;
  });

  struct State {
    using Active = std::pair<uint32_t, uint32_t>;  // last place, slot
    std::priority_queue<Active, std::vector<Active>, std::greater<>> active;
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>>
        free;  // lowest first: frames stay dense
    uint32_t count = 0;
  };
  std::array<State, 3> pools;
  std::vector<uint32_t> slot(registers.size(), 0);
  for (const uint32_t r : by_start) {
    const LiveRange& range = liveness.ranges[r];
    State& pool = pools[size_t(pool_of(registers[r].type))];
    while (!own_slots && !pool.active.empty() && pool.active.top().first < range.first) {
      pool.free.push(pool.active.top().second);
      pool.active.pop();
    }
    if (pool.free.empty()) {
      slot[r] = pool.count++;
    } else {
      slot[r] = pool.free.top();
      pool.free.pop();
    }
    pool.active.emplace(range.last, slot[r]);
  }

  Slots slots;
  slots.narrow = pools[size_t(Pool::narrow)].count;
  slots.wide = pools[size_t(Pool::wide)].count;
  slots.predicates = pools[size_t(Pool::predicate)].count;
  // Offset 0 means "none" in an Inst, so registers start behind one slot that stays zero.
  const uint32_t narrow_at = narrow_slot_bytes;
  const uint32_t wide_at = narrow_at + slots.narrow * narrow_slot_bytes;
  const uint32_t predicates_at = wide_at + slots.wide * wide_slot_bytes;
  slots.end = (predicates_at + slots.predicates * predicate_slot_bytes + 63) / 64 * 64;
  slots.offset.assign(registers.size(), 0);
  for (const uint32_t r : by_start) {
    switch (pool_of(registers[r].type)) {
      case Pool::narrow: slots.offset[r] = narrow_at + slot[r] * narrow_slot_bytes; break;
      case Pool::wide: slots.offset[r] = wide_at + slot[r] * wide_slot_bytes; break;
      case Pool::predicate: slots.offset[r] = predicates_at + slot[r] * predicate_slot_bytes; break;
    }
  }
  return slots;
}

void add_shadows(Slots& slots, std::span<const ptx::Register> registers, std::span<const uint8_t> followed) {
  slots.shadow.assign(registers.size(), 0);
  for (size_t r = 0; r < registers.size(); ++r) {
    if (!followed[r] || slots.offset[r] == 0) continue;
    slots.shadow[r] = slots.end;
    // A predicate's takes a line as well, so that the others stay aligned.
    slots.end += pool_of(registers[r].type) == Pool::wide     ? wide_slot_bytes
                 : pool_of(registers[r].type) == Pool::narrow ? narrow_slot_bytes
                                                              : 64;
  }
}

}  // namespace warpbook::simt
