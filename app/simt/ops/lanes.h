#pragma once
// 32 lanes of one value as small fixed vectors, and the loops that the families share. Included only by
// simt/ops, which is compiled once an instruction set; everything here is internal to the including file.
//
// 32-byte vectors: GCC lowers wider ones badly for AVX2, and splits these in two for plain x86-64 and NEON.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "simt/code.h"
#include "simt/warp.h"

// All functions on vectors are inlined into their handler, so how a 32-byte vector would be passed does not
// matter.
#pragma GCC diagnostic ignored "-Wpsabi"

#define WARPBOOK_INLINE [[gnu::always_inline]] inline

#ifndef WARPBOOK_ISA
#define WARPBOOK_ISA isa_plain
#endif

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

constexpr int lanes = 32;

template <class T>
struct VectorOf {
  typedef T type __attribute__((vector_size(32), aligned(32), may_alias));
};
template <class T>
using Vec = typename VectorOf<T>::type;
template <class T>
constexpr int vec_lanes = 32 / int(sizeof(T));

template <class T>
T* slot(Warp& warp, uint32_t offset) {
  return reinterpret_cast<T*>(warp.frame + offset);
}

/// The lane mask as a vector of T-sized all-ones or zero, for lanes [first, first + vec_lanes<T>).
template <class T>
WARPBOOK_INLINE Vec<std::conditional_t<sizeof(T) == 8, int64_t, int32_t>> mask_at(const Warp& warp,
                                                                                  int first) {
  if constexpr (sizeof(T) == 4) {
    Vec<int32_t> m;
    std::memcpy(&m, warp.lane_mask.data() + first, sizeof m);
    return m;
  } else {
    static_assert(sizeof(T) == 8);
    typedef int32_t quarter __attribute__((vector_size(16)));
    quarter m;
    std::memcpy(&m, warp.lane_mask.data() + first, sizeof m);
    return __builtin_convertvector(m, Vec<int64_t>);
  }
}

/// Stores `value` at `to` in the lanes of the mask (Masked) or in all.
template <bool Masked, class T>
WARPBOOK_INLINE void store_lanes(Warp& warp, T* to, int first, Vec<T> value) {
  Vec<T>* p = reinterpret_cast<Vec<T>*>(to + first);
  if constexpr (Masked) {
    auto m = mask_at<T>(warp, first);
    *p = m ? value : *p;
  } else {
    *p = value;
  }
}

/// dst = f(a), dst = f(a, b), dst = f(a, b, c) over all lanes, vector by vector. F is a stateless callable on
/// Vec<T>.
template <bool Masked, class D, class A, class F>
Step unary(Warp& warp, const Inst& inst, F f) {
  static_assert(sizeof(D) == sizeof(A));
  D* d = slot<D>(warp, inst.dst);
  const A* a = slot<A>(warp, inst.a);
  for (int i = 0; i < lanes; i += vec_lanes<A>) {
    store_lanes<Masked, D>(warp, d, i, f(*reinterpret_cast<const Vec<A>*>(a + i)));
  }
  return Step::next;
}
template <bool Masked, class D, class A, class F>
Step binary(Warp& warp, const Inst& inst, F f) {
  static_assert(sizeof(D) == sizeof(A));
  D* d = slot<D>(warp, inst.dst);
  const A* a = slot<A>(warp, inst.a);
  const A* b = slot<A>(warp, inst.b);
  for (int i = 0; i < lanes; i += vec_lanes<A>) {
    store_lanes<Masked, D>(
        warp, d, i, f(*reinterpret_cast<const Vec<A>*>(a + i), *reinterpret_cast<const Vec<A>*>(b + i)));
  }
  return Step::next;
}
template <bool Masked, class D, class A, class F>
Step ternary(Warp& warp, const Inst& inst, F f) {
  static_assert(sizeof(D) == sizeof(A));
  D* d = slot<D>(warp, inst.dst);
  const A* a = slot<A>(warp, inst.a);
  const A* b = slot<A>(warp, inst.b);
  const A* c = slot<A>(warp, inst.c);
  for (int i = 0; i < lanes; i += vec_lanes<A>) {
    store_lanes<Masked, D>(warp, d, i,
                           f(*reinterpret_cast<const Vec<A>*>(a + i), *reinterpret_cast<const Vec<A>*>(b + i),
                             *reinterpret_cast<const Vec<A>*>(c + i)));
  }
  return Step::next;
}

/// Lane by lane, for what has no vector form: f(lane) for each active lane.
template <bool Masked, class F>
void each_lane(const Warp& warp, F f) {
  if constexpr (Masked) {
    for (uint32_t rest = warp.mask; rest; rest &= rest - 1) f(__builtin_ctz(rest));
  } else {
    for (int lane = 0; lane < lanes; ++lane) f(lane);
  }
}

/// A predicate is a u32 of lane bits: writes those of the mask, keeps the others.
inline void store_predicate(Warp& warp, uint32_t offset, uint32_t bits) {
  uint32_t* p = slot<uint32_t>(warp, offset);
  *p = (*p & ~warp.mask) | (bits & warp.mask);
}
inline uint32_t load_predicate(Warp& warp, uint32_t offset) { return *slot<uint32_t>(warp, offset); }

}  // namespace
}  // namespace warpbook::simt::WARPBOOK_ISA
