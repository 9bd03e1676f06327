// Integer products: mul and mad in lo, hi and wide form, mul24, mad24, and the carry chains mad.cc and madc
// (PTX ISA 9.7.1, 9.7.2).
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

/// Products of the even 32-bit lanes as 64-bit lanes.
template <bool Signed>
WARPBOOK_INLINE Vec<uint64_t> multiply_even(Vec<uint64_t> a, Vec<uint64_t> b) {
#if defined(__AVX2__)
  typedef int i32x8 __attribute__((vector_size(32)));
  if constexpr (Signed) {
    return Vec<uint64_t>(__builtin_ia32_pmuldq256(i32x8(a), i32x8(b)));
  } else {
    return Vec<uint64_t>(__builtin_ia32_pmuludq256(i32x8(a), i32x8(b)));
  }
#else
  if constexpr (Signed) {
    const Vec<int64_t> x = Vec<int64_t>(a << 32) >> 32, y = Vec<int64_t>(b << 32) >> 32;
    return Vec<uint64_t>(x * y);
  } else {
    return (a & 0xffffffffu) * (b & 0xffffffffu);
  }
#endif
}

template <class T>
struct Low {
  using Lane = T;
  static Vec<T> apply(Vec<T> a, Vec<T> b) { return a * b; }
};
template <bool Signed>
struct High32 {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b) {
    const Vec<uint64_t> x = Vec<uint64_t>(a), y = Vec<uint64_t>(b);
    const Vec<uint64_t> even = multiply_even<Signed>(x, y);
    const Vec<uint64_t> odd = multiply_even<Signed>(x >> 32, y >> 32);
    return Vec<uint32_t>((even >> 32) | (odd & 0xffffffff00000000u));
  }
};
template <bool Signed>
struct High64 {
  using Lane = uint64_t;
  static Vec<uint64_t> apply(Vec<uint64_t> a, Vec<uint64_t> b) {
    using Wide = std::conditional_t<Signed, __int128, unsigned __int128>;
    using Narrow = std::conditional_t<Signed, int64_t, uint64_t>;
    Vec<uint64_t> result;
    for (int i = 0; i < 4; ++i) result[i] = uint64_t((Wide(Narrow(a[i])) * Narrow(b[i])) >> 64);
    return result;
  }
};
/// The 32-bit product of two 16-bit values: mul.wide itself, and mul.hi in its upper half.
template <bool Signed>
struct Wide16 {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b) {
    if constexpr (Signed) {
      return Vec<uint32_t>((Vec<int32_t>(a << 16) >> 16) * (Vec<int32_t>(b << 16) >> 16));
    } else {
      return (a & 0xffffu) * (b & 0xffffu);
    }
  }
};
template <bool Signed>
struct High16 {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b) { return Wide16<Signed>::apply(a, b) >> 16; }
};
/// Low or high (bits 16 to 47) word of the product of two 24-bit values.
template <bool Signed, bool High>
struct Product24 {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b) {
    Vec<uint32_t> x = a << 8, y = b << 8;
    if constexpr (Signed) {
      x = Vec<uint32_t>(Vec<int32_t>(x) >> 8);
      y = Vec<uint32_t>(Vec<int32_t>(y) >> 8);
    } else {
      x = x >> 8;
      y = y >> 8;
    }
    if constexpr (High) return High32<Signed>::apply(x, y) << 16 | (x * y) >> 16;
    return x * y;
  }
};

template <class Product>
struct Plus {
  using Lane = typename Product::Lane;
  static Vec<Lane> apply(Vec<Lane> a, Vec<Lane> b, Vec<Lane> c) { return Product::apply(a, b) + c; }
};
/// mad.hi.sat.s32, mad24.hi.sat.s32.
template <class Product>
struct PlusSaturated {
  using Lane = uint32_t;
  static Vec<Lane> apply(Vec<Lane> a, Vec<Lane> b, Vec<Lane> c) {
    const Vec<Lane> product = Product::apply(a, b);
    const Vec<Lane> sum = product + c;
    const Vec<Lane> end = Vec<Lane>(Vec<int32_t>(product) >> 31) ^ 0x7fffffffu;
    return Vec<int32_t>((product ^ sum) & (c ^ sum)) < 0 ? end : sum;
  }
};

/// mul.wide and mad.wide of 32-bit sources: four lanes at a time.
template <bool Masked, bool Signed, bool Accumulate>
Step run_wide(Warp& warp, const Inst& inst) {
  uint64_t* d = slot<uint64_t>(warp, inst.dst);
  const uint32_t* a = slot<uint32_t>(warp, inst.a);
  const uint32_t* b = slot<uint32_t>(warp, inst.b);
  const uint64_t* c = slot<uint64_t>(warp, inst.c);
  typedef uint32_t four __attribute__((vector_size(16)));
  for (int i = 0; i < lanes; i += 4) {
    four x, y;
    std::memcpy(&x, a + i, sizeof x);
    std::memcpy(&y, b + i, sizeof y);
    Vec<uint64_t> product = multiply_even<Signed>(__builtin_convertvector(x, Vec<uint64_t>),
                                                  __builtin_convertvector(y, Vec<uint64_t>));
    if constexpr (Accumulate) product += *reinterpret_cast<const Vec<uint64_t>*>(c + i);
    store_lanes<Masked, uint64_t>(warp, d, i, product);
  }
  return Step::next;
}

template <bool Signed, bool Accumulate>
void use_wide(Inst& inst) {
  inst.full = &run_wide<false, Signed, Accumulate>;
  inst.masked = &run_wide<true, Signed, Accumulate>;
}

Type double_width(Type type) {
  switch (type) {
    case Type::u16: return Type::u32;
    case Type::s16: return Type::s32;
    case Type::u32: return Type::u64;
    case Type::s32: return Type::s64;
    default: return Type::none;
  }
}

/// mad.cc and madc: the carry is that of the addition (ISA 9.7.2, "mad.cc").
template <class T, class Wide, bool High, bool TakesCarry, bool GivesCarry>
Step run_extended_mad(Warp& warp, const Inst& inst) {
  using Narrow = std::conditional_t<(Wide(-1) < Wide(0)), std::make_signed_t<T>, T>;
  T* d = slot<T>(warp, inst.dst);
  const T* a = slot<T>(warp, inst.a);
  const T* b = slot<T>(warp, inst.b);
  const T* c = slot<T>(warp, inst.c);
  uint32_t carries = warp.carry;
  each_lane<true>(warp, [&](int lane) {
    T product;
    if constexpr (High) {
      product = T((Wide(Narrow(a[lane])) * Wide(Narrow(b[lane]))) >> (8 * sizeof(T)));
    } else {
      product = a[lane] * b[lane];
    }
    T partial, result;
    bool out = __builtin_add_overflow(product, c[lane], &partial);
    out |= __builtin_add_overflow(partial, TakesCarry ? T(carries >> lane & 1) : T(0), &result);
    d[lane] = result;
    if constexpr (GivesCarry) carries = (carries & ~(1u << lane)) | uint32_t(out) << lane;
  });
  warp.carry = carries;
  return Step::next;
}

template <class T, class Wide, bool TakesCarry>
void use_extended_mad(Inst& inst, bool high, bool gives) {
  if (high) {
    use_both(inst, gives ? &run_extended_mad<T, Wide, true, TakesCarry, true>
                         : &run_extended_mad<T, Wide, true, TakesCarry, false>);
  } else {
    use_both(inst, gives ? &run_extended_mad<T, Wide, false, TakesCarry, true>
                         : &run_extended_mad<T, Wide, false, TakesCarry, false>);
  }
}

template <bool TakesCarry>
bool decode_extended_mad(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  const bool high = source.has("hi"), gives = source.has("cc");
  if (!high && !source.has("lo")) return false;
  switch (type) {
    case Type::u32: use_extended_mad<uint32_t, uint64_t, TakesCarry>(inst, high, gives); break;
    case Type::s32: use_extended_mad<uint32_t, int64_t, TakesCarry>(inst, high, gives); break;
    case Type::u64: use_extended_mad<uint64_t, unsigned __int128, TakesCarry>(inst, high, gives); break;
    case Type::s64: use_extended_mad<uint64_t, __int128, TakesCarry>(inst, high, gives); break;
    default: return false;
  }
  return fill_ternary(source, encoder, inst, type);
}

/// Handlers of a product, or of a product and a sum.
template <class Product>
void use_product(Inst& inst, bool accumulate) {
  if (accumulate) {
    use_ternary<Plus<Product>>(inst);
  } else {
    use_binary<Product>(inst);
  }
}

bool use_low(Inst& inst, Type type, bool accumulate) {
  switch (type) {
    case Type::u16:
    case Type::s16:
    case Type::u32:
    case Type::s32: use_product<Low<uint32_t>>(inst, accumulate); return true;
    case Type::u64:
    case Type::s64: use_product<Low<uint64_t>>(inst, accumulate); return true;
    default: return false;
  }
}
bool use_high(Inst& inst, Type type, bool accumulate) {
  switch (type) {
    case Type::u16: use_product<High16<false>>(inst, accumulate); return true;
    case Type::s16: use_product<High16<true>>(inst, accumulate); return true;
    case Type::u32: use_product<High32<false>>(inst, accumulate); return true;
    case Type::s32: use_product<High32<true>>(inst, accumulate); return true;
    case Type::u64: use_product<High64<false>>(inst, accumulate); return true;
    case Type::s64: use_product<High64<true>>(inst, accumulate); return true;
    default: return false;
  }
}
bool use_wide_of(Inst& inst, Type type, bool accumulate) {
  switch (type) {
    case Type::u16: use_product<Wide16<false>>(inst, accumulate); return true;
    case Type::s16: use_product<Wide16<true>>(inst, accumulate); return true;
    case Type::u32: accumulate ? use_wide<false, true>(inst) : use_wide<false, false>(inst); return true;
    case Type::s32: accumulate ? use_wide<true, true>(inst) : use_wide<true, false>(inst); return true;
    default: return false;
  }
}

bool decode_product(const ptx::Instruction& source, Encoder& encoder, Inst& inst, bool accumulate) {
  const Type type = source.type();
  Type result = type;
  if (source.has("wide")) {
    result = double_width(type);
    if (!use_wide_of(inst, type, accumulate)) return false;
  } else if (source.has("hi")) {
    if (source.has("sat")) {
      if (type != Type::s32 || !accumulate) return false;
      use_ternary<PlusSaturated<High32<true>>>(inst);
    } else if (!use_high(inst, type, accumulate)) {
      return false;
    }
  } else if (!source.has("lo") || !use_low(inst, type, accumulate)) {
    return false;
  }
  return accumulate ? fill_operands(source, encoder, inst, result, {type, type, result})
                    : fill_operands(source, encoder, inst, result, {type, type});
}

bool decode_product24(const ptx::Instruction& source, Encoder& encoder, Inst& inst, bool accumulate) {
  const Type type = source.type();
  const bool high = source.has("hi");
  if (!high && !source.has("lo")) return false;
  if (source.has("sat")) {
    if (type != Type::s32 || !accumulate || !high) return false;
    use_ternary<PlusSaturated<Product24<true, true>>>(inst);
  } else if (type == Type::u32) {
    high ? use_product<Product24<false, true>>(inst, accumulate)
         : use_product<Product24<false, false>>(inst, accumulate);
  } else if (type == Type::s32) {
    high ? use_product<Product24<true, true>>(inst, accumulate)
         : use_product<Product24<true, false>>(inst, accumulate);
  } else {
    return false;
  }
  return accumulate ? fill_ternary(source, encoder, inst, type) : fill_binary(source, encoder, inst, type);
}

}  // namespace

bool decode_mul(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (is_float(source.type())) return decode_float_mul(source, encoder, inst);
  return decode_product(source, encoder, inst, false);
}

bool decode_mad(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (is_float(source.type())) return decode_fma(source, encoder, inst);
  if (source.has("cc")) return decode_extended_mad<false>(source, encoder, inst);
  return decode_product(source, encoder, inst, true);
}

bool decode_madc(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_extended_mad<true>(source, encoder, inst);
}

bool decode_mul24(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_product24(source, encoder, inst, false);
}

bool decode_mad24(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_product24(source, encoder, inst, true);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
