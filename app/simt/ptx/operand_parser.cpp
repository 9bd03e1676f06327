// Operands of instructions (PTX ISA chapter 6). One that cannot be read is no error of the module: the
// instruction is kept and fails when it is reached.
#include <fmt/format.h>

#include "simt/ptx/constant_expression.h"
#include "simt/ptx/function_parser.h"

namespace warpbook::ptx {
namespace {

constexpr int deepest_nesting = 8;  // {{a, b}, [c]} is the deepest that PTX has; text may claim anything

}  // namespace

bool FunctionParser::operand(Operand& out, int depth) {
  if (depth > deepest_nesting) return false;
  const char c = scanner_.peek();
  switch (c) {
    case '{':
      scanner_.accept('{');
      out.kind = Operand::Kind::vector;
      return operand_list(out, '}', depth);
    case '(':
      scanner_.accept('(');
      out.kind = Operand::Kind::list;
      return operand_list(out, ')', depth);
    case '[': scanner_.accept('['); return address(out, depth);
    case '!':
      scanner_.accept('!');
      if (!operand(out, depth + 1)) return false;
      out.negated = true;
      return true;
    default: break;
  }
  if ((c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == '~') {
    const size_t position = scanner_.position();
    const uint32_t line = scanner_.line();
    if (const auto number = constant_expression(scanner_)) {
      out.kind = Operand::Kind::immediate;
      out.literal = number->literal;
      out.bits = number->bits;
      return true;
    }
    scanner_.rewind(position, line);
  }
  if (c == '-') {
    scanner_.accept('-');
    if (!operand(out, depth + 1)) return false;
    out.negated = true;
    return true;
  }
  const std::string_view name = scanner_.word();
  if (name.empty() || !named(out, name)) return false;
  if (scanner_.peek() == '|') {
    scanner_.accept('|');
    Operand first = std::move(out);
    out = Operand{};
    out.kind = Operand::Kind::pair;
    out.parts.push_back(std::move(first));
    return operand(out.parts.emplace_back(), depth + 1);
  }
  if (out.kind == Operand::Kind::symbol) {
    while (scanner_.peek() == '+' || scanner_.peek() == '-') {
      const auto offset = constant_product(scanner_);
      if (!offset) return false;
      out.offset = int64_t(uint64_t(out.offset) + *offset);
    }
  }
  return true;
}

bool FunctionParser::operand_list(Operand& out, char close, int depth) {
  if (scanner_.accept(close)) return true;
  do {
    if (!operand(out.parts.emplace_back(), depth + 1)) return false;
  } while (scanner_.accept(','));
  return scanner_.accept(close);
}

bool FunctionParser::address(Operand& out, int depth) {
  out.kind = Operand::Kind::address;
  if (!operand(out.parts.emplace_back(), depth + 1)) return false;
  Operand& base = out.parts.front();
  out.offset = base.offset;  // [symbol+4]: the address has the offset, its base does not
  base.offset = 0;
  while (scanner_.peek() == '+' || scanner_.peek() == '-') {
    const auto offset = constant_product(scanner_);
    if (!offset) return false;
    out.offset = int64_t(uint64_t(out.offset) + *offset);
  }
  // Textures and tensors: [name, {x, y}].
  while (scanner_.accept(',')) {
    if (!operand(out.parts.emplace_back(), depth + 1)) return false;
  }
  return scanner_.accept(']');
}

bool FunctionParser::named(Operand& out, std::string_view name) {
  if (name == "_") {
    out.kind = Operand::Kind::discard;
    return true;
  }
  int32_t index = names_.find_register(name);
  if (index < 0 && scanner_.peek_raw() == '.') {
    // `%tid.x`, or an element of a vector register.
    const std::string_view element = scanner_.dotted_raw();
    const std::string full = fmt::format("{}.{}", name, element);
    index = names_.find_register(full);
    if (index < 0) {
      if (name.front() != '%') return false;
      out.kind = Operand::Kind::special;
      out.name = full;
      return true;
    }
  }
  if (index >= 0) {
    out.kind = Operand::Kind::reg;
    out.index = uint32_t(index);
    return true;
  }
  if (const uint32_t width = names_.vector_width(name); width > 0) {
    // A whole vector register stands for its elements.
    static constexpr char letters[] = "xyzwefgh";
    out.kind = Operand::Kind::vector;
    for (uint32_t i = 0; i < width; ++i) {
      Operand& part = out.parts.emplace_back();
      part.kind = Operand::Kind::reg;
      part.index = uint32_t(names_.find_register(fmt::format("{}.{}", name, letters[i])));
    }
    return true;
  }
  if (name == "WARP_SZ") {
    out.kind = Operand::Kind::immediate;
    out.literal = Type::s64;
    out.bits = 32;
    return true;
  }
  if (name.front() == '%') {
    out.kind = Operand::Kind::special;
    out.name = name;
    return true;
  }
  out.kind = Operand::Kind::symbol;
  const std::string_view flat = names_.find(name);
  out.name = flat.empty() ? name : flat;
  return true;
}

}  // namespace warpbook::ptx
