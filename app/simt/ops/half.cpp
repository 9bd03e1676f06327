// Arithmetic of f16, f16x2, bf16 and bf16x2 (PTX ISA 9.7.4). One operation at a time in double precision,
// rounded once to the narrow format; a packed type is two of them.
#include "simt/ops/all_families.h"
#include "simt/ops/rounding.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

enum class Operation : uint8_t { add, sub, mul, fma, min, max, neg, abs, ex2, tanh };

/// In Inst::imm.
struct Plan {
  Operation operation;
  uint8_t flags;  ///< FloatFlags
  bool brain, two;
  uint32_t spare;
};

template <class F>
uint32_t flushed(uint32_t bits) {
  const uint32_t exponent = uint32_t(F::infinity);
  return (bits & exponent) == 0 ? bits & uint32_t(F::sign) : bits;
}

template <class F>
uint32_t extreme(bool max, uint8_t flags, uint32_t x, uint32_t y) {
  constexpr uint32_t sign_bit = uint32_t(F::sign), size = sign_bit - 1;
  const bool x_nan = (x & size) > F::infinity, y_nan = (y & size) > F::infinity;
  if ((x_nan && y_nan) || ((flags & flag_nan) && (x_nan || y_nan))) return size;
  const uint32_t sign = (x ^ y) & sign_bit;
  if (flags & flag_xorsign_abs) {
    x &= size;
    y &= size;
  }
  uint32_t result = x;
  if (x_nan) {
    result = y;
  } else if (!y_nan) {
    const auto key = [](uint32_t bits) {
      return bits & sign_bit ? -int32_t(bits & size) - 1 : int32_t(bits);
    };
    result = (max ? key(x) > key(y) : key(x) < key(y)) ? x : y;
  }
  return flags & flag_xorsign_abs ? (result & size) | sign : result;
}

/// One value in 16 bits.
template <class F>
uint32_t compute(const Plan& plan, uint32_t a, uint32_t b, uint32_t c) {
  constexpr uint32_t sign_bit = uint32_t(F::sign);
  if (plan.flags & flag_ftz) {
    a = flushed<F>(a);
    b = flushed<F>(b);
    c = flushed<F>(c);
  }
  double value = 0;
  switch (plan.operation) {
    case Operation::neg: return a ^ sign_bit;
    case Operation::abs: return a & ~sign_bit;
    case Operation::min: return extreme<F>(false, plan.flags, a, b);
    case Operation::max: return extreme<F>(true, plan.flags, a, b);
    case Operation::add: value = sum_to_odd(widened<F>(a), widened<F>(b)); break;
    case Operation::sub: value = sum_to_odd(widened<F>(a), -widened<F>(b)); break;
    case Operation::mul: value = widened<F>(a) * widened<F>(b); break;
    case Operation::fma: value = sum_to_odd(widened<F>(a) * widened<F>(b), widened<F>(c)); break;
    case Operation::ex2: value = __builtin_exp2(widened<F>(a)); break;
    case Operation::tanh: value = __builtin_tanh(widened<F>(a)); break;
  }
  if (plan.flags & flag_sat) value = value > 0 ? (value < 1 ? value : 1.0) : 0.0;
  if ((plan.flags & flag_relu) && value <= 0) value = 0.0;
  const uint32_t result = uint32_t(narrowed<F>(value, Rounding::nearest));
  return plan.flags & flag_ftz ? flushed<F>(result) : result;
}

[[gnu::noinline]] uint32_t compute_any(const Plan& plan, uint32_t a, uint32_t b, uint32_t c) {
  return plan.brain ? compute<Brain>(plan, a, b, c) : compute<Half>(plan, a, b, c);
}

template <bool Masked>
Step run_half(Warp& warp, const Inst& inst) {
  const Plan plan = bits_as<Plan>(inst.imm);
  uint32_t* d = slot<uint32_t>(warp, inst.dst);
  const uint32_t* a = slot<uint32_t>(warp, inst.a);
  const uint32_t* b = slot<uint32_t>(warp, inst.b);
  const uint32_t* c = slot<uint32_t>(warp, inst.c);
  each_lane<Masked>(warp, [&](int lane) {
    const uint32_t x = a[lane], y = b[lane], z = c[lane];
    uint32_t result = compute_any(plan, x & 0xffff, y & 0xffff, z & 0xffff);
    if (plan.two) result |= compute_any(plan, x >> 16, y >> 16, z >> 16) << 16;
    d[lane] = result;
  });
  return Step::next;
}

struct Known {
  std::string_view opcode;
  Operation operation;
  size_t sources;
};
constexpr Known known[] = {
    {"add", Operation::add, 2},   {"sub", Operation::sub, 2}, {"mul", Operation::mul, 2},
    {"fma", Operation::fma, 3},   {"min", Operation::min, 2}, {"max", Operation::max, 2},
    {"neg", Operation::neg, 1},   {"abs", Operation::abs, 1}, {"ex2", Operation::ex2, 1},
    {"tanh", Operation::tanh, 1},
};

}  // namespace

bool decode_half(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  const bool half = type == Type::f16 || type == Type::f16x2;
  const bool brain = type == Type::bf16 || type == Type::bf16x2;
  if ((!half && !brain) || source.has("oob") || rounding_of(source) != Rounding::nearest) return false;
  for (const Known& entry : known) {
    if (source.opcode != entry.opcode) continue;
    const bool two = type == Type::f16x2 || type == Type::bf16x2;
    inst.imm = bits_as<uint64_t>(Plan{entry.operation, float_flags(source), brain, two, 0});
    inst.full = &run_half<false>;
    inst.masked = &run_half<true>;
    switch (entry.sources) {
      case 1: return fill_unary(source, encoder, inst, type);
      case 2: return fill_binary(source, encoder, inst, type);
      default: return fill_ternary(source, encoder, inst, type);
    }
  }
  return false;
}

bool decode_half_special(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return source.has("approx") && decode_half(source, encoder, inst);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
