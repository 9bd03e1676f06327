// Small questions about parsed PTX: widths of types, modifiers of an instruction, look-ups by name.
#include "simt/ptx/module.h"

#include <array>
#include <utility>

namespace warpbook::ptx {

int bits_of(Type type) {
  switch (type) {
    case Type::none: return 0;
    case Type::pred: return 1;
    case Type::b8:
    case Type::u8:
    case Type::s8: return 8;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16: return 16;
    case Type::b32:
    case Type::u32:
    case Type::s32:
    case Type::f32:
    case Type::f16x2:
    case Type::bf16x2: return 32;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64: return 64;
    case Type::b128: return 128;
  }
  return 0;
}

bool is_float(Type type) {
  return type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2 ||
         type == Type::f32 || type == Type::f64;
}

bool is_signed(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}

Type type_named(std::string_view name) {
  if (!name.empty() && name.front() == '.') name.remove_prefix(1);
  // Every type starts with one of five letters; most modifiers are told apart by that alone.
  if (name.size() < 2 || name.size() > 6) return Type::none;
  using Row = std::pair<std::string_view, Type>;
  static constexpr std::array<Row, 6> b_types{{{"b8", Type::b8},
                                               {"b16", Type::b16},
                                               {"b32", Type::b32},
                                               {"b64", Type::b64},
                                               {"b128", Type::b128},
                                               {"bf16", Type::bf16}}};
  static constexpr std::array<Row, 4> u_types{
      {{"u8", Type::u8}, {"u16", Type::u16}, {"u32", Type::u32}, {"u64", Type::u64}}};
  static constexpr std::array<Row, 4> s_types{
      {{"s8", Type::s8}, {"s16", Type::s16}, {"s32", Type::s32}, {"s64", Type::s64}}};
  static constexpr std::array<Row, 4> f_types{
      {{"f16", Type::f16}, {"f16x2", Type::f16x2}, {"f32", Type::f32}, {"f64", Type::f64}}};
  auto look = [name](const auto& rows) {
    for (const Row& row : rows) {
      if (row.first == name) return row.second;
    }
    return Type::none;
  };
  switch (name.front()) {
    case 'b': return name == "bf16x2" ? Type::bf16x2 : look(b_types);
    case 'u': return look(u_types);
    case 's': return look(s_types);
    case 'f': return look(f_types);
    case 'p': return name == "pred" ? Type::pred : Type::none;
    default: return Type::none;
  }
}

bool Instruction::has(std::string_view modifier) const {
  for (const std::string& m : modifiers) {
    if (m == modifier) return true;
  }
  return false;
}

Type Instruction::type(int k) const {
  for (const std::string& m : modifiers) {
    const Type t = type_named(m);
    if (t != Type::none && k-- == 0) return t;
  }
  return Type::none;
}

std::string Instruction::full_name() const {
  std::string name = opcode;
  for (const std::string& m : modifiers) {
    name += '.';
    name += m;
  }
  return name;
}

const Function* Module::function(std::string_view name) const {
  for (const Function& f : functions) {
    if (f.name == name) return &f;
  }
  return nullptr;
}

const Variable* Module::variable(std::string_view name) const {
  for (const Variable& v : variables) {
    if (v.name == name) return &v;
  }
  return nullptr;
}

}  // namespace warpbook::ptx
