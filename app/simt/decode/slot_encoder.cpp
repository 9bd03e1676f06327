// See slot_encoder.h.
#include "simt/decode/slot_encoder.h"

#include <bit>

namespace warpbook::simt {

uint64_t immediate_bits(const ptx::Operand& operand, ptx::Type type) {
  const uint64_t bits = operand.bits;
  switch (operand.literal) {
    case ptx::Type::f32:
      if (type == ptx::Type::f64)
        return std::bit_cast<uint64_t>(double(std::bit_cast<float>(uint32_t(bits))));
      return bits;
    case ptx::Type::f64:
      if (type == ptx::Type::f32) return std::bit_cast<uint32_t>(float(std::bit_cast<double>(bits)));
      return bits;
    default: {
      const double value = operand.literal == ptx::Type::u64 ? double(bits) : double(int64_t(bits));
      if (type == ptx::Type::f32) return std::bit_cast<uint32_t>(float(value));
      if (type == ptx::Type::f64) return std::bit_cast<uint64_t>(value);
      return bits;
    }
  }
}

SlotEncoder::SlotEncoder(Level level, Code& code, CodeFunction& function, const ControlFlow& flow,
                         const Slots& slots)
    : level_(level), code_(code), function_(function), flow_(flow), slots_(slots), end_(slots.end) {
  // The slot at 0: what unused operands point to.
  SlotInit zero;
  function_.inits.push_back(zero);
  narrow_constants_[0] = 0;
  for (const VariablePlace& place : function_.places) places_.emplace(place.name, &place);
}

uint32_t SlotEncoder::new_slot(Pool pool) {
  const uint32_t bytes = pool == Pool::narrow ? narrow_slot_bytes
                         : pool == Pool::wide ? wide_slot_bytes
                                              : 64;  // keeps the vector slots behind it aligned
  const uint32_t offset = end_;
  end_ += bytes;
  return offset;
}

uint32_t SlotEncoder::add_init(SlotInit init) {
  init.offset = new_slot(init.wide ? Pool::wide : Pool::narrow);
  function_.inits.push_back(std::move(init));
  return function_.inits.back().offset;
}

uint32_t SlotEncoder::constant(uint64_t bits, bool wide) {
  if (!wide) bits &= 0xffffffffu;
  const auto [known, is_new] = (wide ? wide_constants_ : narrow_constants_).try_emplace(bits, 0);
  if (is_new) {
    SlotInit init;
    init.wide = wide;
    init.bits = bits;
    known->second = add_init(std::move(init));
  }
  return known->second;
}

uint32_t SlotEncoder::symbol(const ptx::Operand& operand, bool wide) {
  const std::string key = operand.name + (wide ? "+w" : "+n") + std::to_string(operand.offset);
  const auto [known, is_new] = named_.try_emplace(key, 0);
  if (is_new) {
    SlotInit init;
    init.kind = SlotInit::Kind::symbol;
    init.wide = wide;
    init.name = operand.name;
    init.addend = operand.offset;
    const auto place = places_.find(operand.name);
    if (place != places_.end() && !place->second->among_parameters) {
      init.kind = SlotInit::Kind::local;
      init.bits = place->second->offset;
    }
    known->second = add_init(std::move(init));
  }
  return known->second;
}

uint32_t SlotEncoder::special(const ptx::Operand& operand, bool wide) {
  const auto [known, is_new] = named_.try_emplace(operand.name + (wide ? "w" : "n"), 0);
  if (is_new) {
    SlotInit init;
    init.kind = SlotInit::Kind::special;
    init.wide = wide;
    init.name = operand.name;
    known->second = add_init(std::move(init));
  }
  return known->second;
}

uint32_t SlotEncoder::parameter(const ptx::Operand& operand, bool wide) {
  SlotInit init;
  init.kind = SlotInit::Kind::parameter;
  init.wide = wide;
  init.bits = operand.bits;
  init.bytes = operand.index;
  init.sign_extend = ptx::is_signed(operand.literal);
  const std::string key = std::string(parameter_operand) + std::to_string(init.bits) + "/" +
                          std::to_string(init.bytes) + (init.sign_extend ? "s" : "u") + (wide ? "w" : "n");
  const auto [known, is_new] = named_.try_emplace(key, 0);
  if (is_new) known->second = add_init(std::move(init));
  return known->second;
}

uint32_t SlotEncoder::scratch(Pool pool) {
  uint32_t& offset = scratch_[size_t(pool)];
  if (offset == 0) offset = new_slot(pool);
  return offset;
}

uint32_t SlotEncoder::register_offset(uint32_t index) const {
  return index < slots_.offset.size() ? slots_.offset[index] : 0;
}

uint32_t SlotEncoder::source(const ptx::Operand& operand, ptx::Type type) {
  const bool wide = ptx::bits_of(type) > 32;
  switch (operand.kind) {
    case ptx::Operand::Kind::reg: return register_offset(operand.index);
    case ptx::Operand::Kind::immediate: return constant(immediate_bits(operand, type), wide);
    case ptx::Operand::Kind::special:
      if (operand.name == shadow_operand) return slots_.shadow[operand.index];
      return operand.name == parameter_operand ? parameter(operand, wide) : special(operand, wide);
    case ptx::Operand::Kind::symbol: return symbol(operand, wide);
    case ptx::Operand::Kind::address:
      if (!operand.parts.empty()) return source(operand.parts.front(), type);
      break;
    case ptx::Operand::Kind::none:
    case ptx::Operand::Kind::discard: return constant(0, wide);
    default: break;
  }
  failed_ = true;  // a vector or list where one value is wanted
  return 0;
}

uint32_t SlotEncoder::target(const ptx::Operand& operand, ptx::Type type) {
  const Pool pool = pool_of(type);
  if (operand.kind == ptx::Operand::Kind::discard) return scratch(pool);
  if (operand.kind != ptx::Operand::Kind::reg) {
    failed_ = true;
    return scratch(pool);
  }
  // A 64-bit result in a 32-bit register would write past its slot. The other way round is fine: loads and
  // conversions may fill a register that is wider than the value (PTX ISA 9.4.1); they ask for its width.
  const Pool own =
      operand.index < function().registers.size() ? pool_of(function().registers[operand.index].type) : pool;
  if (own != pool && (own == Pool::predicate || pool == Pool::predicate || pool == Pool::wide)) {
    failed_ = true;
    return scratch(pool);
  }
  const uint32_t offset = register_offset(operand.index);
  return offset ? offset : scratch(own);
}

uint32_t SlotEncoder::source_predicate(const ptx::Operand& operand) {
  switch (operand.kind) {
    case ptx::Operand::Kind::reg: return register_offset(operand.index);
    case ptx::Operand::Kind::immediate: return constant(operand.bits ? ~uint64_t(0) : 0, false);
    case ptx::Operand::Kind::special: return target_predicate(operand);
    default: break;
  }
  failed_ = true;
  return 0;
}

uint32_t SlotEncoder::target_predicate(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::discard) return scratch(Pool::predicate);
  if (operand.kind == ptx::Operand::Kind::special && operand.name == "%cc") {
    if (carry_ == 0) carry_ = new_slot(Pool::predicate);
    return carry_;
  }
  if (operand.kind != ptx::Operand::Kind::reg ||
      (operand.index < function().registers.size() &&
       pool_of(function().registers[operand.index].type) != Pool::predicate)) {
    failed_ = true;
    return scratch(Pool::predicate);
  }
  const uint32_t offset = register_offset(operand.index);
  return offset ? offset : scratch(Pool::predicate);
}

uint32_t SlotEncoder::block_of_label(const ptx::Operand& label) {
  if (label.kind != ptx::Operand::Kind::label) {
    failed_ = true;
    return 0;
  }
  return block_at(label.index);
}

uint32_t SlotEncoder::block_at(uint32_t instruction) {
  const uint32_t block = flow_.destination(block_, instruction);
  if (block == no_block) failed_ = true;
  return block == no_block ? 0 : block;
}

uint32_t SlotEncoder::next_block() {
  const uint32_t next = flow_.blocks[block_].next;
  return next == no_block ? block_ : next;
}

}  // namespace warpbook::simt
