// Matrix multiply and add: wmma.mma (PTX ISA 9.7.14.4.5) and mma (9.7.14.5.14), D = A x B + C.
//
// Order of the sums. Floats: every element of D is C plus the products in ascending k, each product exact,
// the sum in double precision, rounded once to D's type (to nearest even). PTX leaves order and precision
// open; integer-valued inputs within 2^24 are exact in any order. f64: a chain of fused multiply-adds in
// ascending k. tf32 reads the upper 19 bits of its registers. Integers wrap at 32 bits, or stop at the ends
// with .satfinite.
#include <algorithm>
#include <limits>

#include "simt/ops/all_families.h"
#include "simt/ops/eight_bit_floats.h"
#include "simt/ops/matrix_layout.h"
#include "simt/ops/together.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

constexpr int most_factor_elements = 1024;  // m16 k64
constexpr int most_sum_elements = 256;      // m16 n16

struct Multiply {
  MatrixShape shape;
  Element a_type = Element::f16, b_type = Element::f16, c_type = Element::f32, d_type = Element::f32;
  FactorLayout a, b;
  SumLayout sum;
  bool saturate = false;
  bool conjunction = false;  ///< b1: .and.popc instead of .xor.popc
  uint32_t a_slot[most_matrix_registers] = {}, b_slot[most_matrix_registers] = {};
  uint32_t c_slot[most_matrix_registers] = {}, d_slot[most_matrix_registers] = {};
};

const Multiply& multiply_of(const Inst& inst) { return *reinterpret_cast<const Multiply*>(inst.imm); }

double float_element(uint32_t word, int index, Element type) {
  switch (type) {
    case Element::f16: return widened<Half>(word >> (16 * index) & 0xffff);
    case Element::bf16: return widened<Brain>(word >> (16 * index) & 0xffff);
    case Element::tf32: return double(bits_as<float>(word & 0xffffe000u));
    case Element::e5m2: return widened_e5m2(word >> (8 * index) & 0xff);
    default: return widened_e4m3(word >> (8 * index) & 0xff);
  }
}

int32_t integer_element(uint32_t word, int index, Element type) {
  switch (type) {
    case Element::s8: return int32_t(word << (24 - 8 * index)) >> 24;
    case Element::u8: return int32_t(word >> (8 * index) & 0xff);
    case Element::s4: return int32_t(word << (28 - 4 * index)) >> 28;
    default: return int32_t(word >> (4 * index) & 0xf);
  }
}

/// A with its rows apart, B with its rows (of one k) apart.
template <class T, class Read>
void unpack_factors(Warp& warp, const Multiply& what, T* a, T* b, Read read) {
  for (int reg = 0; reg < what.a.registers(); ++reg) {
    for (int lane = 0; lane < lanes; ++lane) {
      T* to = a + what.a.outer_of(reg, lane) * what.shape.k + what.a.k_of(reg, lane);
      for (int i = 0; i < what.a.run; ++i) to[i] = read(warp, what.a_slot[reg], lane, i, what.a_type);
    }
  }
  for (int reg = 0; reg < what.b.registers(); ++reg) {
    for (int lane = 0; lane < lanes; ++lane) {
      T* to = b + what.b.k_of(reg, lane) * what.shape.n + what.b.outer_of(reg, lane);
      for (int i = 0; i < what.b.run; ++i) {
        to[i * what.shape.n] = read(warp, what.b_slot[reg], lane, i, what.b_type);
      }
    }
  }
}

template <class T, class Get>
void unpack_sum(Warp& warp, const Multiply& what, T* sum, Get get) {
  for (int e = 0; e < what.sum.elements(); ++e) {
    for (int lane = 0; lane < lanes; ++lane) {
      sum[what.sum.row_of(e, lane) * what.shape.n + what.sum.column_of(e, lane)] = get(warp, e, lane);
    }
  }
}

Step multiply_floats(Warp& warp, const Inst& inst) {
  return whole_warp_together(warp, inst, [&] {
    const Multiply& what = multiply_of(inst);
    double a[most_factor_elements], b[most_factor_elements], sum[most_sum_elements];
    unpack_factors(warp, what, a, b, [](Warp& w, uint32_t offset, int lane, int i, Element type) {
      return float_element(slot<uint32_t>(w, offset)[lane], i, type);
    });
    unpack_sum(warp, what, sum, [&](Warp& w, int e, int lane) {
      if (what.c_type == Element::f32) return double(slot<float>(w, what.c_slot[e])[lane]);
      return widened<Half>(slot<uint32_t>(w, what.c_slot[e / 2])[lane] >> (e % 2 * 16) & 0xffff);
    });
    const int n = what.shape.n;
    for (int i = 0; i < what.shape.m; ++i) {
      double* row = sum + i * n;
      for (int k = 0; k < what.shape.k; ++k) {
        const double factor = a[i * what.shape.k + k];
        const double* from = b + k * n;
        for (int j = 0; j < n; ++j) row[j] += factor * from[j];
      }
    }
    for (int e = 0; e < what.sum.elements(); ++e) {
      for (int lane = 0; lane < lanes; ++lane) {
        const double value = sum[what.sum.row_of(e, lane) * n + what.sum.column_of(e, lane)];
        if (what.d_type == Element::f32) {
          slot<float>(warp, what.d_slot[e])[lane] = canonical(float(value));
        } else {
          uint32_t& word = slot<uint32_t>(warp, what.d_slot[e / 2])[lane];
          const uint32_t half = uint32_t(narrowed<Half>(value, Rounding::nearest));
          word = e % 2 ? (word & 0xffffu) | half << 16 : half;
        }
      }
    }
    return Step::next;
  });
}

Step multiply_doubles(Warp& warp, const Inst& inst) {
  return whole_warp_together(warp, inst, [&] {
    const Multiply& what = multiply_of(inst);
    double a[most_factor_elements], b[most_factor_elements], sum[most_sum_elements];
    unpack_factors(warp, what, a, b, [](Warp& w, uint32_t offset, int lane, int, Element) {
      return slot<double>(w, offset)[lane];
    });
    unpack_sum(warp, what, sum,
               [&](Warp& w, int e, int lane) { return slot<double>(w, what.c_slot[e])[lane]; });
    const int n = what.shape.n;
    for (int i = 0; i < what.shape.m; ++i) {
      for (int k = 0; k < what.shape.k; ++k) {
        for (int j = 0; j < n; ++j) {
          sum[i * n + j] = __builtin_fma(a[i * what.shape.k + k], b[k * n + j], sum[i * n + j]);
        }
      }
    }
    for (int e = 0; e < what.sum.elements(); ++e) {
      for (int lane = 0; lane < lanes; ++lane) {
        slot<double>(warp, what.d_slot[e])[lane] =
            sum[what.sum.row_of(e, lane) * n + what.sum.column_of(e, lane)];
      }
    }
    return Step::next;
  });
}

void store_integers(Warp& warp, const Multiply& what, const int64_t* sum) {
  constexpr int64_t low = std::numeric_limits<int32_t>::min(), high = std::numeric_limits<int32_t>::max();
  for (int e = 0; e < what.sum.elements(); ++e) {
    for (int lane = 0; lane < lanes; ++lane) {
      const int64_t value = sum[what.sum.row_of(e, lane) * what.shape.n + what.sum.column_of(e, lane)];
      slot<int32_t>(warp, what.d_slot[e])[lane] =
          int32_t(what.saturate ? std::clamp(value, low, high) : value);
    }
  }
}
void read_integers(Warp& warp, const Multiply& what, int64_t* sum) {
  unpack_sum(warp, what, sum,
             [&](Warp& w, int e, int lane) { return int64_t(slot<int32_t>(w, what.c_slot[e])[lane]); });
}

Step multiply_integers(Warp& warp, const Inst& inst) {
  return whole_warp_together(warp, inst, [&] {
    const Multiply& what = multiply_of(inst);
    int32_t a[most_factor_elements], b[most_factor_elements];
    int64_t sum[most_sum_elements];
    unpack_factors(warp, what, a, b, [](Warp& w, uint32_t offset, int lane, int i, Element type) {
      return integer_element(slot<uint32_t>(w, offset)[lane], i, type);
    });
    read_integers(warp, what, sum);
    const int n = what.shape.n;
    for (int i = 0; i < what.shape.m; ++i) {
      for (int k = 0; k < what.shape.k; ++k) {
        for (int j = 0; j < n; ++j) sum[i * n + j] += int64_t(a[i * what.shape.k + k]) * b[k * n + j];
      }
    }
    store_integers(warp, what, sum);
    return Step::next;
  });
}

/// Elements of one bit: a register is 32 of them, and a sum counts ones.
Step multiply_bits(Warp& warp, const Inst& inst) {
  return whole_warp_together(warp, inst, [&] {
    const Multiply& what = multiply_of(inst);
    constexpr int most_words = 8;  // k256
    uint32_t a[16][most_words], b[8][most_words];
    for (int reg = 0; reg < what.a.registers(); ++reg) {
      for (int lane = 0; lane < lanes; ++lane) {
        a[what.a.outer_of(reg, lane)][what.a.k_of(reg, lane) / 32] =
            slot<uint32_t>(warp, what.a_slot[reg])[lane];
      }
    }
    for (int reg = 0; reg < what.b.registers(); ++reg) {
      for (int lane = 0; lane < lanes; ++lane) {
        b[what.b.outer_of(reg, lane)][what.b.k_of(reg, lane) / 32] =
            slot<uint32_t>(warp, what.b_slot[reg])[lane];
      }
    }
    int64_t sum[most_sum_elements];
    read_integers(warp, what, sum);
    for (int i = 0; i < what.shape.m; ++i) {
      for (int j = 0; j < what.shape.n; ++j) {
        for (int w = 0; w < what.shape.k / 32; ++w) {
          const uint32_t bits = what.conjunction ? a[i][w] & b[j][w] : a[i][w] ^ b[j][w];
          sum[i * what.shape.n + j] += __builtin_popcount(bits);
        }
      }
    }
    store_integers(warp, what, sum);
    return Step::next;
  });
}

bool is_integer(Element e) {
  return e == Element::s8 || e == Element::u8 || e == Element::s4 || e == Element::u4;
}
bool is_eight_bit_float(Element e) { return e == Element::e4m3 || e == Element::e5m2; }
/// A and B may differ in sign, or be the two 8-bit floats.
bool go_together(Element a, Element b) {
  return a == b || (is_eight_bit_float(a) && is_eight_bit_float(b)) ||
         (is_integer(a) && is_integer(b) && bits_of_element(a) == bits_of_element(b));
}

Handler handler_for(const Multiply& what) {
  const bool float_sums = (what.c_type == Element::f32 || what.c_type == Element::f16) &&
                          (what.d_type == Element::f32 || what.d_type == Element::f16);
  const bool single_sums = what.c_type == Element::f32 && what.d_type == Element::f32;
  const bool integer_sums = what.c_type == Element::s32 && what.d_type == Element::s32;
  switch (what.a_type) {
    case Element::f16:
    case Element::e4m3:
    case Element::e5m2: return float_sums ? &multiply_floats : nullptr;
    case Element::bf16:
    case Element::tf32: return single_sums ? &multiply_floats : nullptr;
    case Element::f64:
      return what.c_type == Element::f64 && what.d_type == Element::f64 ? &multiply_doubles : nullptr;
    case Element::b1: return integer_sums ? &multiply_bits : nullptr;
    default: return integer_sums ? &multiply_integers : nullptr;
  }
}

}  // namespace

bool decode_matrix_multiply(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const bool wmma = source.opcode == "wmma";
  if (!source.has("sync") || source.operands.size() != 4 || rounding_of(source) != Rounding::nearest)
    return false;
  // Sparse and block-scaled forms have more operands or a kind.
  if (source.has("sp") || source.has("block_scale")) return false;
  for (const std::string& modifier : source.modifiers) {
    if (modifier.starts_with("sp::") || modifier.starts_with("kind::")) return false;
  }
  const auto names = matrix_names(source);
  if (!names) return false;
  auto* what = make_kept<Multiply>(encoder);
  what->shape = names->shape;
  if (names->count == 4) {
    what->d_type = names->elements[0];
    what->a_type = names->elements[1];
    what->b_type = names->elements[2];
    what->c_type = names->elements[3];
  } else if (wmma && names->count == 2) {  // wmma.mma of f16 names D and C only
    what->d_type = names->elements[0];
    what->c_type = names->elements[1];
  } else {
    return false;
  }
  if (!shape_is_known(what->shape, what->a_type, wmma) || !go_together(what->a_type, what->b_type))
    return false;
  if (!wmma && !(source.has("row") && source.has("col"))) return false;
  what->a = factor_layout(what->shape.m, what->shape.k, what->a_type);
  what->b = factor_layout(what->shape.n, what->shape.k, what->b_type);
  what->sum = {what->shape.m, what->shape.n};
  what->saturate = source.has("satfinite");
  if (what->a_type == Element::b1) {
    if (!source.has("popc") || source.has("and") == source.has("xor")) return false;
    what->conjunction = source.has("and");
  }
  const Handler handler = handler_for(*what);
  if (!handler) return false;
  const bool wide = what->a_type == Element::f64;
  const auto& operands = source.operands;
  if (!fill_registers(operands[1], factor_registers(what->a, what->a_type, wmma), wide, false, encoder,
                      what->a_slot) ||
      !fill_registers(operands[2], factor_registers(what->b, what->b_type, wmma), wide, false, encoder,
                      what->b_slot) ||
      !fill_registers(operands[3], sum_registers(what->sum, what->c_type), wide, false, encoder,
                      what->c_slot) ||
      !fill_registers(operands[0], sum_registers(what->sum, what->d_type), wide, true, encoder,
                      what->d_slot)) {
    return false;
  }
  fill_whole_warp(encoder, inst);
  inst.imm = reinterpret_cast<uint64_t>(what);
  use_both(inst, handler);
  return true;
}

bool decode_mma(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_matrix_multiply(source, encoder, inst);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
