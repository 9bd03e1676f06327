// See decode_function.h.
#include "simt/decode/decode_function.h"

#include <algorithm>
#include <optional>

#include "simt/decode/address_origin.h"
#include "simt/decode/communication.h"
#include "simt/decode/control_flow.h"
#include "simt/decode/liveness.h"
#include "simt/decode/place_variables.h"
#include "simt/decode/register_use.h"
#include "simt/decode/slot_encoder.h"
#include "simt/decode/slots.h"

namespace warpbook::simt {
namespace {

const Family* find_family(std::span<const Family> families, std::string_view opcode) {
  const auto found = std::lower_bound(families.begin(), families.end(), opcode,
                                      [](const Family& f, std::string_view name) { return f.opcode < name; });
  return found != families.end() && found->opcode == opcode ? &*found : nullptr;
}

/// `ld.param` of an entry's parameter at a constant place, as a `mov` from a slot that the launch fills.
class ParameterFolder {
 public:
  explicit ParameterFolder(const CodeFunction& function) : function_(function) {
    for (const VariablePlace& place : function.places) {
      if (place.among_parameters) places_.emplace(place.name, &place);
    }
  }
  bool fold(const ptx::Instruction& load, ptx::Instruction& move) const {
    if (places_.empty() || load.opcode != "ld" || load.malformed || !load.has("param")) return false;
    if (load.operands.size() != 2 || load.operands[0].kind != ptx::Operand::Kind::reg) return false;
    const ptx::Operand& address = load.operands[1];
    if (address.kind != ptx::Operand::Kind::address || address.parts.size() != 1 ||
        address.parts[0].kind != ptx::Operand::Kind::symbol) {
      return false;
    }
    const auto place = places_.find(address.parts[0].name);
    const ptx::Type type = load.type();
    const int64_t bytes = ptx::bits_of(type) / 8;
    if (place == places_.end() || bytes == 0 || bytes > 8 || address.offset < 0 ||
        address.offset + bytes > int64_t(place->second->bytes) || address.offset % bytes != 0) {
      return false;
    }
    const ptx::Type to = function_.source->registers[load.operands[0].index].type;
    if (to == ptx::Type::pred || ptx::bits_of(to) < bytes * 8 || ptx::bits_of(to) > 64) return false;
    move.opcode = "mov";
    move.modifiers = {ptx::bits_of(to) > 32 ? "b64" : "b32"};
    move.operands = {load.operands[0], ptx::Operand{}};
    move.guard = load.guard;
    move.guard_negated = load.guard_negated;
    move.point = load.point;
    move.ptx_line = load.ptx_line;
    ptx::Operand& value = move.operands[1];
    value.kind = ptx::Operand::Kind::special;
    value.name = parameter_operand;
    value.bits = place->second->offset + uint64_t(address.offset);
    value.index = uint32_t(bytes);
    value.literal = type;
    return true;
  }

 private:
  const CodeFunction& function_;
  std::unordered_map<std::string_view, const VariablePlace*> places_;
};

class FunctionDecoder {
 public:
  FunctionDecoder(Code& code, CodeFunction& out, Level level, std::span<const Family> table,
                  const UnwrittenValues* values, const LocalObjects& objects)
      : code_(code), out_(out), source_(*out.source), level_(level), table_(table), values_(values) {
    const auto& functions = code.module->functions;
    index_ = uint32_t(&source_ - functions.data());
    if (!values_) return;
    followed_ = values_->functions[index_].followed;
    if (const auto found = objects.find(out.name); found != objects.end()) {
      objects_ = &found->second;
      origins_.emplace(source_);
    }
  }

  void run() {
    place_variables(out_);
    std::vector<const Family*> families(source_.body.size(), nullptr);
    std::vector<uint8_t> terminators(source_.body.size(), 0);
    std::unordered_map<std::string_view, const Family*> known;  // few opcodes, many instructions
    for (size_t i = 0; i < source_.body.size(); ++i) {
      const ptx::Instruction& instruction = source_.body[i];
      const auto [entry, is_new] = known.try_emplace(instruction.opcode, nullptr);
      if (is_new) entry->second = find_family(table_, instruction.opcode);
      families[i] = instruction.malformed ? nullptr : entry->second;
      terminators[i] = families[i] && families[i]->terminator;
    }
    const ControlFlow flow = control_flow(source_, terminators);
    const Liveness live = liveness(source_, flow, families);
    Slots slots = assign_slots(source_.registers, live, code_.module->debug && level_ == Level::check);
    out_.register_slots = slots.offset;
    if (values_) add_shadows(slots, source_.registers, followed_);
    out_.narrow_slots = slots.narrow;
    out_.wide_slots = slots.wide;
    out_.predicate_slots = slots.predicates;
    out_.live_across_calls_bytes = live.live_across_calls_bytes;
    for (const uint32_t r : live.at_entry) {
      static constexpr uint32_t bytes[] = {narrow_slot_bytes, wide_slot_bytes, predicate_slot_bytes};
      out_.zeroed.emplace_back(slots.offset[r], bytes[size_t(pool_of(source_.registers[r].type))]);
    }

    SlotEncoder encoder(level_, code_, out_, flow, slots);
    const ParameterFolder parameters(out_);
    jump_ = find_family(table_, "bra");
    return_ = find_family(table_, "ret");
    out_.instructions.reserve(source_.body.size() + flow.blocks.size());
    for (uint32_t b = 0; b < flow.blocks.size(); ++b) {
      const FlowBlock& from = flow.blocks[b];
      BasicBlock& block = out_.blocks.emplace_back();
      block.first = uint32_t(out_.instructions.size());
      encoder.enter(b);
      for (uint32_t i = from.first; i < from.last; ++i) {
        const ptx::Instruction& instruction = source_.body[i];
        // Which operands an unknown instruction writes is not known, and it faults before it uses any.
        if (values_ && families[i] && !instruction.malformed)
          look_before(instruction, families[i], slots, i, encoder);
        ptx::Instruction move;
        Inst inst;
        bool done = false;
        if (parameters.fold(instruction, move)) {
          if (const Family* mov = find_family(table_, "mov")) done = encode(move, mov, encoder, inst);
        }
        if (!done) done = encode(instruction, families[i], encoder, inst);
        if (!done) make_unsupported(inst);
        add(inst, instruction, i, encoder);
        note_communication(instruction, live);
        if (values_ && !instruction.malformed && !terminators[i]) {
          note_after(instruction, families[i], slots, i, encoder);
        }
      }
      block.counted = uint32_t(out_.instructions.size()) - block.first;
      if (from.needs_jump || from.needs_return) add_synthetic(from, encoder);
      block.count = uint32_t(out_.instructions.size()) - block.first;
      out_.block_of.resize(out_.instructions.size(), b);
    }
    out_.frame_bytes = encoder.frame_bytes();
  }

 private:
  bool encode(const ptx::Instruction& instruction, const Family* family, SlotEncoder& encoder, Inst& inst) {
    inst = Inst{};
    if (!family) return false;
    const bool done = family->decode(instruction, encoder, inst);
    return !encoder.take_failure() && done && inst.full && inst.masked;
  }

  static ptx::Operand shadow_of(uint32_t register_index) {
    ptx::Operand operand;
    operand.kind = ptx::Operand::Kind::special;
    operand.name = shadow_operand;
    operand.index = register_index;
    return operand;
  }

  /// An instruction of ops/shadow beside `about`: under the same guard, at the same place.
  void add_shadow(const ptx::Instruction& about, uint32_t index, const char* what,
                  std::vector<ptx::Operand> operands, SlotEncoder& encoder) {
    ptx::Instruction added;
    added.opcode = "%shadow";
    added.modifiers.push_back(what);
    added.modifiers.insert(added.modifiers.end(), about.modifiers.begin(), about.modifiers.end());
    added.operands = std::move(operands);
    added.point = about.point;
    added.ptx_line = about.ptx_line;
    // A branch's guard is looked at for all lanes.
    const Family* family = find_family(table_, about.opcode);
    if (!family || !family->terminator) {
      added.guard = about.guard;
      added.guard_negated = about.guard_negated;
    }
    Inst inst;
    if (encode(added, find_family(table_, added.opcode), encoder, inst)) {
      add(inst, added, index, encoder);
      code_.sites.back().synthetic = true;
    }
  }

  bool is_followed(const ptx::Operand& operand, const Slots& slots) const {
    return operand.kind == ptx::Operand::Kind::reg && slots.shadow[operand.index] != 0;
  }
  bool is_select(const ptx::Instruction& instruction) const {
    return instruction.opcode == "selp" && instruction.operands.size() == 4;
  }
  /// See UnwrittenValues::OfFunction::merged.
  bool is_merge(const ptx::Instruction& instruction) const {
    return (instruction.opcode == "and" || instruction.opcode == "or") && instruction.operands.size() == 3 &&
           instruction.operands[0].kind == ptx::Operand::Kind::reg &&
           values_->functions[index_].merged[instruction.operands[0].index] != 0;
  }
  void check_bits(const ptx::Instruction& instruction, uint32_t index, uint32_t r, uint64_t bits,
                  SlotEncoder& encoder) {
    ptx::Operand mask;
    mask.kind = ptx::Operand::Kind::immediate;
    mask.bits = bits;
    add_shadow(instruction, index, "check", {shadow_of(r), mask}, encoder);
  }
  static bool is_memory(const ptx::Instruction& instruction, const char* opcode) {
    return instruction.opcode == opcode && instruction.operands.size() == 2;
  }

  /// The smallest array that an address was computed from, when an index was added to its start.
  const LocalObject* object_of(const ptx::Instruction& instruction, const ptx::Operand*& address) const {
    if (!objects_) return nullptr;
    for (const ptx::Operand& operand : instruction.operands) {
      if (operand.kind == ptx::Operand::Kind::address) address = &operand;
    }
    if (!address) return nullptr;
    const auto origin = origins_->of_address(*address);
    if (!origin || !origin->indexed) return nullptr;
    const LocalObject* found = nullptr;
    for (const LocalObject& object : *objects_) {
      const bool holds =
          origin->constant >= object.offset && origin->constant < int64_t(object.offset) + object.bytes;
      // Of variables that share bytes in scopes of their own the largest: rather silent than wrong.
      const bool inner = found && object.offset >= found->offset &&
                         object.offset + object.bytes <= found->offset + found->bytes &&
                         object.name.rfind(found->name + ".", 0) == 0;
      const bool larger =
          found && object.bytes > found->bytes && found->name.rfind(object.name + ".", 0) != 0;
      if (holds && (!found || inner || larger)) found = &object;
    }
    return found;
  }

  void keep_within(const ptx::Instruction& instruction, uint32_t index, SlotEncoder& encoder) {
    const ptx::Operand* address = nullptr;
    const LocalObject* object = object_of(instruction, address);
    if (!object) return;
    uint32_t depot = 0;
    for (const VariablePlace& place : out_.places) {
      if (place.variable && place.variable->space == ptx::Space::local) depot = place.offset;
    }
    ptx::Operand bounds;  // bits: first byte from the activation's local memory on, index: bytes
    bounds.kind = ptx::Operand::Kind::special;
    bounds.bits = depot + object->offset;
    bounds.index = object->bytes;
    bounds.name = object->name;
    ptx::Instruction about = instruction;
    if (is_memory(instruction, "st")) about.modifiers.push_back("write");
    add_shadow(about, index, "within", {bounds, *address}, encoder);
  }

  /// Before an instruction: what it uses must have been written; what it loads takes its shadow along.
  void look_before(const ptx::Instruction& instruction, const Family* family, const Slots& slots,
                   uint32_t index, SlotEncoder& encoder) {
    const auto& operands = instruction.operands;
    if (is_memory(instruction, "ld") || is_memory(instruction, "st"))
      keep_within(instruction, index, encoder);
    if (instruction.guard >= 0 && slots.shadow[size_t(instruction.guard)] != 0) {
      ptx::Instruction unguarded = instruction;
      unguarded.guard = -1;
      check_bits(unguarded, index, uint32_t(instruction.guard), ~uint64_t(0), encoder);
    }
    const bool copies = is_copy(source_, instruction);
    const bool selects = is_select(instruction);
    const bool stores = is_memory(instruction, "st");
    const bool merges = is_merge(instruction);
    std::vector<uint32_t> seen;
    const int written = written_operands(instruction, family);
    for (size_t k = size_t(std::max(written, 0)); k < operands.size(); ++k) {
      if (copies || merges || (selects && k < 3) || (stores && k == 1)) continue;
      visit_registers(operands[k], false, [&](uint32_t r, bool) {
        if (slots.shadow[r] == 0 || std::find(seen.begin(), seen.end(), r) != seen.end()) return;
        seen.push_back(r);
        check_bits(instruction, index, r, bits_used(instruction, k), encoder);
      });
    }
    for (int k = 0; k < written; ++k) {  // an address that is written to is read as such
      if (operands[size_t(k)].kind != ptx::Operand::Kind::address) continue;
      visit_registers(operands[size_t(k)], false, [&](uint32_t r, bool) {
        if (slots.shadow[r] != 0) check_bits(instruction, index, r, ~uint64_t(0), encoder);
      });
    }
    const auto side = [&](const ptx::Operand& from) {
      if (is_followed(from, slots)) return shadow_of(from.index);
      ptx::Operand always;
      always.kind = ptx::Operand::Kind::immediate;
      return always;
    };
    if (merges && is_followed(operands[0], slots)) {
      if (instruction.opcode == "or") {
        add_shadow(instruction, index, "both",
                   {shadow_of(operands[0].index), side(operands[1]), side(operands[2])}, encoder);
      } else if (is_followed(operands[1], slots)) {
        add_shadow(instruction, index, "mask",
                   {shadow_of(operands[0].index), shadow_of(operands[1].index), operands[2]}, encoder);
      } else {
        add_shadow(instruction, index, "set", {shadow_of(operands[0].index)}, encoder);
      }
    } else if (copies && is_followed(operands[0], slots)) {
      if (is_followed(operands[1], slots)) {
        add_shadow(instruction, index, "copy", {shadow_of(operands[0].index), shadow_of(operands[1].index)},
                   encoder);
      } else {
        add_shadow(instruction, index, "set", {shadow_of(operands[0].index)}, encoder);
      }
    } else if (selects && is_followed(operands[0], slots)) {
      add_shadow(instruction, index, "select",
                 {shadow_of(operands[0].index), side(operands[1]), side(operands[2]), operands[3]}, encoder);
    } else if (is_memory(instruction, "ld") && values_->loads_unwritten(source_, index_, instruction)) {
      each_component(instruction, operands[0], operands[1], slots, index, "load", encoder);
    }
  }

  /// Behind it: what it wrote is written.
  void note_after(const ptx::Instruction& instruction, const Family* family, const Slots& slots,
                  uint32_t index, SlotEncoder& encoder) {
    const auto& operands = instruction.operands;
    if (is_memory(instruction, "st")) {
      each_component(instruction, operands[1], operands[0], slots, index, "store", encoder);
      return;
    }
    if (is_copy(source_, instruction) || is_select(instruction) || is_merge(instruction)) return;
    if (is_memory(instruction, "ld") && values_->loads_unwritten(source_, index_, instruction)) return;
    const int written = written_operands(instruction, family);
    for (int k = 0; k < written; ++k) {
      visit_registers(operands[size_t(k)], true, [&](uint32_t r, bool is_written) {
        if (is_written && slots.shadow[r] != 0)
          add_shadow(instruction, index, "set", {shadow_of(r)}, encoder);
      });
    }
  }

  /// One shadow access a component of a vector.
  void each_component(const ptx::Instruction& instruction, const ptx::Operand& value,
                      const ptx::Operand& address, const Slots& slots, uint32_t index, const char* what,
                      SlotEncoder& encoder) {
    const bool vector = value.kind == ptx::Operand::Kind::vector;
    const size_t count = vector ? value.parts.size() : 1;
    for (size_t k = 0; k < count; ++k) {
      const ptx::Operand& part = vector ? value.parts[k] : value;
      if (!is_followed(part, slots)) continue;
      ptx::Operand at = address;
      at.offset += int64_t(k) * ptx::bits_of(instruction.type()) / 8;
      add_shadow(instruction, index, what, {shadow_of(part.index), at}, encoder);
    }
  }

  static void make_unsupported(Inst& inst) {
    inst = Inst{};
    inst.full = inst.masked = unsupported_instruction;
  }

  void add(Inst& inst, const ptx::Instruction& instruction, uint32_t index, SlotEncoder& encoder) {
    if (instruction.guard >= 0) {
      ptx::Operand guard;
      guard.kind = ptx::Operand::Kind::reg;
      guard.index = uint32_t(instruction.guard);
      inst.guard = encoder.source_predicate(guard);
      inst.guard_negated = instruction.guard_negated;
      // A guard that nothing known ever sets: the slot that stays zero would read as "unguarded".
      if (inst.guard == 0) inst.guard = encoder.target_predicate(guard);
    }
    inst.site = uint32_t(code_.sites.size());
    code_.sites.push_back(
        {instruction.full_name(), instruction.point, instruction.ptx_line, out_.index, false});
    out_.instructions.push_back(inst);
    out_.source_index.push_back(index);
  }

  void add_synthetic(const FlowBlock& from, SlotEncoder& encoder) {
    ptx::Instruction added;
    const Family* family = return_;
    added.opcode = "ret";
    if (from.needs_jump) {
      family = jump_;
      added.opcode = "bra";
      added.modifiers = {"uni"};
      ptx::Operand& label = added.operands.emplace_back();
      label.kind = ptx::Operand::Kind::label;
      label.index = from.first == from.last ? from.first : from.last;  // a latch jumps to its loop's header
    }
    if (!out_.source_index.empty() && out_.source_index.back() != ~0u) {
      const ptx::Instruction& before = source_.body[out_.source_index.back()];
      added.point = before.point;
      added.ptx_line = before.ptx_line;
    }
    Inst inst;
    if (!encode(added, family, encoder, inst)) make_unsupported(inst);
    inst.site = uint32_t(code_.sites.size());
    code_.sites.push_back({added.full_name(), added.point, added.ptx_line, out_.index, true});
    out_.instructions.push_back(inst);
    out_.source_index.push_back(~0u);
  }

  void note_communication(const ptx::Instruction& instruction, const Liveness& live) {
    if (out_.blocks_may_communicate) return;
    const bool has_result =
        !instruction.operands.empty() && instruction.operands[0].kind == ptx::Operand::Kind::reg;
    const bool read = has_result && live.read[instruction.operands[0].index];
    out_.blocks_may_communicate = shows_block_order(instruction, read);
  }

  Code& code_;
  CodeFunction& out_;
  const ptx::Function& source_;
  Level level_;
  std::span<const Family> table_;
  const UnwrittenValues* values_;
  uint32_t index_ = 0;  ///< of the function in the module
  std::vector<uint8_t> followed_;
  const std::vector<LocalObject>* objects_ = nullptr;
  std::optional<AddressOrigins> origins_;
  const Family* jump_ = nullptr;
  const Family* return_ = nullptr;
};

}  // namespace

void decode_function(Code& code, CodeFunction& out, Level level, std::span<const Family> families,
                     const UnwrittenValues* values, const LocalObjects& objects) {
  FunctionDecoder(code, out, level, families, values, objects).run();
}

}  // namespace warpbook::simt
