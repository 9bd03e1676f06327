// Shifts: shl, shr, and the funnel shift shf (PTX ISA 9.7.8). Amounts clamp at the width; only shf.wrap takes
// them modulo.
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

struct Left32 {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b) { return shift_left<uint32_t>(a, b); }
};
struct Right32 {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b) { return shift_right<uint32_t>(a, b); }
};
struct RightSigned32 {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b) { return shift_right_signed<uint32_t>(a, b); }
};
struct Right16 {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b) {
    return shift_right<uint32_t>(a & 0xffffu, b);
  }
};
struct RightSigned16 {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b) {
    return shift_right_signed<uint32_t>(Vec<uint32_t>(Vec<int32_t>(a << 16) >> 16), b);
  }
};

struct Left64 {
  static Vec<uint64_t> apply(Vec<uint64_t> a, Vec<uint64_t> b) { return shift_left<uint64_t>(a, b); }
};
struct Right64 {
  static Vec<uint64_t> apply(Vec<uint64_t> a, Vec<uint64_t> b) { return shift_right<uint64_t>(a, b); }
};
struct RightSigned64 {
  static Vec<uint64_t> apply(Vec<uint64_t> a, Vec<uint64_t> b) { return shift_right_signed<uint64_t>(a, b); }
};

/// The amount is a 32-bit value whatever the width of the shifted one.
template <bool Masked, class Op>
Step run_shift_64(Warp& warp, const Inst& inst) {
  uint64_t* d = slot<uint64_t>(warp, inst.dst);
  const uint64_t* a = slot<uint64_t>(warp, inst.a);
  const uint32_t* b = slot<uint32_t>(warp, inst.b);
  typedef uint32_t four __attribute__((vector_size(16)));
  for (int i = 0; i < lanes; i += 4) {
    four amount;
    std::memcpy(&amount, b + i, sizeof amount);
    store_lanes<Masked, uint64_t>(warp, d, i,
                                  Op::apply(*reinterpret_cast<const Vec<uint64_t>*>(a + i),
                                            __builtin_convertvector(amount, Vec<uint64_t>)));
  }
  return Step::next;
}
template <class Op>
void use_shift_64(Inst& inst) {
  inst.full = &run_shift_64<false, Op>;
  inst.masked = &run_shift_64<true, Op>;
}

template <bool Wrap>
WARPBOOK_INLINE Vec<uint32_t> funnel_amount(Vec<uint32_t> c) {
  if constexpr (Wrap) return c & 31u;
  return c < 32u ? c : all_lanes<uint32_t>(32u);
}
/// The upper word of b:a shifted left.
template <bool Wrap>
struct FunnelLeft {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b, Vec<uint32_t> c) {
    const Vec<uint32_t> amount = funnel_amount<Wrap>(c);
    return shift_left<uint32_t>(b, amount) | shift_right<uint32_t>(a, 32u - amount);
  }
};
/// The lower word of b:a shifted right.
template <bool Wrap>
struct FunnelRight {
  using Lane = uint32_t;
  static Vec<uint32_t> apply(Vec<uint32_t> a, Vec<uint32_t> b, Vec<uint32_t> c) {
    const Vec<uint32_t> amount = funnel_amount<Wrap>(c);
    return shift_left<uint32_t>(b, 32u - amount) | shift_right<uint32_t>(a, amount);
  }
};

bool fill_shift(const ptx::Instruction& source, Encoder& encoder, Inst& inst, Type type) {
  return fill_operands(source, encoder, inst, type, {type, Type::u32});
}

}  // namespace

bool decode_shl(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  switch (bits_of(type)) {
    case 16:  // the low half of a 32-bit shift is the 16-bit shift
    case 32: use_binary<Left32>(inst); break;
    case 64: use_shift_64<Left64>(inst); break;
    default: return false;
  }
  return fill_shift(source, encoder, inst, type);
}

bool decode_shr(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  switch (type) {
    case Type::b16:
    case Type::u16: use_binary<Right16>(inst); break;
    case Type::s16: use_binary<RightSigned16>(inst); break;
    case Type::b32:
    case Type::u32: use_binary<Right32>(inst); break;
    case Type::s32: use_binary<RightSigned32>(inst); break;
    case Type::b64:
    case Type::u64: use_shift_64<Right64>(inst); break;
    case Type::s64: use_shift_64<RightSigned64>(inst); break;
    default: return false;
  }
  return fill_shift(source, encoder, inst, type);
}

bool decode_shf(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const bool wrap = source.has("wrap");
  if (source.type() != Type::b32 || (!wrap && !source.has("clamp"))) return false;
  if (source.has("l")) {
    wrap ? use_ternary<FunnelLeft<true>>(inst) : use_ternary<FunnelLeft<false>>(inst);
  } else if (source.has("r")) {
    wrap ? use_ternary<FunnelRight<true>>(inst) : use_ternary<FunnelRight<false>>(inst);
  } else {
    return false;
  }
  return fill_operands(source, encoder, inst, Type::b32, {Type::b32, Type::b32, Type::u32});
}

}  // namespace warpbook::simt::WARPBOOK_ISA
