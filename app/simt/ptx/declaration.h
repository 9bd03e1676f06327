#pragma once
// Declarations of variables, parameters and registers (PTX ISA 5.4): `.align 4 .v2 .f32 name[2][3] = {...}`.
#include <string>
#include <string_view>
#include <vector>

#include "simt/ptx/module.h"
#include "simt/ptx/scanner.h"

namespace warpbook::ptx {

/// What stands before the names of a declaration.
struct DeclarationHead {
  Space space = Space::global;
  Type type = Type::b8;
  uint32_t vector = 1;
  uint32_t alignment = 0;  ///< 0 = the natural one
  bool pointer = false;
};

/// Reads attributes and the type up to the first name. `head.space` is the caller's.
bool read_declaration_head(Scanner& scanner, DeclarationHead& head);

/// Reads name, array sizes and initialiser. `written` is the name as it stands in the text.
bool read_declarator(Scanner& scanner, const DeclarationHead& head, Variable& variable,
                     std::string_view* written = nullptr);

/// A parenthesised list of parameters, its '(' already read.
bool read_parameters(Scanner& scanner, std::vector<Variable>& parameters);

/// Registers come as `%r<67>` (%r0 to %r66) or as plain names.
struct RegisterDeclarator {
  std::string_view name;
  uint32_t count = 0;  ///< of the `<n>` form
  bool numbered = false;
};
bool read_register_declarator(Scanner& scanner, RegisterDeclarator& declarator);

}  // namespace warpbook::ptx
