#pragma once
// What the families need of a vector beyond C++ operators: lane masks to bits and back, shifts that clamp,
// fused multiply-add, and the float rules of PTX (ISA 9.7.3: canonical NaN, .ftz, .sat). AVX2 where the file
// is built for it, lane by lane elsewhere.
#include "simt/ops/lanes.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

template <class To, class From>
WARPBOOK_INLINE To bits_as(From value) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, value);
}

/// The element type of a mask over lanes of T.
template <class T>
using MaskElement = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
template <class T>
using MaskVec = Vec<MaskElement<T>>;
template <class T>
using UnsignedOf = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T>
WARPBOOK_INLINE Vec<T> all_lanes(T value) {
  return Vec<T>{} + value;
}

/// One bit a lane of a mask vector, lane 0 lowest.
template <class T>
WARPBOOK_INLINE uint32_t bits_of_mask(MaskVec<T> mask) {
#if defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    typedef float f32x8 __attribute__((vector_size(32)));
    return uint32_t(__builtin_ia32_movmskps256(f32x8(mask)));
  } else {
    typedef double f64x4 __attribute__((vector_size(32)));
    return uint32_t(__builtin_ia32_movmskpd256(f64x4(mask)));
  }
#elif defined(__SSE2__)
  if constexpr (sizeof(T) == 4) {
    typedef float f32x4 __attribute__((vector_size(16)));
    f32x4 halves[2];
    std::memcpy(halves, &mask, sizeof mask);
    return uint32_t(__builtin_ia32_movmskps(halves[0]) | __builtin_ia32_movmskps(halves[1]) << 4);
  } else {
    typedef double f64x2 __attribute__((vector_size(16)));
    f64x2 halves[2];
    std::memcpy(halves, &mask, sizeof mask);
    return uint32_t(__builtin_ia32_movmskpd(halves[0]) | __builtin_ia32_movmskpd(halves[1]) << 2);
  }
#else
  uint32_t bits = 0;
  for (int i = 0; i < vec_lanes<T>; ++i) bits |= uint32_t(mask[i] & 1) << i;
  return bits;
#endif
}

/// The lanes [first, first + vec_lanes<T>) of a predicate as a mask vector.
template <class T>
WARPBOOK_INLINE MaskVec<T> mask_of_bits(uint32_t bits, int first) {
  MaskVec<T> lane;
  for (int i = 0; i < vec_lanes<T>; ++i) lane[i] = MaskElement<T>(1) << i;
  return (all_lanes<MaskElement<T>>(MaskElement<T>(bits >> first)) & lane) != 0;
}

// Shifts whose amount may be the width or more: PTX clamps (ISA 9.7.8.8), C++ leaves it undefined, AVX2 does
// as PTX.

template <class T>
WARPBOOK_INLINE Vec<T> shift_left(Vec<T> a, Vec<T> amount) {
#if defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    typedef int i32x8 __attribute__((vector_size(32)));
    return Vec<T>(__builtin_ia32_psllv8si(i32x8(a), i32x8(amount)));
  } else {
    typedef long long i64x4 __attribute__((vector_size(32)));
    return Vec<T>(__builtin_ia32_psllv4di(i64x4(a), i64x4(amount)));
  }
#else
  constexpr T top = sizeof(T) * 8 - 1;
  return amount > top ? Vec<T>{} : a << (amount & top);
#endif
}

template <class T>
WARPBOOK_INLINE Vec<T> shift_right(Vec<T> a, Vec<T> amount) {
  static_assert(std::is_unsigned_v<T>);
#if defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    typedef int i32x8 __attribute__((vector_size(32)));
    return Vec<T>(__builtin_ia32_psrlv8si(i32x8(a), i32x8(amount)));
  } else {
    typedef long long i64x4 __attribute__((vector_size(32)));
    return Vec<T>(__builtin_ia32_psrlv4di(i64x4(a), i64x4(amount)));
  }
#else
  constexpr T top = sizeof(T) * 8 - 1;
  return amount > top ? Vec<T>{} : a >> (amount & top);
#endif
}

/// The sign fills from the left; an amount of the width or more leaves only it.
template <class T>
WARPBOOK_INLINE Vec<T> shift_right_signed(Vec<T> a, Vec<T> amount) {
  static_assert(std::is_unsigned_v<T>);
#if defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    typedef int i32x8 __attribute__((vector_size(32)));
    return Vec<T>(__builtin_ia32_psrav8si(i32x8(a), i32x8(amount)));
  }
#endif
  constexpr T top = sizeof(T) * 8 - 1;
  const Vec<T> clamped = amount > top ? all_lanes<T>(top) : amount;
  return Vec<T>(MaskVec<T>(a) >> MaskVec<T>(clamped));
}

WARPBOOK_INLINE float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WARPBOOK_INLINE double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

/// a * b + c with one rounding.
template <class T>
WARPBOOK_INLINE Vec<T> fused_multiply_add(Vec<T> a, Vec<T> b, Vec<T> c) {
#if defined(__FMA__)
  if constexpr (sizeof(T) == 4) {
    typedef float f32x8 __attribute__((vector_size(32)));
    return Vec<T>(__builtin_ia32_vfmaddps256(f32x8(a), f32x8(b), f32x8(c)));
  } else {
    typedef double f64x4 __attribute__((vector_size(32)));
    return Vec<T>(__builtin_ia32_vfmaddpd256(f64x4(a), f64x4(b), f64x4(c)));
  }
#else
  Vec<T> result;
  for (int i = 0; i < vec_lanes<T>; ++i) result[i] = fused(a[i], b[i], c[i]);
  return result;
#endif
}

template <class T>
WARPBOOK_INLINE Vec<T> square_root(Vec<T> a) {
#if defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    typedef float f32x8 __attribute__((vector_size(32)));
    return Vec<T>(__builtin_ia32_sqrtps256(f32x8(a)));
  } else {
    typedef double f64x4 __attribute__((vector_size(32)));
    return Vec<T>(__builtin_ia32_sqrtpd256(f64x4(a)));
  }
#else
  Vec<T> result;
  for (int i = 0; i < vec_lanes<T>; ++i) {
    if constexpr (sizeof(T) == 4) {
      result[i] = __builtin_sqrtf(a[i]);
    } else {
      result[i] = __builtin_sqrt(a[i]);
    }
  }
  return result;
#endif
}

constexpr uint32_t canonical_nan_f32 = 0x7fffffff;

/// Single-precision results that are NaN have one bit pattern (ISA 9.7.3, "NaN payloads are not preserved").
/// Double precision keeps the payload of an input, as the host does.
template <class T>
WARPBOOK_INLINE Vec<T> canonical(Vec<T> value) {
  if constexpr (sizeof(T) == 4) {
    return value == value ? value : Vec<T>(all_lanes<uint32_t>(canonical_nan_f32));
  } else {
    return value;
  }
}
WARPBOOK_INLINE float canonical(float value) {
  return value == value ? value : bits_as<float>(canonical_nan_f32);
}
WARPBOOK_INLINE double canonical(double value) { return value; }

/// Subnormals become zero of the same sign (.ftz exists for f32 only).
WARPBOOK_INLINE Vec<float> flush(Vec<float> value) {
  const Vec<uint32_t> bits = Vec<uint32_t>(value);
  return Vec<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
WARPBOOK_INLINE float flush(float value) {
  const uint32_t bits = bits_as<uint32_t>(value);
  return bits_as<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}

/// .sat: into [+0, 1], NaN becomes +0.
WARPBOOK_INLINE Vec<float> saturate(Vec<float> value) {
  const Vec<float> low = value > 0.0f ? value : Vec<float>{};
  return low < 1.0f ? low : all_lanes<float>(1.0f);
}
WARPBOOK_INLINE float saturate(float value) {
  const float low = value > 0.0f ? value : 0.0f;
  return low < 1.0f ? low : 1.0f;
}

}  // namespace
}  // namespace warpbook::simt::WARPBOOK_ISA
