// Integer quotient and remainder (PTX ISA 9.7.1, "div", "rem"). PTX leaves division by zero unspecified; the
// hardware's own sequences give all ones for the quotient and the dividend for the remainder, and level check
// reports it.
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

enum Flags : uint8_t { report_zero = 1 };

template <class T>
WARPBOOK_INLINE T quotient(T a, T b) {
  if (b == 0) return T(-1);
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1))
      return T(std::make_unsigned_t<T>(0) - std::make_unsigned_t<T>(a));  // the minimum wraps to itself
  }
  return T(a / b);
}
template <class T>
WARPBOOK_INLINE T remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) return 0;
  }
  return T(a % b);
}

/// T: the type divided in; Slot: what a register holds (a wider one for 16 bits).
template <bool Masked, class T, class Slot, bool Remainder>
Step run_divide(Warp& warp, const Inst& inst) {
  Slot* d = slot<Slot>(warp, inst.dst);
  const Slot* a = slot<Slot>(warp, inst.a);
  const Slot* b = slot<Slot>(warp, inst.b);
  uint32_t zero = 0;
  if (inst.flags & report_zero) {
    for (int lane = 0; lane < lanes; ++lane) zero |= uint32_t(T(b[lane]) == 0) << lane;
    zero &= warp.mask;
  }
  each_lane<Masked>(warp, [&](int lane) {
    const T x = T(a[lane]), y = T(b[lane]);
    d[lane] = Slot(Remainder ? remainder(x, y) : quotient(x, y));
  });
  if (zero) note_division_by_zero(warp, inst, zero);
  return Step::next;
}

/// 32-bit quotients through double precision. It is exact: a / b of 32-bit integers is an integer or at least
/// 2^-32 of its size away from one, and the rounding error of a double is 2^-53.
template <bool Masked, class T, bool Remainder>
Step run_divide_32(Warp& warp, const Inst& inst) {
  static_assert(sizeof(T) == 4);
  T* d = slot<T>(warp, inst.dst);
  const T* a = slot<T>(warp, inst.a);
  const T* b = slot<T>(warp, inst.b);
  typedef T four __attribute__((vector_size(16)));
  typedef int32_t four_bits __attribute__((vector_size(16)));
  alignas(32) T result[lanes];
  uint32_t zero = 0;
  for (int i = 0; i < lanes; i += 4) {
    four x, y;
    std::memcpy(&x, a + i, sizeof x);
    std::memcpy(&y, b + i, sizeof y);
    const four_bits by_zero = y == 0;
    // Zero divides as one: no infinity reaches the conversion, whose result would be undefined.
    const four divisor = by_zero ? four{} + T(1) : y;
    const Vec<double> exact =
        __builtin_convertvector(x, Vec<double>) / __builtin_convertvector(divisor, Vec<double>);
    // Signed: INT_MIN / -1 is 2^31, out of an int's range, hence the 64-bit step.
    const Vec<int64_t> whole = __builtin_convertvector(exact, Vec<int64_t>);
    four q = __builtin_convertvector(whole, four);
    if constexpr (Remainder) {
      typedef uint32_t four_unsigned __attribute__((vector_size(16)));
      q = by_zero ? x : four(four_unsigned(x) - four_unsigned(q) * four_unsigned(divisor));
    } else {
      q = by_zero ? four{} + T(-1) : q;
    }
    std::memcpy(result + i, &q, sizeof q);
    for (int k = 0; k < 4; ++k) zero |= uint32_t(by_zero[k] & 1) << (i + k);
  }
  for (int i = 0; i < lanes; i += vec_lanes<T>) {
    store_lanes<Masked, T>(warp, d, i, *reinterpret_cast<const Vec<T>*>(result + i));
  }
  zero &= warp.mask;
  if (zero && (inst.flags & report_zero)) note_division_by_zero(warp, inst, zero);
  return Step::next;
}

template <class T, class Slot, bool Remainder>
void use_divide(Inst& inst) {
  if constexpr (sizeof(T) == 4) {
    inst.full = &run_divide_32<false, T, Remainder>;
    inst.masked = &run_divide_32<true, T, Remainder>;
  } else {
    inst.full = &run_divide<false, T, Slot, Remainder>;
    inst.masked = &run_divide<true, T, Slot, Remainder>;
  }
}

template <bool Remainder>
bool decode_quotient(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  switch (type) {
    case Type::u16: use_divide<uint16_t, uint32_t, Remainder>(inst); break;
    case Type::s16: use_divide<int16_t, uint32_t, Remainder>(inst); break;
    case Type::u32: use_divide<uint32_t, uint32_t, Remainder>(inst); break;
    case Type::s32: use_divide<int32_t, uint32_t, Remainder>(inst); break;
    case Type::u64: use_divide<uint64_t, uint64_t, Remainder>(inst); break;
    case Type::s64: use_divide<int64_t, uint64_t, Remainder>(inst); break;
    default: return false;
  }
  if (encoder.level() == Level::check) inst.flags = report_zero;
  return fill_binary(source, encoder, inst, type);
}

}  // namespace

bool decode_div(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (is_float(source.type())) return decode_float_div(source, encoder, inst);
  return decode_quotient<false>(source, encoder, inst);
}

bool decode_rem(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_quotient<true>(source, encoder, inst);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
