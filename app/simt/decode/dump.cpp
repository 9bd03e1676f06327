// See dump.h.
#include "simt/decode/dump.h"

#include <fmt/format.h>

#include <map>

#include "simt/decode/slots.h"

namespace warpbook::simt {
namespace {

std::string name_of(const SlotInit& init) {
  switch (init.kind) {
    case SlotInit::Kind::constant: return fmt::format("={:#x}", init.bits);
    case SlotInit::Kind::parameter: return fmt::format("param+{}:{}", init.bits, init.bytes);
    case SlotInit::Kind::special: return init.name;
    case SlotInit::Kind::symbol: return fmt::format("&{}+{}", init.name, init.addend);
    case SlotInit::Kind::local: return fmt::format("local+{}", int64_t(init.bits) + init.addend);
  }
  return "?";
}

}  // namespace

std::string dump(const CodeFunction& function) {
  std::map<uint32_t, std::string> names;
  for (const SlotInit& init : function.inits) names[init.offset] = name_of(init);
  const uint32_t wide_at = narrow_slot_bytes * (1 + function.narrow_slots);
  const uint32_t predicates_at = wide_at + wide_slot_bytes * function.wide_slots;
  const uint32_t end = predicates_at + predicate_slot_bytes * function.predicate_slots;
  auto operand = [&](uint32_t offset) {
    if (const auto known = names.find(offset); known != names.end()) return known->second;
    if (offset >= end) return fmt::format("@{}", offset);  // scratch: results that nobody reads
    if (offset >= predicates_at) return fmt::format("p{}", (offset - predicates_at) / predicate_slot_bytes);
    if (offset >= wide_at) return fmt::format("w{}", (offset - wide_at) / wide_slot_bytes);
    return fmt::format("n{}", offset / narrow_slot_bytes - 1);
  };
  std::string text = fmt::format("{}: {} bytes a frame, {} local\n", function.name, function.frame_bytes,
                                 function.local_bytes);
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    const BasicBlock& block = function.blocks[b];
    text += fmt::format("block {}\n", b);
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      const Inst& inst = function.instructions[i];
      const uint32_t at = function.source_index[i];
      text += "  ";
      if (inst.guard) text += fmt::format("if {}{}: ", inst.guard_negated ? "!" : "", operand(inst.guard));
      text += at == ~0u ? "(jump)" : function.source->body[at].full_name();
      for (const uint32_t o : {inst.dst, inst.a, inst.b, inst.c, inst.d, inst.e}) {
        text += ' ';
        text += o ? operand(o) : "-";
      }
      text +=
          fmt::format(" imm={:#x}{}\n", inst.imm, inst.full == unsupported_instruction ? " unsupported" : "");
    }
  }
  return text;
}

}  // namespace warpbook::simt
