// See function_parser.h. Operands are in operand_parser.cpp.
#include "simt/ptx/function_parser.h"

#include <fmt/format.h>

namespace warpbook::ptx {

bool FunctionParser::parse_body() {
  points_.start_function();
  for (const auto* list : {&function_.returns, &function_.parameters}) {
    for (const Variable& v : *list) {
      if (v.space == Space::reg) {
        names_.declare_registers({v.name, 0, false}, v.type, 1);
      } else {
        names_.declare(v.name);
      }
    }
  }
  for (;;) {
    if (scanner_.failed()) return false;
    if (scanner_.at_end()) {
      return scanner_.fail(fmt::format("'}}' is missing at the end of '{}'", function_.name));
    }
    if (scanner_.accept('}')) {
      if (!names_.nested()) break;
      names_.close();
    } else if (!statement()) {
      return false;
    }
  }
  resolve_labels();
  names_.store_labels();
  return true;
}

bool FunctionParser::statement() {
  const char c = scanner_.peek();
  const uint32_t line = scanner_.line();
  if (c == '{') {
    scanner_.accept('{');
    names_.open();
    return true;
  }
  if (c == ';') return scanner_.accept(';');
  if (c == '.') {
    const std::string_view name = scanner_.dotted();
    return name.empty() ? scanner_.fail("a directive has no name") : directive(name);
  }
  if (c == '@') {
    scanner_.accept('@');
    const bool negated = scanner_.accept('!');
    const std::string_view name = scanner_.word();
    const int32_t guard = names_.find_register(name);
    if (guard < 0)
      return scanner_.fail(fmt::format("the guard '{}' is no predicate that was declared", name));
    const std::string_view opcode = scanner_.word();
    if (opcode.empty()) return scanner_.fail("an instruction is missing after its guard");
    return instruction(opcode, guard, negated, line);
  }
  const std::string_view word = scanner_.word();
  if (word.empty()) return scanner_.fail(fmt::format("'{}' starts no statement", c));
  if (scanner_.peek_raw() != '.' && scanner_.accept(':')) {
    const size_t position = scanner_.position();
    const uint32_t position_line = scanner_.line();
    const std::string_view table = scanner_.dotted();
    if (table == "callprototype") return call_prototype(word);
    if (table == "branchtargets") return branch_targets(word);
    if (table == "calltargets") return scanner_.skip_statement();
    scanner_.rewind(position, position_line);
    names_.declare_label(word, uint32_t(function_.body.size()));
    return true;
  }
  return instruction(word, -1, false, line);
}

bool FunctionParser::directive(std::string_view name) {
  if (name == "loc") {
    point_ = points_.read_location(scanner_);
    if (function_.first_point < 0) function_.first_point = point_;
    return point_ >= 0;
  }
  if (name == "reg") return registers();
  if (name == "local") return variables(Space::local);
  if (name == "param") return variables(Space::param);
  if (name == "shared") return variables(Space::shared);
  if (name == "global") return variables(Space::global);
  if (name == "const") return variables(Space::constant);
  if (name == "pragma") return scanner_.skip_statement();
  if (name == "file") return points_.read_file(scanner_);
  return scanner_.skip_directive();
}

bool FunctionParser::variables(Space space) {
  DeclarationHead head;
  head.space = space;
  if (!read_declaration_head(scanner_, head)) return false;
  do {
    Variable variable;
    std::string_view written;
    if (!read_declarator(scanner_, head, variable, &written)) return false;
    variable.name = names_.declare(written);
    variable.function = function_.name;
    variable.scope = names_.scope();
    function_.locals.push_back(std::move(variable));
  } while (scanner_.accept(','));
  return scanner_.expect(';', "after a declaration");
}

bool FunctionParser::registers() {
  DeclarationHead head;
  if (!read_declaration_head(scanner_, head)) return false;
  do {
    RegisterDeclarator declarator;
    if (!read_register_declarator(scanner_, declarator)) return false;
    if (!names_.declare_registers(declarator, head.type, head.vector)) {
      return scanner_.fail("a function has more registers than can be kept");
    }
  } while (scanner_.accept(','));
  return scanner_.expect(';', "after a declaration of registers");
}

bool FunctionParser::call_prototype(std::string_view label) {
  // `(returns) _ (parameters)`, each list optional, then properties such as .noreturn.
  Function prototype;
  prototype.declared_only = true;
  if (scanner_.accept('(') && !read_parameters(scanner_, prototype.returns)) return false;
  const std::string_view name = scanner_.word();
  if (name.empty()) return scanner_.fail("a call prototype cannot be read");
  if (scanner_.accept('(') && !read_parameters(scanner_, prototype.parameters)) return false;
  prototype.name = names_.declare(label);
  const std::string key = prototype.name;
  function_.prototypes.emplace(key, std::move(prototype));
  return scanner_.skip_statement();
}

bool FunctionParser::branch_targets(std::string_view label) {
  std::vector<std::string> targets;
  do {
    const std::string_view target = scanner_.word();
    if (target.empty()) return scanner_.fail("a table of branch targets cannot be read");
    targets.emplace_back(target);
  } while (scanner_.accept(','));
  const std::string name = names_.declare(label);
  pending_tables_.push_back({name, names_.scope()});
  function_.branch_targets.emplace(name, std::move(targets));
  return scanner_.expect(';', "after a table of branch targets");
}

bool FunctionParser::instruction(std::string_view opcode, int32_t guard, bool guard_negated, uint32_t line) {
  Instruction& added = function_.body.emplace_back();
  added.opcode = opcode;
  added.guard = guard;
  added.guard_negated = guard_negated;
  added.point = point_;
  added.ptx_line = line;
  for (std::string_view m = scanner_.dotted_raw(); !m.empty(); m = scanner_.dotted_raw()) {
    if (added.modifiers.empty()) added.modifiers.reserve(4);
    added.modifiers.emplace_back(m);
  }
  if (scanner_.accept(';')) return true;
  added.operands.reserve(4);
  do {
    if (!operand(added.operands.emplace_back(), 0)) {
      // Kept by name: it fails when it is reached, not before.
      if (scanner_.failed()) return false;
      added.malformed = true;
      added.operands.clear();
      return scanner_.skip_statement();
    }
    const Operand& read = added.operands.back();
    if (read.kind == Operand::Kind::symbol && read.offset == 0) {
      pending_.push_back(
          {uint32_t(function_.body.size() - 1), uint32_t(added.operands.size() - 1), names_.scope()});
    }
  } while (scanner_.accept(','));
  if (scanner_.accept(';')) return true;
  added.malformed = true;
  added.operands.clear();
  return scanner_.skip_statement();
}

void FunctionParser::resolve_labels() {
  for (const Pending& p : pending_) {
    Instruction& instruction = function_.body[p.instruction];
    if (p.operand >= instruction.operands.size()) continue;
    Operand& operand = instruction.operands[p.operand];
    const int64_t target = names_.find_label(operand.name, p.scope);
    if (target < 0) continue;
    operand.kind = Operand::Kind::label;
    operand.index = uint32_t(target);
  }
  // Function::labels may have renamed a label of an inner scope; tables name labels by what they mean here.
  for (const PendingTable& table : pending_tables_) {
    for (std::string& name : function_.branch_targets[table.name]) {
      const int64_t target = names_.find_label(name, table.scope);
      if (target < 0) continue;
      std::string flat = fmt::format("{}@{}", name, target);
      function_.labels.emplace(flat, uint32_t(target));
      name = std::move(flat);
    }
  }
}

}  // namespace warpbook::ptx
