// Exchange between the lanes of a warp (PTX ISA 9.7.9.3 shfl.sync, 9.7.13.8 vote and vote.sync, match.sync,
// activemask, redux.sync). Lanes that execute one of these together may name different members (tiles of a
// warp); each lane's answer comes from the lanes that it names.
#include "simt/ops/all_families.h"
#include "simt/ops/together.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

/// Calls work(lanes of one group, its members) for each set of executing lanes that name the same members.
template <class Work>
void each_group(const Warp& warp, const uint32_t* members, Work work) {
  for (uint32_t rest = warp.mask; rest;) {
    const uint32_t named = members[__builtin_ctz(rest)];
    uint32_t group = 0;
    for (uint32_t other = rest; other; other &= other - 1) {
      const int lane = __builtin_ctz(other);
      if (members[lane] == named) group |= 1u << lane;
    }
    work(group, named);
    rest &= ~group;
  }
}

enum class Shuffle : uint8_t { up, down, butterfly, index };

// a: value, b: lane or distance, c: clamp and segment mask, d: members, e: predicate or 0.
template <Shuffle Mode>
Step shuffle(Warp& warp, const Inst& inst) {
  return together(warp, inst, [&](const uint32_t* members) {
    const uint32_t executing = warp.mask;
    uint32_t value[lanes], result[lanes];
    std::memcpy(value, slot<uint32_t>(warp, inst.a), sizeof value);
    const uint32_t* b = slot<uint32_t>(warp, inst.b);
    const uint32_t* c = slot<uint32_t>(warp, inst.c);
    uint32_t in_range = 0, inactive = 0;
    int reader = 0, unread = 0;
    for (uint32_t rest = executing; rest; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      const int distance = int(b[lane] & 31u);
      const int clamp = int(c[lane] & 31u);
      const int segment = int(c[lane] >> 8 & 31u);
      const int highest = (lane & segment) | (clamp & ~segment);
      const int lowest = lane & segment;
      int from = 0;
      bool ok = false;
      switch (Mode) {
        case Shuffle::up:
          from = lane - distance;
          ok = from >= highest;
          break;
        case Shuffle::down:
          from = lane + distance;
          ok = from <= highest;
          break;
        case Shuffle::butterfly:
          from = lane ^ distance;
          ok = from <= highest;
          break;
        case Shuffle::index:
          from = lowest | (distance & ~segment);
          ok = from <= highest;
          break;
      }
      if (!ok) from = lane;
      if (ok) in_range |= 1u << lane;
      if ((executing & members[lane]) >> from & 1u) {
        result[lane] = value[from];
      } else {
        if (!inactive) {
          reader = lane;
          unread = from;
        }
        inactive |= 1u << lane;
      }
    }
    if (inactive) return inactive_source(warp, inst, inactive, reader, unread);
    uint32_t* dst = slot<uint32_t>(warp, inst.dst);
    for (uint32_t rest = executing; rest; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      dst[lane] = result[lane];
    }
    if (inst.e) store_predicate(warp, inst.e, in_range);
    return Step::next;
  });
}

enum class Vote : uint8_t { all, any, uniform, ballot };

template <Vote Mode>
void vote_group(Warp& warp, const Inst& inst, uint32_t group, uint32_t voters) {
  uint32_t bits = load_predicate(warp, inst.a);
  if (inst.extra & 1) bits = ~bits;
  const uint32_t yes = bits & voters;
  if constexpr (Mode == Vote::ballot) {
    uint32_t* dst = slot<uint32_t>(warp, inst.dst);
    for (uint32_t rest = group; rest; rest &= rest - 1) dst[__builtin_ctz(rest)] = yes;
  } else {
    const bool answer = Mode == Vote::all   ? yes == voters
                        : Mode == Vote::any ? yes != 0
                                            : yes == 0 || yes == voters;
    uint32_t* p = slot<uint32_t>(warp, inst.dst);
    *p = answer ? *p | group : *p & ~group;
  }
}

template <Vote Mode>
Step vote_sync(Warp& warp, const Inst& inst) {
  return together(warp, inst, [&](const uint32_t* members) {
    // The predicate may be the one that is written: groups that come later must still see it as it was.
    const uint32_t before = load_predicate(warp, inst.a);
    uint32_t after = before;
    each_group(warp, members, [&](uint32_t group, uint32_t named) {
      if (Mode != Vote::ballot && inst.dst == inst.a) *slot<uint32_t>(warp, inst.a) = before;
      vote_group<Mode>(warp, inst, group, named & warp.mask);
      if (Mode != Vote::ballot && inst.dst == inst.a) {
        after = (after & ~group) | (load_predicate(warp, inst.dst) & group);
      }
    });
    if (Mode != Vote::ballot && inst.dst == inst.a) *slot<uint32_t>(warp, inst.a) = after;
    return Step::next;
  });
}

template <Vote Mode>
Step vote_now(Warp& warp, const Inst& inst) {
  vote_group<Mode>(warp, inst, warp.mask, warp.mask);
  return Step::next;
}

// a: value, d: members, e: predicate of match.all or 0.
template <class T, bool All>
Step match(Warp& warp, const Inst& inst) {
  return together(warp, inst, [&](const uint32_t* members) {
    T value[lanes];
    std::memcpy(value, slot<T>(warp, inst.a), sizeof value);
    uint32_t* dst = slot<uint32_t>(warp, inst.dst);
    uint32_t equal = 0;
    each_lane<true>(warp, [&](int lane) {
      const uint32_t group = warp.mask & members[lane];
      uint32_t same = 0;
      for (uint32_t rest = group; rest; rest &= rest - 1) {
        const int other = __builtin_ctz(rest);
        if (value[other] == value[lane]) same |= 1u << other;
      }
      if (same == group) equal |= 1u << lane;
      dst[lane] = All && same != group ? 0 : same;
    });
    if (All && inst.e) store_predicate(warp, inst.e, equal);
    return Step::next;
  });
}

// a: value, d: members.
template <class T, class Combine>
Step reduce(Warp& warp, const Inst& inst, Combine combine) {
  return together(warp, inst, [&](const uint32_t* members) {
    T value[lanes];
    std::memcpy(value, slot<T>(warp, inst.a), sizeof value);
    T* dst = slot<T>(warp, inst.dst);
    each_group(warp, members, [&](uint32_t group, uint32_t named) {
      uint32_t rest = named & warp.mask;
      T sum = value[__builtin_ctz(rest)];
      for (rest &= rest - 1; rest; rest &= rest - 1) sum = combine(sum, value[__builtin_ctz(rest)]);
      for (uint32_t to = group; to; to &= to - 1) dst[__builtin_ctz(to)] = sum;
    });
    return Step::next;
  });
}
Step reduce_add(Warp& warp, const Inst& inst) {
  return reduce<uint32_t>(warp, inst, [](uint32_t x, uint32_t y) { return x + y; });
}
template <class T>
Step reduce_min(Warp& warp, const Inst& inst) {
  return reduce<T>(warp, inst, [](T x, T y) { return y < x ? y : x; });
}
template <class T>
Step reduce_max(Warp& warp, const Inst& inst) {
  return reduce<T>(warp, inst, [](T x, T y) { return x < y ? y : x; });
}
Step reduce_and(Warp& warp, const Inst& inst) {
  return reduce<uint32_t>(warp, inst, [](uint32_t x, uint32_t y) { return x & y; });
}
Step reduce_or(Warp& warp, const Inst& inst) {
  return reduce<uint32_t>(warp, inst, [](uint32_t x, uint32_t y) { return x | y; });
}
Step reduce_xor(Warp& warp, const Inst& inst) {
  return reduce<uint32_t>(warp, inst, [](uint32_t x, uint32_t y) { return x ^ y; });
}

Step active_mask(Warp& warp, const Inst& inst) {
  uint32_t* dst = slot<uint32_t>(warp, inst.dst);
  each_lane<true>(warp, [&](int lane) { dst[lane] = warp.mask; });
  return Step::next;
}

/// d, or d|p: fills dst and e.
void fill_target_pair(const ptx::Operand& operand, Encoder& encoder, Inst& inst) {
  if (operand.kind == ptx::Operand::Kind::pair && operand.parts.size() == 2) {
    inst.dst = encoder.target(operand.parts[0], ptx::Type::b32);
    inst.e = encoder.target_predicate(operand.parts[1]);
  } else {
    inst.dst = encoder.target(operand, ptx::Type::b32);
  }
}

}  // namespace

bool decode_shfl(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (!source.has("sync") || !source.has("b32") || source.operands.size() != 5) return false;
  fill_target_pair(source.operands[0], encoder, inst);
  inst.a = encoder.source(source.operands[1], ptx::Type::b32);
  inst.b = encoder.source(source.operands[2], ptx::Type::b32);
  inst.c = encoder.source(source.operands[3], ptx::Type::b32);
  inst.d = encoder.source(source.operands[4], ptx::Type::b32);
  if (source.has("up")) {
    use_both(inst, &shuffle<Shuffle::up>);
  } else if (source.has("down")) {
    use_both(inst, &shuffle<Shuffle::down>);
  } else if (source.has("bfly")) {
    use_both(inst, &shuffle<Shuffle::butterfly>);
  } else if (source.has("idx")) {
    use_both(inst, &shuffle<Shuffle::index>);
  } else {
    return false;
  }
  return true;
}

bool decode_vote(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const bool waits = source.has("sync");
  if (source.operands.size() != (waits ? 3u : 2u)) return false;
  inst.a = encoder.source_predicate(source.operands[1]);
  inst.extra = source.operands[1].negated ? 1 : 0;
  if (waits) inst.d = encoder.source(source.operands[2], ptx::Type::b32);
  if (source.has("ballot")) {
    inst.dst = encoder.target(source.operands[0], ptx::Type::b32);
    use_both(inst, waits ? &vote_sync<Vote::ballot> : &vote_now<Vote::ballot>);
    return true;
  }
  inst.dst = encoder.target_predicate(source.operands[0]);
  if (source.has("all")) {
    use_both(inst, waits ? &vote_sync<Vote::all> : &vote_now<Vote::all>);
  } else if (source.has("any")) {
    use_both(inst, waits ? &vote_sync<Vote::any> : &vote_now<Vote::any>);
  } else if (source.has("uni")) {
    use_both(inst, waits ? &vote_sync<Vote::uniform> : &vote_now<Vote::uniform>);
  } else {
    return false;
  }
  return true;
}

bool decode_match(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (!source.has("sync") || source.operands.size() != 3) return false;
  const bool wide = source.has("b64");
  if (!wide && !source.has("b32")) return false;
  fill_target_pair(source.operands[0], encoder, inst);
  inst.a = encoder.source(source.operands[1], wide ? ptx::Type::b64 : ptx::Type::b32);
  inst.d = encoder.source(source.operands[2], ptx::Type::b32);
  if (source.has("any")) {
    use_both(inst, wide ? &match<uint64_t, false> : &match<uint32_t, false>);
  } else if (source.has("all")) {
    use_both(inst, wide ? &match<uint64_t, true> : &match<uint32_t, true>);
  } else {
    return false;
  }
  return true;
}

bool decode_redux(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (!source.has("sync") || source.operands.size() != 3) return false;
  const bool is_signed = source.has("s32");
  if (!is_signed && !source.has("u32") && !source.has("b32")) return false;
  inst.dst = encoder.target(source.operands[0], ptx::Type::b32);
  inst.a = encoder.source(source.operands[1], ptx::Type::b32);
  inst.d = encoder.source(source.operands[2], ptx::Type::b32);
  if (source.has("add")) {
    use_both(inst, &reduce_add);
  } else if (source.has("min")) {
    use_both(inst, is_signed ? &reduce_min<int32_t> : &reduce_min<uint32_t>);
  } else if (source.has("max")) {
    use_both(inst, is_signed ? &reduce_max<int32_t> : &reduce_max<uint32_t>);
  } else if (source.has("and")) {
    use_both(inst, &reduce_and);
  } else if (source.has("or")) {
    use_both(inst, &reduce_or);
  } else if (source.has("xor")) {
    use_both(inst, &reduce_xor);
  } else {
    return false;
  }
  return true;
}

bool decode_activemask(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.operands.size() != 1) return false;
  inst.dst = encoder.target(source.operands[0], ptx::Type::b32);
  use_both(inst, &active_mask);
  return true;
}

}  // namespace warpbook::simt::WARPBOOK_ISA
