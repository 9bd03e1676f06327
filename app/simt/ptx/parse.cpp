// A whole module: directives at the top level (PTX ISA chapters 5 and 11), functions with their headers.
#include <fmt/format.h>

#include <unordered_map>

#include "simt/ptx/declaration.h"
#include "simt/ptx/function_parser.h"
#include "simt/ptx/module.h"
#include "simt/ptx/names.h"
#include "simt/ptx/scanner.h"
#include "simt/ptx/source_points.h"

namespace warpbook::ptx {
namespace {

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : scanner_(text) {}

  Result<Module> run() {
    module_.files.resize(1);
    bool empty = true;
    while (!scanner_.failed() && !scanner_.at_end()) {
      const std::string_view name = scanner_.dotted();
      if (name.empty()) {
        if (!scanner_.accept(';')) scanner_.fail("a directive was expected");
      } else {
        directive(name);
        empty = false;
      }
    }
    if (empty && !scanner_.failed()) scanner_.fail("there is nothing in it");
    if (scanner_.failed()) return scanner_.error();
    points_.name_functions();
    return std::move(module_);
  }

 private:
  bool directive(std::string_view name) {
    if (name == "version") return version();
    if (name == "target") return target();
    if (name == "address_size") return scanner_.integer() || scanner_.fail("an address size is missing");
    if (name == "file") return points_.read_file(scanner_);
    if (name == "loc") return points_.read_location(scanner_) >= 0;
    if (name == "section") return section();
    if (name == "visible" || name == "weak" || name == "common") return true;  // linking does not matter here
    if (name == "extern") {
      external_ = true;
      return true;
    }
    bool ok = false;
    if (name == "entry" || name == "func")
      ok = function(name == "entry");
    else if (name == "global")
      ok = variables(Space::global);
    else if (name == "const")
      ok = variables(Space::constant);
    else if (name == "shared")
      ok = variables(Space::shared);
    else if (name == "local")
      ok = variables(Space::local);
    else
      ok = scanner_.skip_directive();
    external_ = false;
    return ok;
  }

  bool version() {
    module_.version = scanner_.version();
    return !module_.version.empty() || scanner_.fail("a version number is missing");
  }

  bool target() {
    do {
      const std::string_view word = scanner_.word();
      if (word.empty()) return scanner_.fail("a target is missing");
      if (module_.target.empty()) module_.target = word;
      if (word == "debug") module_.debug = true;
    } while (scanner_.accept(','));
    return true;
  }

  bool section() {
    const std::string_view name = scanner_.dotted();
    if (!scanner_.expect('{', "after a section's name")) return false;
    return name == "debug_str" ? points_.read_strings(scanner_) : scanner_.skip_braces();
  }

  bool variables(Space space) {
    DeclarationHead head;
    head.space = space;
    if (!read_declaration_head(scanner_, head)) return false;
    do {
      Variable variable;
      if (!read_declarator(scanner_, head, variable)) return false;
      variable.external = external_;
      add_variable(std::move(variable));
    } while (scanner_.accept(','));
    return scanner_.expect(';', "after a declaration");
  }

  void add_variable(Variable variable) {
    // An .extern declaration may come before the definition; the definition counts.
    const auto [known, is_new] = variable_index_.try_emplace(variable.name, module_.variables.size());
    if (is_new) {
      module_.variables.push_back(std::move(variable));
    } else if (!variable.external) {
      module_.variables[known->second] = std::move(variable);
    }
  }

  bool function(bool entry) {
    Function f;
    f.entry = entry;
    if (scanner_.accept('(') && !read_parameters(scanner_, f.returns)) return false;
    const std::string_view name = scanner_.word();
    if (name.empty()) return scanner_.fail("a function has no name");
    f.name = name;
    if (scanner_.accept('(') && !read_parameters(scanner_, f.parameters)) return false;
    for (auto* list : {&f.returns, &f.parameters}) {
      for (Variable& v : *list) v.function = f.name;
    }
    if (!properties(f)) return false;
    if (scanner_.accept(';')) {
      f.declared_only = true;
    } else {
      if (!scanner_.expect('{', "before the body of a function")) return false;
      if (!FunctionParser(scanner_, points_, f).parse_body()) return false;
    }
    const auto [known, is_new] = function_index_.try_emplace(f.name, module_.functions.size());
    if (is_new) {
      module_.functions.push_back(std::move(f));
    } else if (!f.declared_only) {
      module_.functions[known->second] = std::move(f);
    }
    return true;
  }

  /// What stands between the parameters and the body: .maxntid 256, 1, 1 .noreturn and the like.
  bool properties(Function& f) {
    for (;;) {
      const char c = scanner_.peek();
      if (c == '{' || c == ';') return true;
      const std::string_view name = scanner_.dotted();
      if (name.empty()) return scanner_.fail(fmt::format("the header of '{}' cannot be read", f.name));
      uint64_t product = 1;
      bool numbers = false;
      do {
        if (const auto n = scanner_.integer()) {
          if (__builtin_mul_overflow(product, *n, &product)) product = UINT64_MAX;
          numbers = true;
        } else {
          scanner_.quoted();
        }
      } while (scanner_.accept(','));
      if (numbers && (name == "maxntid" || name == "reqntid")) {
        f.max_threads = uint32_t(std::min<uint64_t>(product, UINT32_MAX));
      }
      if (name == "pragma") scanner_.accept(';');
      if (scanner_.failed()) return false;
    }
  }

  Scanner scanner_;
  Module module_;
  SourcePoints points_{module_};
  bool external_ = false;
  std::unordered_map<std::string, size_t> variable_index_, function_index_;
};

}  // namespace

Result<Module> parse(std::string_view text) { return ModuleParser(text).run(); }

}  // namespace warpbook::ptx
