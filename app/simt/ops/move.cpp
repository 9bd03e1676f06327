// mov: copies of registers, predicates and addresses, packing and unpacking of vectors, and the registers
// that change while a kernel runs (PTX ISA 9.7.9.5, 9.7.9.6, 10).
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;

template <class T>
struct Copy {
  using Lane = T;
  static Vec<T> apply(Vec<T> a) { return a; }
};

Step run_predicate_copy(Warp& warp, const Inst& inst) {
  store_predicate(warp, inst.dst, load_predicate(warp, inst.a) ^ (inst.flags ? ~0u : 0u));
  return Step::next;
}

/// Count parts of Bits each, lowest first, become one value. The parts of 8 and 16 bits have undefined bits
/// above.
template <bool Masked, class Whole, class Part, int Count, int Bits>
Step run_pack(Warp& warp, const Inst& inst) {
  Whole* d = slot<Whole>(warp, inst.dst);
  const uint32_t offsets[] = {inst.a, inst.b, inst.c, inst.d};
  const Part* parts[Count];
  for (int k = 0; k < Count; ++k) parts[k] = slot<Part>(warp, offsets[k]);
  constexpr Part low = Bits == int(sizeof(Part)) * 8 ? Part(-1) : Part((Part(1) << (Bits % 32)) - 1);
  each_lane<Masked>(warp, [&](int lane) {
    Whole whole = 0;
    for (int k = 0; k < Count; ++k) whole |= Whole(parts[k][lane] & low) << (k * Bits);
    d[lane] = whole;
  });
  return Step::next;
}

/// The reverse. A part may lie where the source does, so each lane is read before any of its parts is
/// written.
template <bool Masked, class Whole, class Part, int Count, int Bits>
Step run_unpack(Warp& warp, const Inst& inst) {
  const Whole* a = slot<Whole>(warp, inst.a);
  const uint32_t offsets[] = {inst.dst, inst.b, inst.c, inst.d};
  Part* parts[Count];
  for (int k = 0; k < Count; ++k) parts[k] = slot<Part>(warp, offsets[k]);
  constexpr Part low = Bits == int(sizeof(Part)) * 8 ? Part(-1) : Part((Part(1) << (Bits % 32)) - 1);
  each_lane<Masked>(warp, [&](int lane) {
    const Whole whole = a[lane];
    for (int k = 0; k < Count; ++k) parts[k][lane] = Part(whole >> (k * Bits)) & low;
  });
  return Step::next;
}

template <class Whole, int Count, int Bits>
void use_vector(Inst& inst, bool pack) {
  if (pack) {
    inst.full = &run_pack<false, Whole, uint32_t, Count, Bits>;
    inst.masked = &run_pack<true, Whole, uint32_t, Count, Bits>;
  } else {
    inst.full = &run_unpack<false, Whole, uint32_t, Count, Bits>;
    inst.masked = &run_unpack<true, Whole, uint32_t, Count, Bits>;
  }
}

/// Type of one of `count` parts of a value.
Type part_of(Type type, size_t count) {
  switch (bits_of(type) / int(count)) {
    case 8: return Type::b8;
    case 16: return Type::b16;
    case 32: return Type::b32;
    default: return Type::none;
  }
}

bool decode_vector(const ptx::Instruction& source, Encoder& encoder, Inst& inst, bool pack) {
  const Type type = source.type();
  const auto& parts = source.operands[pack ? 1 : 0].parts;
  const size_t count = parts.size();
  if (count != 2 && count != 4) return false;
  const Type part = part_of(type, count);
  if (bits_of(type) == 64) {
    if (count == 2) {
      use_vector<uint64_t, 2, 32>(inst, pack);
    } else {
      use_vector<uint64_t, 4, 16>(inst, pack);
    }
  } else if (bits_of(type) == 32) {
    if (count == 2) {
      use_vector<uint32_t, 2, 16>(inst, pack);
    } else {
      use_vector<uint32_t, 4, 8>(inst, pack);
    }
  } else if (bits_of(type) == 16 && count == 2) {
    use_vector<uint32_t, 2, 8>(inst, pack);
  } else {
    return false;
  }
  if (pack) {
    uint32_t* const fields[] = {&inst.a, &inst.b, &inst.c, &inst.d};
    for (size_t k = 0; k < count; ++k) *fields[k] = encoder.source(parts[k], part);
    inst.dst = encoder.target(source.operands[0], type);
  } else {
    uint32_t* const fields[] = {&inst.dst, &inst.b, &inst.c, &inst.d};
    inst.a = encoder.source(source.operands[1], type);
    for (size_t k = 0; k < count; ++k) *fields[k] = encoder.target(parts[k], part);
  }
  return true;
}

// Clocks. They count the warp's own instructions (modelled, one a cycle): those of finished basic blocks,
// kept by the run loop, and those since the start of this one.

uint64_t clock_at(Warp& warp, const Inst& inst) {
  const CodeFunction& function = *warp.current().frame->function;
  const size_t index = size_t(&inst - function.instructions.data());
  return warp.clock + index - function.blocks[function.block_of[index]].first;
}

template <class T>
Step run_clock(Warp& warp, const Inst& inst) {
  const T now = T(clock_at(warp, inst) >> inst.flags);
  T* d = slot<T>(warp, inst.dst);
  each_lane<true>(warp, [&](int lane) { d[lane] = now; });
  return Step::next;
}

/// False when the special register does not change during a launch: then it is a slot like any other.
bool decode_clock(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  const std::string_view name = source.operands[1].name;
  const Type type = source.type();
  if (name == "%clock64" || name == "%globaltimer") {
    if (bits_of(type) != 64) return false;
    use_both(inst, &run_clock<uint64_t>);
  } else if (name == "%clock" || name == "%globaltimer_lo" || name == "%clock_hi" ||
             name == "%globaltimer_hi") {
    if (bits_of(type) != 32) return false;
    if (name.ends_with("_hi")) inst.flags = 32;
    use_both(inst, &run_clock<uint32_t>);
  } else {
    return false;
  }
  inst.dst = encoder.target(source.operands[0], type);
  return true;
}

}  // namespace

bool decode_mov(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.operands.size() != 2) return false;
  const Type type = source.type();
  const ptx::Operand& to = source.operands[0];
  const ptx::Operand& from = source.operands[1];
  if (type == Type::pred) {
    inst.a = encoder.source_predicate(from);
    inst.flags = from.negated ? 1 : 0;
    inst.dst = encoder.target_predicate(to);
    use_both(inst, &run_predicate_copy);
    return true;
  }
  if (from.kind == Kind::vector || to.kind == Kind::vector) {
    if (from.kind == to.kind) return false;
    return decode_vector(source, encoder, inst, from.kind == Kind::vector);
  }
  if (from.kind == Kind::special && decode_clock(source, encoder, inst)) return true;
  switch (bits_of(type)) {
    case 16:
    case 32: use_unary<Copy<uint32_t>>(inst); break;
    case 64: use_unary<Copy<uint64_t>>(inst); break;
    default: return false;
  }
  return fill_unary(source, encoder, inst, type);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
