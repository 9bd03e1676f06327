// Logic on bits and on predicates: and, or, xor, not, cnot, lop3 (PTX ISA 9.7.8).
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

struct And {
  template <class V>
  WARPBOOK_INLINE static V of(V a, V b) {
    return a & b;
  }
};
struct Or {
  template <class V>
  WARPBOOK_INLINE static V of(V a, V b) {
    return a | b;
  }
};
struct Xor {
  template <class V>
  WARPBOOK_INLINE static V of(V a, V b) {
    return a ^ b;
  }
};

/// A whole 32-bit slot of 32 lanes is 128 bytes whatever the lanes are, but masks differ: hence T.
template <class T, class Logic>
struct Bits {
  using Lane = T;
  static Vec<T> apply(Vec<T> a, Vec<T> b) { return Logic::of(a, b); }
};
template <class T>
struct Not {
  using Lane = T;
  static Vec<T> apply(Vec<T> a) { return ~a; }
};
/// cnot: 1 where the value is zero.
template <class T>
struct IsZero {
  using Lane = T;
  static Vec<T> apply(Vec<T> a) { return Vec<T>(a == 0) & T(1); }
};
struct IsZero16 {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a) { return Vec<uint32_t>((a & 0xffffu) == 0) & 1u; }
};

enum PredicateFlags : uint8_t { negate_a = 1, negate_b = 2 };

template <class Logic>
Step run_predicates(Warp& warp, const Inst& inst) {
  const uint32_t a = load_predicate(warp, inst.a) ^ (inst.flags & negate_a ? ~0u : 0u);
  const uint32_t b = load_predicate(warp, inst.b) ^ (inst.flags & negate_b ? ~0u : 0u);
  store_predicate(warp, inst.dst, Logic::of(a, b));
  return Step::next;
}
Step run_not_predicate(Warp& warp, const Inst& inst) {
  store_predicate(warp, inst.dst, load_predicate(warp, inst.a) ^ (inst.flags & negate_a ? 0u : ~0u));
  return Step::next;
}

template <class Logic>
bool decode_logic(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  if (type == Type::pred) {
    if (source.operands.size() != 3) return false;
    inst.a = encoder.source_predicate(source.operands[1]);
    inst.b = encoder.source_predicate(source.operands[2]);
    inst.flags =
        uint8_t((source.operands[1].negated ? negate_a : 0) | (source.operands[2].negated ? negate_b : 0));
    inst.dst = encoder.target_predicate(source.operands[0]);
    use_both(inst, &run_predicates<Logic>);
    return true;
  }
  if (is_float(type)) return false;
  switch (bits_of(type)) {
    case 16:
    case 32: use_binary<Bits<uint32_t, Logic>>(inst); break;
    case 64: use_binary<Bits<uint64_t, Logic>>(inst); break;
    default: return false;
  }
  return fill_binary(source, encoder, inst, type);
}

/// Any function of three bits, given by its truth table: bit a*4 + b*2 + c of the table is the result. A tree
/// of choices over the eight table bits, each spread over a lane.
WARPBOOK_INLINE Vec<uint32_t> by_table(uint32_t table, Vec<uint32_t> a, Vec<uint32_t> b, Vec<uint32_t> c) {
  const auto spread = [table](int bit) { return uint32_t(0) - (table >> bit & 1); };
  const auto choose = [](Vec<uint32_t> when, Vec<uint32_t> one, Vec<uint32_t> zero) {
    return zero ^ (when & (one ^ zero));
  };
  Vec<uint32_t> by_c[4];
  for (int i = 0; i < 4; ++i) {
    const uint32_t zero = spread(2 * i), one = spread(2 * i + 1);
    by_c[i] = (c & (one ^ zero)) ^ zero;
  }
  return choose(a, choose(b, by_c[3], by_c[2]), choose(b, by_c[1], by_c[0]));
}

template <bool Masked>
Step run_lop3(Warp& warp, const Inst& inst) {
  uint32_t* d = slot<uint32_t>(warp, inst.dst);
  const uint32_t* a = slot<uint32_t>(warp, inst.a);
  const uint32_t* b = slot<uint32_t>(warp, inst.b);
  const uint32_t* c = slot<uint32_t>(warp, inst.c);
  for (int i = 0; i < lanes; i += 8) {
    store_lanes<Masked, uint32_t>(warp, d, i,
                                  by_table(uint32_t(inst.imm), *reinterpret_cast<const Vec<uint32_t>*>(a + i),
                                           *reinterpret_cast<const Vec<uint32_t>*>(b + i),
                                           *reinterpret_cast<const Vec<uint32_t>*>(c + i)));
  }
  return Step::next;
}

enum Lop3Flags : uint8_t { with_and = 1, negate_q = 2 };

/// lop3.and and lop3.or: the result's being non-zero is combined with predicate q (at d) into p (at e).
Step run_lop3_predicate(Warp& warp, const Inst& inst) {
  const uint32_t* a = slot<uint32_t>(warp, inst.a);
  const uint32_t* b = slot<uint32_t>(warp, inst.b);
  const uint32_t* c = slot<uint32_t>(warp, inst.c);
  uint32_t* d = slot<uint32_t>(warp, inst.dst);
  uint32_t set = 0;
  for (int i = 0; i < lanes; i += 8) {
    const Vec<uint32_t> result = by_table(uint32_t(inst.imm), *reinterpret_cast<const Vec<uint32_t>*>(a + i),
                                          *reinterpret_cast<const Vec<uint32_t>*>(b + i),
                                          *reinterpret_cast<const Vec<uint32_t>*>(c + i));
    set |= bits_of_mask<uint32_t>(result != 0) << i;
    store_lanes<true, uint32_t>(warp, d, i, result);
  }
  const uint32_t q = load_predicate(warp, inst.d) ^ (inst.flags & negate_q ? ~0u : 0u);
  store_predicate(warp, inst.e, inst.flags & with_and ? set & q : set | q);
  return Step::next;
}

}  // namespace

bool decode_and(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_logic<And>(source, encoder, inst);
}
bool decode_or(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_logic<Or>(source, encoder, inst);
}
bool decode_xor(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_logic<Xor>(source, encoder, inst);
}

bool decode_not(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  if (type == Type::pred) {
    if (source.operands.size() != 2) return false;
    inst.a = encoder.source_predicate(source.operands[1]);
    inst.flags = source.operands[1].negated ? negate_a : 0;
    inst.dst = encoder.target_predicate(source.operands[0]);
    use_both(inst, &run_not_predicate);
    return true;
  }
  switch (bits_of(type)) {
    case 16:
    case 32: use_unary<Not<uint32_t>>(inst); break;
    case 64: use_unary<Not<uint64_t>>(inst); break;
    default: return false;
  }
  return fill_unary(source, encoder, inst, type);
}

bool decode_cnot(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  switch (bits_of(type)) {
    case 16: use_unary<IsZero16>(inst); break;
    case 32: use_unary<IsZero<uint32_t>>(inst); break;
    case 64: use_unary<IsZero<uint64_t>>(inst); break;
    default: return false;
  }
  return fill_unary(source, encoder, inst, type);
}

bool decode_lop3(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  using Kind = ptx::Operand::Kind;
  const bool combines = source.has("and") || source.has("or");
  if (source.type() != Type::b32 || source.operands.size() != (combines ? 6u : 5u)) return false;
  const auto& operands = source.operands;
  if (operands[4].kind != Kind::immediate) return false;
  inst.imm = operands[4].bits & 0xff;
  inst.a = encoder.source(operands[1], Type::b32);
  inst.b = encoder.source(operands[2], Type::b32);
  inst.c = encoder.source(operands[3], Type::b32);
  if (!combines) {
    inst.dst = encoder.target(operands[0], Type::b32);
    inst.full = &run_lop3<false>;
    inst.masked = &run_lop3<true>;
    return true;
  }
  if (operands[0].kind != Kind::pair || operands[0].parts.size() != 2) return false;
  inst.d = encoder.source_predicate(operands[5]);
  inst.flags = uint8_t((source.has("and") ? with_and : 0) | (operands[5].negated ? negate_q : 0));
  inst.dst = encoder.target(operands[0].parts[0], Type::b32);
  inst.e = encoder.target_predicate(operands[0].parts[1]);
  use_both(inst, &run_lop3_predicate);
  return true;
}

}  // namespace warpbook::simt::WARPBOOK_ISA
