#pragma once
// Turns an operation on vectors or on single lanes into the pair of handlers of an instruction, and parsed
// operands into frame offsets. An operation is a struct with a static `apply` and the lane types it works on.
#include <initializer_list>

#include "simt/families.h"
#include "simt/ops/vectors.h"

namespace warpbook::simt::WARPBOOK_ISA {

/// Of a float operation: .rn .rz .rm .rp.
enum class Rounding : uint8_t { nearest, zero, down, up };

namespace {

// Vector operations: Op::Lane is the type of result and sources, all of one width.

template <bool Masked, class Op>
Step run_unary(Warp& warp, const Inst& inst) {
  using T = typename Op::Lane;
  T* d = slot<T>(warp, inst.dst);
  const T* a = slot<T>(warp, inst.a);
  for (int i = 0; i < lanes; i += vec_lanes<T>) {
    store_lanes<Masked, T>(warp, d, i, Op::apply(*reinterpret_cast<const Vec<T>*>(a + i)));
  }
  return Step::next;
}

template <bool Masked, class Op>
Step run_binary(Warp& warp, const Inst& inst) {
  using T = typename Op::Lane;
  T* d = slot<T>(warp, inst.dst);
  const T* a = slot<T>(warp, inst.a);
  const T* b = slot<T>(warp, inst.b);
  for (int i = 0; i < lanes; i += vec_lanes<T>) {
    store_lanes<Masked, T>(
        warp, d, i,
        Op::apply(*reinterpret_cast<const Vec<T>*>(a + i), *reinterpret_cast<const Vec<T>*>(b + i)));
  }
  return Step::next;
}

template <bool Masked, class Op>
Step run_ternary(Warp& warp, const Inst& inst) {
  using T = typename Op::Lane;
  T* d = slot<T>(warp, inst.dst);
  const T* a = slot<T>(warp, inst.a);
  const T* b = slot<T>(warp, inst.b);
  const T* c = slot<T>(warp, inst.c);
  for (int i = 0; i < lanes; i += vec_lanes<T>) {
    store_lanes<Masked, T>(
        warp, d, i,
        Op::apply(*reinterpret_cast<const Vec<T>*>(a + i), *reinterpret_cast<const Vec<T>*>(b + i),
                  *reinterpret_cast<const Vec<T>*>(c + i)));
  }
  return Step::next;
}

template <class Op>
void use_unary(Inst& inst) {
  inst.full = &run_unary<false, Op>;
  inst.masked = &run_unary<true, Op>;
}
template <class Op>
void use_binary(Inst& inst) {
  inst.full = &run_binary<false, Op>;
  inst.masked = &run_binary<true, Op>;
}
template <class Op>
void use_ternary(Inst& inst) {
  inst.full = &run_ternary<false, Op>;
  inst.masked = &run_ternary<true, Op>;
}

// Lane operations, for what has no vector form or is rare: Op::apply(inst, a[, b[, c]]) on one lane; types of
// any width.

template <bool Masked, class Op, class D, class A>
Step run_lane_unary(Warp& warp, const Inst& inst) {
  D* d = slot<D>(warp, inst.dst);
  const A* a = slot<A>(warp, inst.a);
  each_lane<Masked>(warp, [&](int lane) { d[lane] = Op::apply(inst, a[lane]); });
  return Step::next;
}

template <bool Masked, class Op, class D, class A, class B>
Step run_lane_binary(Warp& warp, const Inst& inst) {
  D* d = slot<D>(warp, inst.dst);
  const A* a = slot<A>(warp, inst.a);
  const B* b = slot<B>(warp, inst.b);
  each_lane<Masked>(warp, [&](int lane) { d[lane] = Op::apply(inst, a[lane], b[lane]); });
  return Step::next;
}

template <bool Masked, class Op, class D, class A, class B, class C>
Step run_lane_ternary(Warp& warp, const Inst& inst) {
  D* d = slot<D>(warp, inst.dst);
  const A* a = slot<A>(warp, inst.a);
  const B* b = slot<B>(warp, inst.b);
  const C* c = slot<C>(warp, inst.c);
  each_lane<Masked>(warp, [&](int lane) { d[lane] = Op::apply(inst, a[lane], b[lane], c[lane]); });
  return Step::next;
}

template <class Op, class D, class A>
void use_lane_unary(Inst& inst) {
  inst.full = &run_lane_unary<false, Op, D, A>;
  inst.masked = &run_lane_unary<true, Op, D, A>;
}
template <class Op, class D, class A, class B>
void use_lane_binary(Inst& inst) {
  inst.full = &run_lane_binary<false, Op, D, A, B>;
  inst.masked = &run_lane_binary<true, Op, D, A, B>;
}
template <class Op, class D, class A, class B, class C>
void use_lane_ternary(Inst& inst) {
  inst.full = &run_lane_ternary<false, Op, D, A, B, C>;
  inst.masked = &run_lane_ternary<true, Op, D, A, B, C>;
}

/// One handler for both: it looks at warp.mask itself.
inline void use_both(Inst& inst, Handler handler) {
  inst.full = handler;
  inst.masked = handler;
}

// Operands.

/// Fills dst and as many of a, b, c as there are types; false when their number is another or one has a form
/// that arithmetic does not take.
inline bool fill_operands(const ptx::Instruction& source, Encoder& encoder, Inst& inst, ptx::Type result,
                          std::initializer_list<ptx::Type> sources) {
  if (source.operands.size() != sources.size() + 1) return false;
  const auto plain = [](const ptx::Operand& operand) {
    using Kind = ptx::Operand::Kind;
    return !operand.negated && (operand.kind == Kind::reg || operand.kind == Kind::special ||
                                operand.kind == Kind::immediate || operand.kind == Kind::symbol);
  };
  const ptx::Operand& to = source.operands[0];
  if (to.kind != ptx::Operand::Kind::reg && to.kind != ptx::Operand::Kind::discard) return false;
  for (size_t i = 1; i < source.operands.size(); ++i) {
    if (!plain(source.operands[i])) return false;
  }
  uint32_t* const fields[] = {&inst.a, &inst.b, &inst.c, &inst.d};
  size_t i = 0;
  for (const ptx::Type type : sources) {
    *fields[i] = encoder.source(source.operands[i + 1], type);
    ++i;
  }
  inst.dst = encoder.target(to, result);
  return true;
}
inline bool fill_unary(const ptx::Instruction& source, Encoder& encoder, Inst& inst, ptx::Type type) {
  return fill_operands(source, encoder, inst, type, {type});
}
inline bool fill_binary(const ptx::Instruction& source, Encoder& encoder, Inst& inst, ptx::Type type) {
  return fill_operands(source, encoder, inst, type, {type, type});
}
inline bool fill_ternary(const ptx::Instruction& source, Encoder& encoder, Inst& inst, ptx::Type type) {
  return fill_operands(source, encoder, inst, type, {type, type, type});
}

inline Rounding rounding_of(const ptx::Instruction& source) {
  if (source.has("rz")) return Rounding::zero;
  if (source.has("rm")) return Rounding::down;
  if (source.has("rp")) return Rounding::up;
  return Rounding::nearest;
}

/// Bits of Inst::flags that float families share.
enum FloatFlags : uint8_t { flag_ftz = 1, flag_sat = 2, flag_nan = 4, flag_relu = 8, flag_xorsign_abs = 16 };

inline uint8_t float_flags(const ptx::Instruction& source) {
  return uint8_t((source.has("ftz") ? flag_ftz : 0) | (source.has("sat") ? flag_sat : 0) |
                 (source.has("NaN") ? flag_nan : 0) | (source.has("relu") ? flag_relu : 0) |
                 (source.has("xorsign") ? flag_xorsign_abs : 0));
}

}  // namespace
}  // namespace warpbook::simt::WARPBOOK_ISA
