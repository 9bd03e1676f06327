// See decode_function.h.
#include "simt/decode/decode_function.h"

#include <algorithm>

#include "simt/decode/communication.h"
#include "simt/decode/control_flow.h"
#include "simt/decode/liveness.h"
#include "simt/decode/place_variables.h"
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
  FunctionDecoder(Code& code, CodeFunction& out, Level level, std::span<const Family> table)
      : code_(code), out_(out), source_(*out.source), level_(level), table_(table) {}

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
    const Slots slots = assign_slots(source_.registers, live);
    out_.narrow_slots = slots.narrow;
    out_.wide_slots = slots.wide;
    out_.predicate_slots = slots.predicates;
    out_.live_across_calls_bytes = live.live_across_calls_bytes;

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
  const Family* jump_ = nullptr;
  const Family* return_ = nullptr;
};

}  // namespace

void decode_function(Code& code, CodeFunction& out, Level level, std::span<const Family> families) {
  FunctionDecoder(code, out, level, families).run();
}

}  // namespace warpbook::simt
