// atom and red (PTX ISA 9.7.13.3, 9.7.13.4): lane by lane, in the order of lanes unless the launch's order is
// another (exec/turns.h). On global memory each is an atomic of the host as well, since blocks run on several
// threads; shared and local memory belong to one thread.
#include <cmath>

#include "simt/exec/turns.h"
#include "simt/ops/all_families.h"
#include "simt/ops/memory_access.h"
#include "simt/ops/rounding.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

// Operations: apply(old, b, c) is what memory holds afterwards. T is what the bits mean.

struct Add {
  template <class T>
  static T apply(T old, T b, T) {
    if constexpr (std::is_integral_v<T>) {
      return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(b));
    } else {
      return canonical(T(old + b));
    }
  }
};
/// f32 on global memory flushes subnormal inputs and results to zero; on shared memory it does not (PTX
/// ISA 9.7.13.3).
struct AddFlushed {
  template <class T>
  static T apply(T old, T b, T) {
    return canonical(flush(flush(old) + flush(b)));
  }
};
/// f16, bf16 and pairs of them: each half is rounded by itself; subnormals stay (.noftz).
template <class F>
struct AddNarrow {
  static uint32_t half(uint32_t a, uint32_t b) {
    return uint32_t(narrowed<F>(sum_to_odd(widened<F>(a), widened<F>(b)), Rounding::nearest));
  }
  template <class T>
  static T apply(T old, T b, T) {
    uint32_t sum = half(old & 0xffff, b & 0xffff);
    if constexpr (sizeof(T) == 4) sum |= half(old >> 16, b >> 16) << 16;
    return T(sum);
  }
};
struct Min {
  template <class T>
  static T apply(T old, T b, T) {
    return b < old ? b : old;
  }
};
struct Max {
  template <class T>
  static T apply(T old, T b, T) {
    return old < b ? b : old;
  }
};
struct Increment {
  template <class T>
  static T apply(T old, T b, T) {
    return old >= b ? T(0) : T(old + 1);
  }
};
struct Decrement {
  template <class T>
  static T apply(T old, T b, T) {
    return old == 0 || old > b ? b : T(old - 1);
  }
};
struct And {
  template <class T>
  static T apply(T old, T b, T) {
    return old & b;
  }
};
struct Or {
  template <class T>
  static T apply(T old, T b, T) {
    return old | b;
  }
};
struct Xor {
  template <class T>
  static T apply(T old, T b, T) {
    return old ^ b;
  }
};
struct Exchange {
  template <class T>
  static T apply(T, T b, T) {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  static T apply(T old, T b, T c) {
    return old == b ? c : old;
  }
};

template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 8, uint64_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>>;

/// One lane on memory that other threads may reach; true when memory changed.
template <class T, class Op>
bool update_global(std::byte* at, T b, T c, T& old) {
  using Bits = BitsOf<T>;
  Bits* word = reinterpret_cast<Bits*>(at);
  Bits before = __atomic_load_n(word, __ATOMIC_ACQUIRE);
  while (true) {
    const Bits after = __builtin_bit_cast(Bits, Op::template apply<T>(__builtin_bit_cast(T, before), b, c));
    if (__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      old = __builtin_bit_cast(T, before);
      return after != before;
    }
  }
}

template <class T, class Op>
bool update_own(std::byte* at, bool local, T b, T c, T& old) {
  using Bits = BitsOf<T>;
  const Bits before = local ? read_local<Bits>(at) : read_component<Bits>(at, false);
  old = __builtin_bit_cast(T, before);
  const Bits after = __builtin_bit_cast(Bits, Op::template apply<T>(old, b, c));
  if (local) {
    write_local<Bits>(at, after);
  } else {
    write_component<Bits>(at, after, false);
  }
  return after != before;
}

/// A slot's element: 16-bit values lie in 32-bit slots.
template <class T>
using SlotElement = std::conditional_t<sizeof(T) == 2, uint32_t, BitsOf<T>>;
template <class T>
WARPBOOK_INLINE T value_in(Warp& warp, uint32_t offset, int lane) {
  return __builtin_bit_cast(T, BitsOf<T>(slot<SlotElement<T>>(warp, offset)[lane]));
}

template <bool Counted, class T, class Op>
Step atomic(Warp& warp, const Inst& inst) {
  const Shape& shape = shape_of(inst);
  Lanes at;
  const Pattern pattern = gather_and_classify<true>(warp, inst, shape, __builtin_ctz(warp.mask), at);
  const SiteCache& cache = warp.worker->memory->caches[inst.site];
  Places places;
  const bool known = !cache.read_only && inside<true>(warp, shape, at, cache);
  if (!known && !locate(warp, access_of(warp, inst, shape, at), places)) return Step::fault;
  if constexpr (Counted) {
    account(warp, access_of(warp, inst, shape, at), known ? &cache : nullptr, pattern, shape.level);
  }
  std::byte* host = known ? host_of(warp, cache) : nullptr;
  bool changed = false;
  each_lane_in_turn(warp, [&](int lane) {
    const T b = value_in<T>(warp, inst.b, lane), c = value_in<T>(warp, inst.c, lane);
    std::byte* word = known ? host + (at.address[lane] - cache.base) : places.host[size_t(lane)];
    T old;
    if (at.address[lane] < shared_window) {
      changed |= update_global<T, Op>(word, b, c, old);
    } else if constexpr (std::is_same_v<Op, AddFlushed>) {
      changed |= update_own<T, Add>(word, places.local_lanes >> lane & 1, b, c, old);
    } else {
      changed |= update_own<T, Op>(word, places.local_lanes >> lane & 1, b, c, old);
    }
    if (inst.flags) slot<SlotElement<T>>(warp, inst.dst)[lane] = __builtin_bit_cast(BitsOf<T>, old);
  });
  // A compare-and-swap that failed is no progress: a spin on it must be seen as one.
  if (changed) ++warp.block->touched;
  return Step::next;
}

/// .v2, .v4, .v8: each element is an atomic of its own (PTX ISA 9.7.13.3).
struct VectorShape : Shape {
  uint32_t result[most_components] = {};
};

template <bool Counted, class T, class Op>
Step atomic_vector(Warp& warp, const Inst& inst) {
  const VectorShape& shape = static_cast<const VectorShape&>(shape_of(inst));
  Lanes at;
  gather_addresses(warp, inst, shape, at);
  const Access access = access_of(warp, inst, shape, at);
  Places places;
  if (!locate(warp, access, places)) return Step::fault;
  if constexpr (Counted) account(warp, access, nullptr, Pattern::scattered, shape.level);
  bool changed = false;
  each_lane_in_turn(warp, [&](int lane) {
    for (uint32_t k = 0; k < shape.components; ++k) {
      const T b = value_in<T>(warp, shape.slot[k], lane);
      T old;
      changed |= update_global<T, Op>(places.host[size_t(lane)] + k * sizeof(T), b, b, old);
      if (inst.flags) slot<SlotElement<T>>(warp, shape.result[k])[lane] = __builtin_bit_cast(BitsOf<T>, old);
    }
  });
  if (changed) ++warp.block->touched;
  return Step::next;
}

template <class T, class Op>
Handler vector_handler_of(Level level) {
  return level == Level::run ? &atomic_vector<false, T, Op> : &atomic_vector<true, T, Op>;
}

template <class T, class Op>
Handler handler_of(Level level) {
  return level == Level::run ? &atomic<false, T, Op> : &atomic<true, T, Op>;
}

Handler choose(const ptx::Instruction& source, ptx::Type type, Level level) {
  using ptx::Type;
  const int bits = ptx::bits_of(type);
  const bool number = type != Type::f32 && type != Type::f64 && (bits == 32 || bits == 64) &&
                      type != Type::f16x2 && type != Type::bf16x2;
  if (source.has("add")) {
    switch (type) {
      case Type::u32:
      case Type::s32: return handler_of<uint32_t, Add>(level);
      case Type::u64:
      case Type::s64: return handler_of<uint64_t, Add>(level);
      case Type::f32: return handler_of<float, AddFlushed>(level);
      case Type::f64: return handler_of<double, Add>(level);
      case Type::f16: return handler_of<uint16_t, AddNarrow<Half>>(level);
      case Type::f16x2: return handler_of<uint32_t, AddNarrow<Half>>(level);
      case Type::bf16: return handler_of<uint16_t, AddNarrow<Brain>>(level);
      case Type::bf16x2: return handler_of<uint32_t, AddNarrow<Brain>>(level);
      default: return nullptr;
    }
  }
  if (source.has("min") || source.has("max")) {
    const bool least = source.has("min");
    switch (type) {
      case Type::u32: return least ? handler_of<uint32_t, Min>(level) : handler_of<uint32_t, Max>(level);
      case Type::s32: return least ? handler_of<int32_t, Min>(level) : handler_of<int32_t, Max>(level);
      case Type::u64: return least ? handler_of<uint64_t, Min>(level) : handler_of<uint64_t, Max>(level);
      case Type::s64: return least ? handler_of<int64_t, Min>(level) : handler_of<int64_t, Max>(level);
      default: return nullptr;
    }
  }
  if (source.has("inc")) return type == Type::u32 ? handler_of<uint32_t, Increment>(level) : nullptr;
  if (source.has("dec")) return type == Type::u32 ? handler_of<uint32_t, Decrement>(level) : nullptr;
  if (source.has("cas") && type == Type::b16) return handler_of<uint16_t, CompareAndSwap>(level);
  if (!number) return nullptr;
  const auto by_width = [&]<class Op>(Op) {
    return bits == 32 ? handler_of<uint32_t, Op>(level) : handler_of<uint64_t, Op>(level);
  };
  if (source.has("and")) return by_width(And{});
  if (source.has("or")) return by_width(Or{});
  if (source.has("xor")) return by_width(Xor{});
  if (source.has("exch")) return by_width(Exchange{});
  if (source.has("cas")) return by_width(CompareAndSwap{});
  return nullptr;
}

bool decode_vector(const ptx::Instruction& source, Encoder& encoder, Inst& inst, bool result) {
  using ptx::Type;
  const size_t first = result ? 1 : 0;
  const Type type = source.type();
  const Level level = encoder.level();
  if (!source.has("add") || !source.has("global") || source.operands.size() != first + 2) return false;
  switch (type) {
    case Type::f32: inst.full = vector_handler_of<float, AddFlushed>(level); break;
    case Type::f16: inst.full = vector_handler_of<uint16_t, AddNarrow<Half>>(level); break;
    case Type::f16x2: inst.full = vector_handler_of<uint32_t, AddNarrow<Half>>(level); break;
    case Type::bf16: inst.full = vector_handler_of<uint16_t, AddNarrow<Brain>>(level); break;
    case Type::bf16x2: inst.full = vector_handler_of<uint32_t, AddNarrow<Brain>>(level); break;
    default: return false;
  }
  inst.masked = inst.full;
  const ptx::Operand& values = source.operands[first + 1];
  const size_t count = values.parts.size();
  if (count < 2 || count > most_components || (count & (count - 1)) != 0) return false;
  if (result && source.operands[0].parts.size() != count) return false;
  auto* shape = make_kept<VectorShape>(encoder);
  shape->kind = AccessKind::atomic;
  shape->level = level;
  shape->space = ptx::Space::global;
  shape->ordering = ordering_of(source);
  if (!fill_address(source.operands[first], encoder, *shape, inst.a)) return false;
  finish_shape(*shape, type, uint32_t(count));
  for (size_t k = 0; k < count; ++k) {
    shape->slot[k] = encoder.source(values.parts[k], type);
    if (result) shape->result[k] = encoder.target(source.operands[0].parts[k], type);
  }
  inst.flags = result ? 1 : 0;
  inst.imm = reinterpret_cast<uint64_t>(static_cast<Shape*>(shape));
  return true;
}

bool decode_atomic(const ptx::Instruction& source, Encoder& encoder, Inst& inst, bool result) {
  const size_t first = result ? 1 : 0;  // the address' place among the operands
  const ptx::Type type = source.type();
  for (const auto& operand : source.operands) {
    if (operand.kind == ptx::Operand::Kind::vector) return decode_vector(source, encoder, inst, result);
  }
  const Handler handler = choose(source, type, encoder.level());
  const size_t values = source.has("cas") ? 2 : 1;
  if (!handler || source.operands.size() < first + 1 + values) return false;
  auto* shape = make_kept<Shape>(encoder);
  shape->kind = AccessKind::atomic;
  shape->level = encoder.level();
  shape->space = space_of(source);
  shape->ordering = ordering_of(source);
  if (!fill_address(source.operands[first], encoder, *shape, inst.a)) return false;
  finish_shape(*shape, type, 1);
  inst.b = encoder.source(source.operands[first + 1], type);
  inst.c = values == 2 ? encoder.source(source.operands[first + 2], type) : inst.b;
  inst.flags = result ? 1 : 0;
  if (result) inst.dst = encoder.target(source.operands[0], type);
  inst.full = inst.masked = handler;
  inst.imm = reinterpret_cast<uint64_t>(static_cast<Shape*>(shape));
  return true;
}

}  // namespace

bool decode_atom(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  return decode_atomic(source, encoder, inst, true);
}
bool decode_red(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  if (source.has("async")) return false;  // red.async works with a barrier object
  return decode_atomic(source, encoder, inst, false);
}

}  // namespace warpbook::simt::WARPBOOK_ISA
