#pragma once
// The body of a function: statements to instructions with resolved registers, names and labels.
#include <string_view>
#include <vector>

#include "simt/ptx/module.h"
#include "simt/ptx/names_in_scope.h"
#include "simt/ptx/scanner.h"
#include "simt/ptx/source_points.h"

namespace warpbook::ptx {

class FunctionParser {
 public:
  FunctionParser(Scanner& scanner, SourcePoints& points, Function& function)
      : scanner_(scanner), points_(points), function_(function), names_(function) {}
  /// After the opening brace, to the closing one.
  bool parse_body();

 private:
  bool statement();
  bool directive(std::string_view name);
  bool variables(Space space);
  bool registers();
  bool call_prototype(std::string_view label);
  bool branch_targets(std::string_view label);
  bool instruction(std::string_view opcode, int32_t guard, bool guard_negated, uint32_t line);

  bool operand(Operand& out, int depth);
  bool operand_list(Operand& out, char close, int depth);
  bool address(Operand& out, int depth);
  bool named(Operand& out, std::string_view name);
  void resolve_labels();

  Scanner& scanner_;
  SourcePoints& points_;
  Function& function_;
  NamesInScope names_;
  int32_t point_ = -1;
  /// Operands that may turn out to be labels: known when the body has been read.
  struct Pending {
    uint32_t instruction, operand, scope;
  };
  std::vector<Pending> pending_;
  struct PendingTable {
    std::string name;
    uint32_t scope;
  };
  std::vector<PendingTable> pending_tables_;
};

}  // namespace warpbook::ptx
