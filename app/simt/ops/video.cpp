// SIMD video instructions on the two halves or four bytes of a register (PTX ISA 9.7.16): vadd, vsub,
// vabsdiff, vmin, vmax and vset, whole registers only (no selectors of lanes in the operands). Each part is
// computed with more bits than it has, then cut, or clamped with .sat; .add sums all parts into c.
#include <algorithm>

#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

enum class Operation : uint8_t { add, sub, absolute_difference, min, max, eq, ne, lt, le, gt, ge };

/// In Inst::imm.
struct Plan {
  Operation operation;
  uint8_t bits;  ///< of a part: 8 or 16
  bool a_signed, b_signed, d_signed, saturate, sums, spare;
};
static_assert(sizeof(Plan) == sizeof(uint64_t));

int32_t part_of(uint32_t word, int shift, int bits, bool is_signed) {
  const int unused = 32 - bits;
  const uint32_t high = word >> shift << unused;
  return is_signed ? int32_t(high) >> unused : int32_t(high >> unused);
}

int32_t computed(Operation operation, int32_t a, int32_t b) {
  switch (operation) {
    case Operation::add: return a + b;
    case Operation::sub: return a - b;
    case Operation::absolute_difference: return a > b ? a - b : b - a;
    case Operation::min: return std::min(a, b);
    case Operation::max: return std::max(a, b);
    case Operation::eq: return a == b;
    case Operation::ne: return a != b;
    case Operation::lt: return a < b;
    case Operation::le: return a <= b;
    case Operation::gt: return a > b;
    case Operation::ge: return a >= b;
  }
  return 0;
}

struct Parts {
  static uint32_t apply(const Inst& inst, uint32_t a, uint32_t b, uint32_t c) {
    const Plan plan = bits_as<Plan>(inst.imm);
    const int bits = plan.bits;
    const int32_t low = plan.d_signed ? -(1 << (bits - 1)) : 0;
    const int32_t high = plan.d_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    uint32_t result = 0, sum = c;
    for (int shift = 0; shift < 32; shift += bits) {
      int32_t value = computed(plan.operation, part_of(a, shift, bits, plan.a_signed),
                               part_of(b, shift, bits, plan.b_signed));
      if (plan.saturate) value = std::clamp(value, low, high);
      const uint32_t cut = uint32_t(value) & ((1u << bits) - 1);
      result |= cut << shift;
      sum += uint32_t(part_of(cut, 0, bits, plan.d_signed));
    }
    return plan.sums ? sum : result;
  }
};

bool is_word(Type type) { return type == Type::u32 || type == Type::s32; }

bool decode_parts(const ptx::Instruction& source, Encoder& encoder, Inst& inst, Operation operation,
                  int bits) {
  const bool compares = operation >= Operation::eq;
  const Type d = compares ? Type::u32 : source.type(0);
  const Type a = source.type(compares ? 0 : 1), b = source.type(compares ? 1 : 2);
  if (!is_word(d) || !is_word(a) || !is_word(b) || (compares && source.has("sat"))) return false;
  inst.imm = bits_as<uint64_t>(Plan{operation, uint8_t(bits), a == Type::s32, b == Type::s32, d == Type::s32,
                                    source.has("sat"), source.has("add"), false});
  use_lane_ternary<Parts, uint32_t, uint32_t, uint32_t, uint32_t>(inst);
  return fill_operands(source, encoder, inst, d, {a, b, d});
}

bool decode_set_parts(const ptx::Instruction& source, Encoder& encoder, Inst& inst, int bits) {
  struct Known {
    std::string_view name;
    Operation operation;
  };
  constexpr Known known[] = {{"eq", Operation::eq}, {"ne", Operation::ne}, {"lt", Operation::lt},
                             {"le", Operation::le}, {"gt", Operation::gt}, {"ge", Operation::ge}};
  for (const Known& entry : known) {
    if (source.has(entry.name)) return decode_parts(source, encoder, inst, entry.operation, bits);
  }
  return false;
}

}  // namespace

bool decode_vadd2(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_parts(source, encoder, inst, Operation::add, 16);
}
bool decode_vadd4(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_parts(source, encoder, inst, Operation::add, 8);
}
bool decode_vsub2(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_parts(source, encoder, inst, Operation::sub, 16);
}
bool decode_vsub4(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_parts(source, encoder, inst, Operation::sub, 8);
}
bool decode_vabsdiff2(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_parts(source, encoder, inst, Operation::absolute_difference, 16);
}
bool decode_vabsdiff4(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_parts(source, encoder, inst, Operation::absolute_difference, 8);
}
bool decode_vmin2(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_parts(source, encoder, inst, Operation::min, 16);
}
bool decode_vmin4(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_parts(source, encoder, inst, Operation::min, 8);
}
bool decode_vmax2(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_parts(source, encoder, inst, Operation::max, 16);
}
bool decode_vmax4(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_parts(source, encoder, inst, Operation::max, 8);
}
bool decode_vset2(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_set_parts(source, encoder, inst, 16);
}
bool decode_vset4(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_set_parts(source, encoder, inst, 8);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
