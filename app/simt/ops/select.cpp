// Choice between two values: selp by a predicate, slct by the sign of a third value (PTX ISA 9.7.6).
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;

enum Flags : uint8_t { negate_predicate = 1 };

template <bool Masked, class T>
Step run_selp(Warp& warp, const Inst& inst) {
  T* d = slot<T>(warp, inst.dst);
  const T* a = slot<T>(warp, inst.a);
  const T* b = slot<T>(warp, inst.b);
  const uint32_t bits = load_predicate(warp, inst.c) ^ (inst.flags & negate_predicate ? ~0u : 0u);
  for (int i = 0; i < lanes; i += vec_lanes<T>) {
    store_lanes<Masked, T>(warp, d, i,
                           mask_of_bits<T>(bits, i) ? *reinterpret_cast<const Vec<T>*>(a + i)
                                                    : *reinterpret_cast<const Vec<T>*>(b + i));
  }
  return Step::next;
}

/// a where c >= 0, else b. A float c that is NaN counts as negative, -0 does not.
template <class T>
struct BySign {
  static T apply(const Inst&, T a, T b, int32_t c) { return c >= 0 ? a : b; }
  static T apply(const Inst& inst, T a, T b, float c) {
    return (inst.flags & flag_ftz ? flush(c) : c) >= 0 ? a : b;
  }
};

template <class T>
bool use_slct(Inst& inst, Type by) {
  if (by == Type::s32) {
    use_lane_ternary<BySign<T>, T, T, T, int32_t>(inst);
  } else if (by == Type::f32) {
    use_lane_ternary<BySign<T>, T, T, T, float>(inst);
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool decode_selp(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type();
  if (source.operands.size() != 4) return false;
  switch (bits_of(type)) {
    case 16:
    case 32:
      inst.full = &run_selp<false, uint32_t>;
      inst.masked = &run_selp<true, uint32_t>;
      break;
    case 64:
      inst.full = &run_selp<false, uint64_t>;
      inst.masked = &run_selp<true, uint64_t>;
      break;
    default: return false;
  }
  inst.a = encoder.source(source.operands[1], type);
  inst.b = encoder.source(source.operands[2], type);
  inst.c = encoder.source_predicate(source.operands[3]);
  inst.flags = source.operands[3].negated ? negate_predicate : 0;
  inst.dst = encoder.target(source.operands[0], type);
  return true;
}

bool decode_slct(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const Type type = source.type(0), by = source.type(1);
  inst.flags = float_flags(source);
  switch (bits_of(type)) {
    case 16:
    case 32:
      if (!use_slct<uint32_t>(inst, by)) return false;
      break;
    case 64:
      if (!use_slct<uint64_t>(inst, by)) return false;
      break;
    default: return false;
  }
  return fill_operands(source, encoder, inst, type, {type, type, by});
}

}  // namespace warpbook::simt::WARPBOOK_ISA
