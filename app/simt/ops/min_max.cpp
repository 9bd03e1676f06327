// min and max (PTX ISA 9.7.1, 9.7.3). On floats NaN loses, both NaN give NaN, and -0 is less than +0; with
// .NaN, NaN wins.
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"
#include "simt/ops/packed_integer.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

/// T: a signed or unsigned lane type.
template <class T, bool Max>
struct Integer {
  using Lane = T;
  static Vec<T> apply(Vec<T> a, Vec<T> b) { return (Max ? a > b : a < b) ? a : b; }
};
template <class T, bool Max>
struct Integer16 {
  using Lane = T;
  static Vec<T> apply(Vec<T> a, Vec<T> b) {
    return Integer<T, Max>::apply(Vec<T>(Vec<uint32_t>(a) << 16), Vec<T>(Vec<uint32_t>(b) << 16)) >> 16;
  }
};

template <class T, bool Max, bool Ftz>
struct Float {
  using Lane = T;
  static Vec<T> apply(Vec<T> a, Vec<T> b) {
    using Bits = Vec<UnsignedOf<T>>;
    if constexpr (Ftz) {
      a = flush(a);
      b = flush(b);
    }
    const MaskVec<T> first = (Max ? a > b : a < b) | (b != b);
    const Vec<T> chosen = first ? a : b;
    // Equal values differ at most in the sign of zero.
    const Bits equal = Max ? Bits(a) & Bits(b) : Bits(a) | Bits(b);
    return canonical<T>(a == b ? Vec<T>(equal) : chosen);
  }
};

/// The rarer forms: .NaN and .xorsign.abs.
template <bool Max>
struct Variant {
  static float apply(const Inst& inst, float a, float b) {
    if (inst.flags & flag_ftz) {
      a = flush(a);
      b = flush(b);
    }
    uint32_t x = bits_as<uint32_t>(a), y = bits_as<uint32_t>(b);
    const bool a_nan = a != a, b_nan = b != b;
    if ((a_nan && b_nan) || ((inst.flags & flag_nan) && (a_nan || b_nan))) {
      return bits_as<float>(canonical_nan_f32);
    }
    const uint32_t sign = (x ^ y) & 0x80000000u;
    if (inst.flags & flag_xorsign_abs) {
      x &= 0x7fffffffu;
      y &= 0x7fffffffu;
    }
    uint32_t result;
    if (a_nan) {
      result = y;
    } else if (b_nan) {
      result = x;
    } else {
      // Sign and size as a two's complement number: ordered as the floats are, with -0 below +0.
      const auto key = [](uint32_t bits) { return int32_t(bits >> 31 ? 0x80000000u - bits - 1 : bits); };
      result = (Max ? key(x) > key(y) : key(x) < key(y)) ? x : y;
    }
    if (inst.flags & flag_xorsign_abs) result = (result & 0x7fffffffu) | sign;
    return bits_as<float>(result);
  }
};

template <bool Max>
bool decode_extreme(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  if (is_packed_integer(source)) return decode_packed_integer(source, encoder, inst);
  const bool ftz = source.has("ftz");
  if (source.has("relu") && !is_float(type)) return false;
  switch (type) {
    case Type::u16: use_binary<Integer16<uint32_t, Max>>(inst); break;
    case Type::s16: use_binary<Integer16<int32_t, Max>>(inst); break;
    case Type::u32: use_binary<Integer<uint32_t, Max>>(inst); break;
    case Type::s32: use_binary<Integer<int32_t, Max>>(inst); break;
    case Type::u64: use_binary<Integer<uint64_t, Max>>(inst); break;
    case Type::s64: use_binary<Integer<int64_t, Max>>(inst); break;
    case Type::f32:
      inst.flags = float_flags(source);
      if (inst.flags & (flag_nan | flag_xorsign_abs)) {
        use_lane_binary<Variant<Max>, float, float, float>(inst);
      } else {
        ftz ? use_binary<Float<float, Max, true>>(inst) : use_binary<Float<float, Max, false>>(inst);
      }
      break;
    case Type::f64:
      if (ftz) return false;
      use_binary<Float<double, Max, false>>(inst);
      break;
    default: return decode_half(source, encoder, inst);
  }
  return fill_binary(source, encoder, inst, type);
}

}  // namespace

bool decode_min(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_extreme<false>(source, encoder, inst);
}
bool decode_max(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_extreme<true>(source, encoder, inst);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
