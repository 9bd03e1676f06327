#pragma once
// Names inside a function: registers, local variables, tables and labels live in nested { } scopes, and the
// parser gives the flattened function names that do not clash (PTX ISA 5.1: names are visible in the
// enclosing braces).
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "simt/ptx/declaration.h"
#include "simt/ptx/module.h"

namespace warpbook::ptx {

class NamesInScope {
 public:
  explicit NamesInScope(Function& function) : function_(function) {}

  uint32_t scope() const { return scope_; }
  bool nested() const { return scope_ != 0; }
  void open();
  void close();

  /// Adds the registers to the function. False when there would be too many.
  bool declare_registers(const RegisterDeclarator& declarator, Type type, uint32_t vector);
  /// The name that a variable or table gets in the flattened function.
  std::string declare(std::string_view name);
  void declare_label(std::string_view name, uint32_t instruction);

  /// Index of a register, or -1.
  int32_t find_register(std::string_view name) const;
  /// Width of a declared vector register (`.v4`), whose elements are registers `name.x` and so on; 0 when it
  /// is none.
  uint32_t vector_width(std::string_view name) const;
  /// Flattened name of a variable or table of this function; empty when there is none.
  std::string_view find(std::string_view name) const;
  /// Instruction of a label seen from a scope, for use when the whole body is known; -1 when there is none.
  int64_t find_label(std::string_view name, uint32_t from_scope) const;
  /// Fills Function::labels.
  void store_labels();

 private:
  struct Registers {
    std::string_view name;  ///< of the numbered form: what stands before the number
    uint32_t count = 0, first = 0;
    bool numbered = false;
    uint32_t vector = 0;
    uint32_t scope = 0;
  };
  struct Renamed {
    std::string name;
    uint32_t scope;
  };
  struct Label {
    uint32_t scope;
    uint32_t instruction;
  };

  uint32_t add_register(std::string name, Type type);
  std::string unused(std::string_view name);

  Function& function_;
  uint32_t scope_ = 0;
  std::vector<Registers> declared_;                                      ///< in order; a scope's last ones go
  std::unordered_map<std::string_view, std::vector<uint32_t>> by_name_;  ///< to declared_, innermost last
  std::unordered_map<std::string_view, std::vector<Renamed>> variables_;
  std::vector<std::string_view> variable_order_;
  std::vector<std::pair<size_t, size_t>> marks_;  ///< sizes when each scope was opened
  std::unordered_map<std::string_view, std::vector<Label>> labels_;
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, uint32_t> next_suffix_;
};

}  // namespace warpbook::ptx
