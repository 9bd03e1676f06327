// Comparisons: setp into predicates, set into registers, both with an optional and, or, xor with a third
// predicate (PTX ISA 9.7.6). A comparison is one function from a warp's sources to 32 bits; gt and ge are lt
// and le with their sources exchanged.
#include "simt/ops/all_families.h"
#include "simt/ops/rounding.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

enum class Relation : uint8_t {
  eq,
  ne,
  lt,
  le,  ///< on floats ordered: false with a NaN
  equ,
  neu,
  ltu,
  leu,  ///< true with a NaN
  num,
  nan
};

template <Relation R, class T>
WARPBOOK_INLINE MaskVec<T> related(Vec<T> a, Vec<T> b) {
  switch (R) {
    case Relation::eq: return a == b;
    case Relation::ne:
      if constexpr (std::is_floating_point_v<T>) return (a < b) | (a > b);
      return a != b;
    case Relation::lt: return a < b;
    case Relation::le: return a <= b;
    case Relation::equ: return ~((a < b) | (a > b));
    case Relation::neu: return a != b;
    case Relation::ltu: return ~(a >= b);
    case Relation::leu: return ~(a > b);
    case Relation::num: return (a == a) & (b == b);
    default: return (a != a) | (b != b);
  }
}

/// How a slot's lane becomes the compared value.
template <class T>
struct Whole {
  using Lane = T;
  WARPBOOK_INLINE static Vec<T> of(Vec<T> a) { return a; }
};
template <class T>
struct LowHalf {  // of 16-bit values only the low half counts
  using Lane = T;
  WARPBOOK_INLINE static Vec<T> of(Vec<T> a) { return Vec<T>(Vec<uint32_t>(a) << 16); }
};
struct Flushed {
  using Lane = float;
  WARPBOOK_INLINE static Vec<float> of(Vec<float> a) { return flush(a); }
};
using Compare = uint32_t (*)(Warp&, const Inst&);

template <Relation R, class Source>
WARPBOOK_INLINE uint32_t compare(Warp& warp, const Inst& inst) {
  using T = typename Source::Lane;
  const T* a = slot<T>(warp, inst.a);
  const T* b = slot<T>(warp, inst.b);
  uint32_t bits = 0;
  for (int i = 0; i < lanes; i += vec_lanes<T>) {
    const Vec<T> x = Source::of(*reinterpret_cast<const Vec<T>*>(a + i));
    const Vec<T> y = Source::of(*reinterpret_cast<const Vec<T>*>(b + i));
    bits |= bits_of_mask<T>(related<R, T>(x, y)) << i;
  }
  return bits;
}
template <Relation R, class Source>
uint32_t compare_apart(Warp& warp, const Inst& inst) {
  return compare<R, Source>(warp, inst);
}
/// setp with one target: by far the most frequent.
template <Relation R, class Source>
Step run_setp(Warp& warp, const Inst& inst) {
  store_predicate(warp, inst.dst, compare<R, Source>(warp, inst));
  return Step::next;
}

/// f16 and bf16 (Inst::extra tells which), one of two packed ones by Shift: compared as f32, which holds them
/// exactly.
enum NarrowFormat : uint16_t { half_format, brain_format };

[[gnu::noinline]] void widen_slot(Warp& warp, uint32_t offset, uint16_t format, int shift, float* to) {
  const uint32_t* from = slot<uint32_t>(warp, offset);
  for (int lane = 0; lane < lanes; ++lane) {
    const uint32_t bits = from[lane] >> shift & 0xffff;
    to[lane] = format == half_format ? float(widened<Half>(bits)) : bits_as<float>(bits << 16);
  }
}
template <Relation R, int Shift>
uint32_t compare_narrow(Warp& warp, const Inst& inst) {
  alignas(32) float a[lanes], b[lanes];
  widen_slot(warp, inst.a, inst.extra, Shift, a);
  widen_slot(warp, inst.b, inst.extra, Shift, b);
  uint32_t bits = 0;
  for (int i = 0; i < lanes; i += 8) {
    bits |= bits_of_mask<float>(related<R, float>(*reinterpret_cast<const Vec<float>*>(a + i),
                                                  *reinterpret_cast<const Vec<float>*>(b + i)))
            << i;
  }
  return bits;
}

/// The comparison alone, and setp of it (null where only the general form serves).
struct Chosen {
  Compare compare = nullptr;
  Handler setp = nullptr;
};
template <Relation R, class Source>
Chosen chosen() {
  return {&compare_apart<R, Source>, &run_setp<R, Source>};
}

template <int Shift>
Chosen choose_narrow(Relation relation) {
  switch (relation) {
    case Relation::eq: return {&compare_narrow<Relation::eq, Shift>};
    case Relation::ne: return {&compare_narrow<Relation::ne, Shift>};
    case Relation::lt: return {&compare_narrow<Relation::lt, Shift>};
    case Relation::le: return {&compare_narrow<Relation::le, Shift>};
    case Relation::equ: return {&compare_narrow<Relation::equ, Shift>};
    case Relation::neu: return {&compare_narrow<Relation::neu, Shift>};
    case Relation::ltu: return {&compare_narrow<Relation::ltu, Shift>};
    case Relation::leu: return {&compare_narrow<Relation::leu, Shift>};
    case Relation::num: return {&compare_narrow<Relation::num, Shift>};
    case Relation::nan: return {&compare_narrow<Relation::nan, Shift>};
    default: return {};
  }
}
template <class Source>
Chosen choose_float(Relation relation) {
  switch (relation) {
    case Relation::eq: return chosen<Relation::eq, Source>();
    case Relation::ne: return chosen<Relation::ne, Source>();
    case Relation::lt: return chosen<Relation::lt, Source>();
    case Relation::le: return chosen<Relation::le, Source>();
    case Relation::equ: return chosen<Relation::equ, Source>();
    case Relation::neu: return chosen<Relation::neu, Source>();
    case Relation::ltu: return chosen<Relation::ltu, Source>();
    case Relation::leu: return chosen<Relation::leu, Source>();
    case Relation::num: return chosen<Relation::num, Source>();
    case Relation::nan: return chosen<Relation::nan, Source>();
    default: return {};
  }
}
template <template <class> class Source, class Signed, class Unsigned>
Chosen choose_integer(Relation relation, bool as_signed) {
  switch (relation) {
    case Relation::eq: return chosen<Relation::eq, Source<Unsigned>>();
    case Relation::ne: return chosen<Relation::ne, Source<Unsigned>>();
    case Relation::lt:
      return as_signed ? chosen<Relation::lt, Source<Signed>>() : chosen<Relation::lt, Source<Unsigned>>();
    case Relation::le:
      return as_signed ? chosen<Relation::le, Source<Signed>>() : chosen<Relation::le, Source<Unsigned>>();
    default: return {};
  }
}

/// A comparison by its name in PTX.
struct Named {
  std::string_view name;
  Relation relation;
  bool exchanged;      ///< sources swap
  bool unsigned_only;  ///< lo ls hi hs
  bool float_only;
};
constexpr Named names[] = {
    {"eq", Relation::eq, false, false, false},  {"ne", Relation::ne, false, false, false},
    {"lt", Relation::lt, false, false, false},  {"le", Relation::le, false, false, false},
    {"gt", Relation::lt, true, false, false},   {"ge", Relation::le, true, false, false},
    {"lo", Relation::lt, false, true, false},   {"ls", Relation::le, false, true, false},
    {"hi", Relation::lt, true, true, false},    {"hs", Relation::le, true, true, false},
    {"equ", Relation::equ, false, false, true}, {"neu", Relation::neu, false, false, true},
    {"ltu", Relation::ltu, false, false, true}, {"leu", Relation::leu, false, false, true},
    {"gtu", Relation::ltu, true, false, true},  {"geu", Relation::leu, true, false, true},
    {"num", Relation::num, false, false, true}, {"nan", Relation::nan, false, false, true},
};
const Named* named(const ptx::Instruction& source) {
  if (source.modifiers.empty()) return nullptr;
  for (const Named& entry : names) {
    if (source.modifiers[0] == entry.name) return &entry;
  }
  return nullptr;
}

/// Of a packed type: the comparison of the lower halves.
Chosen choose(const Named& entry, Type type, bool ftz) {
  const bool is_unsigned = type == Type::u16 || type == Type::u32 || type == Type::u64;
  if (entry.unsigned_only && !is_unsigned) return {};
  const Relation relation = entry.relation;
  switch (type) {
    case Type::b16:
    case Type::u16:
    case Type::s16: return choose_integer<LowHalf, int32_t, uint32_t>(relation, type == Type::s16);
    case Type::b32:
    case Type::u32:
    case Type::s32: return choose_integer<Whole, int32_t, uint32_t>(relation, type == Type::s32);
    case Type::b64:
    case Type::u64:
    case Type::s64: return choose_integer<Whole, int64_t, uint64_t>(relation, type == Type::s64);
    case Type::f32: return ftz ? choose_float<Flushed>(relation) : choose_float<Whole<float>>(relation);
    case Type::f64: return ftz ? Chosen{} : choose_float<Whole<double>>(relation);
    case Type::f16:
    case Type::bf16:
    case Type::f16x2:
    case Type::bf16x2: return choose_narrow<0>(relation);
    default: return {};
  }
}

// The general forms keep their comparison in `imm` and what is done with it in `flags`.

enum class Combine : uint8_t { none, conjunction, disjunction, exclusive };
constexpr uint8_t combine_bits = 3, negate_third = 4, true_shift = 3;

/// What set writes for true; false is zero.
constexpr uint32_t true_values[] = {0xffffffffu, 0x3f800000u, 0x3c00u, 0x3f80u, 0xffffu};

WARPBOOK_INLINE uint32_t combined(uint32_t bits, uint32_t third, uint8_t flags) {
  if (flags & negate_third) third = ~third;
  switch (Combine(flags & combine_bits)) {
    case Combine::none: return bits;
    case Combine::conjunction: return bits & third;
    case Combine::disjunction: return bits | third;
    default: return bits ^ third;
  }
}
Compare comparison(uint64_t address) { return reinterpret_cast<Compare>(uintptr_t(address)); }

/// p|q = comparison and its complement, each combined with predicate c (at d); q at e, 0 when there is none.
Step run_setp_general(Warp& warp, const Inst& inst) {
  const uint32_t bits = comparison(inst.imm)(warp, inst);
  const uint32_t third = inst.flags & combine_bits ? load_predicate(warp, inst.d) : 0;
  store_predicate(warp, inst.dst, combined(bits, third, inst.flags));
  if (inst.e) store_predicate(warp, inst.e, combined(~bits, third, inst.flags));
  return Step::next;
}

/// setp on f16x2: p is the lower half's comparison, q the upper one's.
Step run_setp_packed(Warp& warp, const Inst& inst) {
  const Relation relation = Relation(inst.imm);
  const uint32_t low = choose_narrow<0>(relation).compare(warp, inst);
  const uint32_t high = choose_narrow<16>(relation).compare(warp, inst);
  const uint32_t third = inst.flags & combine_bits ? load_predicate(warp, inst.d) : 0;
  store_predicate(warp, inst.dst, combined(low, third, inst.flags));
  if (inst.e) store_predicate(warp, inst.e, combined(high, third, inst.flags));
  return Step::next;
}

template <bool Masked>
Step run_set(Warp& warp, const Inst& inst) {
  const uint32_t third = inst.flags & combine_bits ? load_predicate(warp, inst.d) : 0;
  const uint32_t bits = combined(comparison(inst.imm)(warp, inst), third, inst.flags);
  const uint32_t when_true = true_values[inst.flags >> true_shift];
  uint32_t* d = slot<uint32_t>(warp, inst.dst);
  for (int i = 0; i < lanes; i += 8) {
    store_lanes<Masked, uint32_t>(warp, d, i, Vec<uint32_t>(mask_of_bits<uint32_t>(bits, i)) & when_true);
  }
  return Step::next;
}

/// set on f16x2: each half of the result by its own comparison.
template <bool Masked>
Step run_set_packed(Warp& warp, const Inst& inst) {
  const Relation relation = Relation(inst.imm);
  const uint32_t third = inst.flags & combine_bits ? load_predicate(warp, inst.d) : 0;
  const uint32_t low = combined(choose_narrow<0>(relation).compare(warp, inst), third, inst.flags);
  const uint32_t high = combined(choose_narrow<16>(relation).compare(warp, inst), third, inst.flags);
  const uint32_t when_true = true_values[inst.flags >> true_shift];
  uint32_t* d = slot<uint32_t>(warp, inst.dst);
  each_lane<Masked>(warp, [&](int lane) {
    d[lane] = (low >> lane & 1 ? when_true : 0u) | (high >> lane & 1 ? when_true : 0u) << 16;
  });
  return Step::next;
}

uint8_t combine_of(const ptx::Instruction& source) {
  if (source.has("and")) return uint8_t(Combine::conjunction);
  if (source.has("or")) return uint8_t(Combine::disjunction);
  if (source.has("xor")) return uint8_t(Combine::exclusive);
  return uint8_t(Combine::none);
}

/// Sources a, b and, where the form has it, predicate c.
bool fill_sources(const ptx::Instruction& source, Encoder& encoder, Inst& inst, Type type, bool exchanged) {
  inst.flags = combine_of(source);
  if (source.operands.size() != (inst.flags ? 4u : 3u)) return false;
  inst.a = encoder.source(source.operands[exchanged ? 2 : 1], type);
  inst.b = encoder.source(source.operands[exchanged ? 1 : 2], type);
  inst.extra = type == Type::bf16 || type == Type::bf16x2 ? brain_format : half_format;
  if (inst.flags) {
    inst.d = encoder.source_predicate(source.operands[3]);
    if (source.operands[3].negated) inst.flags |= negate_third;
  }
  return true;
}

bool packed(Type type) { return type == Type::f16x2 || type == Type::bf16x2; }

/// Puts the comparison, or the relation of a packed type, where the general handlers look for it.
void keep_comparison(const Named& entry, Type type, const Chosen& first, Inst& inst) {
  inst.imm = packed(type) ? uint64_t(entry.relation) : reinterpret_cast<uintptr_t>(first.compare);
}

}  // namespace

bool decode_setp(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  using Kind = ptx::Operand::Kind;
  const Named* entry = named(source);
  if (!entry) return false;
  const Type type = source.type();
  const Chosen first = choose(*entry, type, source.has("ftz"));
  if (!first.compare || !fill_sources(source, encoder, inst, type, entry->exchanged)) return false;
  const ptx::Operand& target = source.operands[0];
  if (target.kind == Kind::pair && target.parts.size() == 2) {
    inst.dst = encoder.target_predicate(target.parts[0]);
    inst.e = encoder.target_predicate(target.parts[1]);
  } else {
    inst.dst = encoder.target_predicate(target);
    if (inst.flags == 0 && first.setp) {
      use_both(inst, first.setp);
      return true;
    }
  }
  keep_comparison(*entry, type, first, inst);
  use_both(inst, packed(type) ? &run_setp_packed : &run_setp_general);
  return true;
}

bool decode_set(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Named* entry = named(source);
  if (!entry) return false;
  const Type result = source.type(0), type = source.type(1);
  const Chosen first = choose(*entry, type, source.has("ftz"));
  if (!first.compare || !fill_sources(source, encoder, inst, type, entry->exchanged)) return false;
  int when_true = 0;
  switch (result) {
    case Type::u32:
    case Type::s32: when_true = packed(type) ? 4 : 0; break;
    case Type::f32: when_true = 1; break;
    case Type::f16:
    case Type::f16x2: when_true = 2; break;
    case Type::bf16:
    case Type::bf16x2: when_true = 3; break;
    case Type::u16:
    case Type::s16: when_true = 4; break;
    default: return false;
  }
  inst.flags = uint8_t(inst.flags | when_true << true_shift);
  keep_comparison(*entry, type, first, inst);
  inst.full = packed(type) ? &run_set_packed<false> : &run_set<false>;
  inst.masked = packed(type) ? &run_set_packed<true> : &run_set<true>;
  inst.dst = encoder.target(source.operands[0], result);
  return true;
}

}  // namespace warpbook::simt::WARPBOOK_ISA
