// Counting, finding and moving bits: popc, clz, brev, bfind, bfe, bfi, bmsk, szext, fns, prmt (PTX
// ISA 9.7.1, 9.7.8, 9.7.9.7). Lane by lane: none is frequent, and compilers make loops over lanes of most of
// them.
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

enum Flags : uint8_t { shift_amount = 1, wrap_mode = 1 };

WARPBOOK_INLINE int leading_zeros(uint32_t a) { return a ? __builtin_clz(a) : 32; }
WARPBOOK_INLINE int leading_zeros(uint64_t a) { return a ? __builtin_clzll(a) : 64; }

struct CountOnes {
  static uint32_t apply(const Inst&, uint32_t a) { return uint32_t(__builtin_popcount(a)); }
  static uint32_t apply(const Inst&, uint64_t a) { return uint32_t(__builtin_popcountll(a)); }
};
struct LeadingZeros {
  template <class T>
  static uint32_t apply(const Inst&, T a) {
    return uint32_t(leading_zeros(a));
  }
};
struct Reverse {
  static uint32_t apply(const Inst&, uint32_t a) {
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(a);
  }
  static uint64_t apply(const Inst& inst, uint64_t a) {
    return uint64_t(apply(inst, uint32_t(a))) << 32 | apply(inst, uint32_t(a >> 32));
  }
};

/// Position of the highest bit that is not the sign; all ones when there is none. .shiftamt counts from the
/// top.
template <bool Signed>
struct FindHighest {
  template <class T>
  static uint32_t apply(const Inst& inst, T a) {
    constexpr int top = int(sizeof(T)) * 8 - 1;
    if (Signed && (a >> top) != 0) a = ~a;
    if (a == 0) return ~0u;
    const int zeros = leading_zeros(a);
    return uint32_t(inst.flags & shift_amount ? zeros : top - zeros);
  }
};

/// Bits [position, position + length) of a; positions past the top read as the sign (or zero).
template <bool Signed>
struct Extract {
  template <class T>
  static T apply(const Inst&, T a, uint32_t b, uint32_t c) {
    constexpr uint32_t width = sizeof(T) * 8;
    using S = std::make_signed_t<T>;
    const uint32_t position = b & 0xff, length = c & 0xff;
    if (length == 0) return 0;
    if (position >= width) return Signed ? T(S(a) >> (width - 1)) : T(0);
    const uint32_t taken = length < width - position ? length : width - position;
    const T top = T(a << (width - position - taken));
    return Signed ? T(S(top) >> (width - taken)) : T(top >> (width - taken));
  }
};
/// b with a's low `length` bits at `position`; what would pass the top is dropped.
template <class T>
WARPBOOK_INLINE T inserted(T a, T b, uint32_t c, uint32_t d) {
  constexpr uint32_t width = sizeof(T) * 8;
  const uint32_t position = c & 0xff, length = d & 0xff;
  if (length == 0 || position >= width) return b;
  const T ones = length >= width ? T(-1) : T((T(1) << length) - 1);
  const T mask = T(ones << position);
  return T((b & ~mask) | (T(a << position) & mask));
}
template <bool Masked, class T>
Step run_insert(Warp& warp, const Inst& inst) {
  T* out = slot<T>(warp, inst.dst);
  const T* a = slot<T>(warp, inst.a);
  const T* b = slot<T>(warp, inst.b);
  const uint32_t* c = slot<uint32_t>(warp, inst.c);
  const uint32_t* d = slot<uint32_t>(warp, inst.d);
  each_lane<Masked>(warp, [&](int lane) { out[lane] = inserted(a[lane], b[lane], c[lane], d[lane]); });
  return Step::next;
}

/// `width` ones from bit `position` on.
struct MakeMask {
  static uint32_t apply(const Inst& inst, uint32_t a, uint32_t b) {
    const bool wrap = inst.flags & wrap_mode;
    const uint32_t position = wrap ? a & 31 : a, width = wrap ? b & 31 : b;
    if (position >= 32 || width == 0) return 0;
    const uint32_t ones = width >= 32 ? ~0u : (1u << width) - 1;
    return ones << position;
  }
};
/// The low b bits of a, extended.
template <bool Signed>
struct ExtendFrom {
  static uint32_t apply(const Inst& inst, uint32_t a, uint32_t b) {
    const uint32_t width = inst.flags & wrap_mode ? b & 31 : b;
    if (width == 0) return 0;
    if (width >= 32) return a;
    const uint32_t top = a << (32 - width);
    return Signed ? uint32_t(int32_t(top) >> (32 - width)) : top >> (32 - width);
  }
};
/// Position of the n-th one of a, counted from base b by the signed offset c.
struct FindNth {
  static uint32_t apply(const Inst&, uint32_t a, uint32_t b, uint32_t c) {
    const int32_t offset = int32_t(c);
    if (offset == 0) return b < 32 && (a >> b & 1) ? b : ~0u;
    uint32_t left = offset > 0 ? uint32_t(offset) : uint32_t(0) - uint32_t(offset);
    for (uint32_t at = b; at<32; at += offset> 0 ? 1u : ~0u) {
      if ((a >> at & 1) && --left == 0) return at;
    }
    return ~0u;
  }
};

enum class Permute : uint8_t {
  select,
  forward,
  backward,
  replicate_byte,
  clamp_left,
  clamp_right,
  replicate_half
};

template <Permute Mode>
struct PermuteBytes {
  static uint32_t apply(const Inst&, uint32_t a, uint32_t b, uint32_t c) {
    const uint64_t bytes = uint64_t(b) << 32 | a;
    const uint32_t s = c & 3;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; ++i) {
      uint32_t from = 0;
      switch (Mode) {
        case Permute::select: from = c >> (4 * i) & 7; break;
        case Permute::forward: from = (s + i) & 7; break;
        case Permute::backward: from = (s - i) & 7; break;
        case Permute::replicate_byte: from = s; break;
        case Permute::clamp_left: from = i > s ? i : s; break;
        case Permute::clamp_right: from = i < s ? i : s; break;
        case Permute::replicate_half: from = (s & 1) * 2 + (i & 1); break;
      }
      uint32_t byte = uint32_t(bytes >> (8 * from)) & 0xff;
      // The selector's top bit asks for eight copies of the byte's sign.
      if (Mode == Permute::select && (c >> (4 * i) & 8)) byte = (0u - (byte >> 7)) & 0xff;
      result |= byte << (8 * i);
    }
    return result;
  }
};
template <Permute Mode>
void use_permute(Inst& inst) {
  use_lane_ternary<PermuteBytes<Mode>, uint32_t, uint32_t, uint32_t, uint32_t>(inst);
}

/// One operation on b32 and b64 whose result is 32 bits wide.
template <class Op>
bool decode_count(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  switch (bits_of(type)) {
    case 32: use_lane_unary<Op, uint32_t, uint32_t>(inst); break;
    case 64: use_lane_unary<Op, uint32_t, uint64_t>(inst); break;
    default: return false;
  }
  return fill_operands(source, encoder, inst, Type::u32, {type});
}

/// wrap or clamp, at 32 bits.
template <class Op>
bool decode_wrap_or_clamp(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const bool wrap = source.has("wrap");
  if ((!wrap && !source.has("clamp")) || bits_of(source.type()) != 32) return false;
  inst.flags = wrap ? wrap_mode : 0;
  use_lane_binary<Op, uint32_t, uint32_t, uint32_t>(inst);
  return fill_operands(source, encoder, inst, source.type(), {source.type(), Type::u32});
}

}  // namespace

bool decode_popc(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_count<CountOnes>(source, encoder, inst);
}

bool decode_clz(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_count<LeadingZeros>(source, encoder, inst);
}

bool decode_brev(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  switch (bits_of(type)) {
    case 32: use_lane_unary<Reverse, uint32_t, uint32_t>(inst); break;
    case 64: use_lane_unary<Reverse, uint64_t, uint64_t>(inst); break;
    default: return false;
  }
  return fill_unary(source, encoder, inst, type);
}

bool decode_bfind(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.has("shiftamt")) inst.flags = shift_amount;
  return is_signed(source.type()) ? decode_count<FindHighest<true>>(source, encoder, inst)
                                  : decode_count<FindHighest<false>>(source, encoder, inst);
}

bool decode_bfe(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  switch (type) {
    case Type::u32: use_lane_ternary<Extract<false>, uint32_t, uint32_t, uint32_t, uint32_t>(inst); break;
    case Type::s32: use_lane_ternary<Extract<true>, uint32_t, uint32_t, uint32_t, uint32_t>(inst); break;
    case Type::u64: use_lane_ternary<Extract<false>, uint64_t, uint64_t, uint32_t, uint32_t>(inst); break;
    case Type::s64: use_lane_ternary<Extract<true>, uint64_t, uint64_t, uint32_t, uint32_t>(inst); break;
    default: return false;
  }
  return fill_operands(source, encoder, inst, type, {type, Type::u32, Type::u32});
}

bool decode_bfi(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  switch (bits_of(type)) {
    case 32:
      inst.full = &run_insert<false, uint32_t>;
      inst.masked = &run_insert<true, uint32_t>;
      break;
    case 64:
      inst.full = &run_insert<false, uint64_t>;
      inst.masked = &run_insert<true, uint64_t>;
      break;
    default: return false;
  }
  return fill_operands(source, encoder, inst, type, {type, type, Type::u32, Type::u32});
}

bool decode_bmsk(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_wrap_or_clamp<MakeMask>(source, encoder, inst);
}

bool decode_szext(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return is_signed(source.type()) ? decode_wrap_or_clamp<ExtendFrom<true>>(source, encoder, inst)
                                  : decode_wrap_or_clamp<ExtendFrom<false>>(source, encoder, inst);
}

bool decode_fns(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  use_lane_ternary<FindNth, uint32_t, uint32_t, uint32_t, uint32_t>(inst);
  return fill_operands(source, encoder, inst, Type::b32, {Type::b32, Type::b32, Type::s32});
}

bool decode_prmt(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.type() != Type::b32) return false;
  if (source.has("f4e")) {
    use_permute<Permute::forward>(inst);
  } else if (source.has("b4e")) {
    use_permute<Permute::backward>(inst);
  } else if (source.has("rc8")) {
    use_permute<Permute::replicate_byte>(inst);
  } else if (source.has("ecl")) {
    use_permute<Permute::clamp_left>(inst);
  } else if (source.has("ecr")) {
    use_permute<Permute::clamp_right>(inst);
  } else if (source.has("rc16")) {
    use_permute<Permute::replicate_half>(inst);
  } else {
    use_permute<Permute::select>(inst);
  }
  return fill_ternary(source, encoder, inst, Type::b32);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
