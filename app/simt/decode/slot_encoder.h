#pragma once
// The Encoder that decode functions talk to: operands of one function to offsets in its frame.
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "simt/decode/control_flow.h"
#include "simt/decode/slots.h"
#include "simt/families.h"

namespace warpbook::simt {

/// A constant-offset load of an entry's parameter becomes a `mov` from this operand: bits = byte offset among
/// the parameters, index = bytes read, literal = type as loaded. Only SlotEncoder::source understands it.
inline constexpr const char* parameter_operand = "%param";

/// The shadow of register `index` (ops/shadow), as an operand.
inline constexpr const char* shadow_operand = "%shadow";

/// Bits of an immediate as a value of `type` (PTX ISA 4.5: a decimal or 0d literal is a double until it meets
/// an f32).
uint64_t immediate_bits(const ptx::Operand& operand, ptx::Type type);

class SlotEncoder final : public Encoder {
 public:
  SlotEncoder(Level level, Code& code, CodeFunction& function, const ControlFlow& flow, const Slots& slots);

  Level level() const override { return level_; }
  const ptx::Module& module() const override { return *code_.module; }
  const ptx::Function& function() const override { return *function_.source; }
  uint32_t source(const ptx::Operand& operand, ptx::Type type) override;
  uint32_t target(const ptx::Operand& operand, ptx::Type type) override;
  uint32_t source_predicate(const ptx::Operand& operand) override;
  uint32_t target_predicate(const ptx::Operand& operand) override;
  uint32_t block_of_label(const ptx::Operand& label) override;
  uint32_t next_block() override;
  uint32_t constant(uint64_t bits, ptx::Type type) override {
    return constant(bits, ptx::bits_of(type) > 32);
  }
  uint32_t block_at(uint32_t instruction) override;
  void* room(size_t bytes) override { return code_.rooms.allocate(bytes, 64); }
  void keep(std::shared_ptr<void> data) override { code_.kept.push_back(std::move(data)); }

  /// The block whose instructions are decoded now.
  void enter(uint32_t block) { block_ = block; }
  /// True once since the last call when something could not be encoded; the instruction must not be used
  /// then.
  bool take_failure() { return std::exchange(failed_, false); }
  /// Bytes of the frame so far.
  uint32_t frame_bytes() const { return (end_ + 63) / 64 * 64; }

 private:
  uint32_t new_slot(Pool pool);
  uint32_t add_init(SlotInit init);
  uint32_t constant(uint64_t bits, bool wide);
  uint32_t symbol(const ptx::Operand& operand, bool wide);
  uint32_t special(const ptx::Operand& operand, bool wide);
  uint32_t parameter(const ptx::Operand& operand, bool wide);
  uint32_t scratch(Pool pool);
  uint32_t register_offset(uint32_t index) const;

  Level level_;
  Code& code_;
  CodeFunction& function_;
  const ControlFlow& flow_;
  const Slots& slots_;
  uint32_t block_ = 0;
  uint32_t end_ = 0;
  bool failed_ = false;
  uint32_t scratch_[3] = {0, 0, 0};
  uint32_t carry_ = 0;
  std::unordered_map<uint64_t, uint32_t> narrow_constants_, wide_constants_;
  /// Everything else that is filled when a frame is made, by a text that says what it is.
  std::unordered_map<std::string, uint32_t> named_;
  std::unordered_map<std::string_view, const VariablePlace*> places_;
};

}  // namespace warpbook::simt
