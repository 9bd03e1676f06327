#pragma once
// A small instruction table for tests of decode itself: handlers do nothing, operands are encoded in order.
#include <string>
#include <vector>

#include "simt/code.h"
#include "simt/decode/dump.h"
#include "simt/families.h"
#include "simt/module.h"

namespace warpbook::simt::test {

inline Step do_nothing(Warp&, const Inst&) { return Step::next; }

/// Fills dst, a, b, c, d, e from the operands in order (vectors and pairs part by part); bra: imm = its
/// target.
inline bool decode_plainly(const ptx::Instruction& source, Encoder& encoder, Inst& inst) {
  inst.full = inst.masked = do_nothing;
  std::vector<uint32_t> offsets;
  auto add = [&](auto&& self, const ptx::Operand& operand) -> void {
    using Kind = ptx::Operand::Kind;
    if (operand.kind == Kind::vector || operand.kind == Kind::pair || operand.kind == Kind::list) {
      for (const auto& part : operand.parts) self(self, part);
    } else if (operand.kind == Kind::label) {
      inst.imm = encoder.block_of_label(operand);
    } else if (operand.kind == Kind::address) {
      inst.imm = uint64_t(operand.offset);
      offsets.push_back(encoder.source(operand.parts.front(), ptx::Type::u64));
    } else if (operand.kind == Kind::reg &&
               encoder.function().registers[operand.index].type == ptx::Type::pred) {
      offsets.push_back(encoder.source_predicate(operand));
    } else if (operand.kind != Kind::discard) {
      offsets.push_back(encoder.source(operand, source.type()));
    }
  };
  for (const auto& operand : source.operands) add(add, operand);
  offsets.resize(6);
  inst.dst = offsets[0], inst.a = offsets[1], inst.b = offsets[2];
  inst.c = offsets[3], inst.d = offsets[4], inst.e = offsets[5];
  return true;
}

inline std::span<const Family> small_table() {
  static constexpr Family rows[] = {
      {"add", decode_plainly, 1, false, ""},  {"atom", decode_plainly, 1, false, ""},
      {"bra", decode_plainly, 0, true, ""},   {"call", decode_plainly, 0, true, ""},
      {"exit", decode_plainly, 0, true, ""},  {"ld", decode_plainly, 1, false, ""},
      {"mov", decode_plainly, 1, false, ""},  {"red", decode_plainly, 0, false, ""},
      {"ret", decode_plainly, 0, true, ""},   {"selp", decode_plainly, 1, false, ""},
      {"setp", decode_plainly, 1, false, ""}, {"st", decode_plainly, 0, false, ""},
  };
  return rows;
}

inline std::shared_ptr<const ptx::Module> parsed(const std::string& text) {
  auto module = ptx::parse(text);
  if (!module) return nullptr;
  return std::make_shared<const ptx::Module>(std::move(module).value());
}

inline std::shared_ptr<const Code> decoded(const std::string& text) {
  auto module = parsed(text);
  return module ? decode(module, Level::run, small_table()) : nullptr;
}

inline const SlotInit* init_at(const CodeFunction& function, uint32_t offset) {
  for (const SlotInit& init : function.inits) {
    if (init.offset == offset) return &init;
  }
  return nullptr;
}

inline const std::string header = ".version 9.0\n.target sm_80\n.address_size 64\n";

}  // namespace warpbook::simt::test
