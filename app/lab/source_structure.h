#pragma once
// The statements around a line of CUDA C++: which conditions and loops it stands in, what left the function
// before it, which elements it names. As source_scan, this is a look and no compiler: what it cannot tell it
// leaves open.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/source_scan.h"

namespace warpbook {

struct Statement {
  enum class Kind { block, plain, condition, loop, leave };
  Kind kind = Kind::plain;
  std::string condition;   ///< of an if, while or for; text
  std::string step;        ///< of a for: its last part
  std::string first_part;  ///< of a for: its first part
  bool has_else = false;
  size_t first = 0, last = 0;  ///< tokens, last included
  int first_line = 0, last_line = 0;
  int header_line = 0;   ///< of condition and loop: where the bracket closes
  bool in_else = false;  ///< it is the second branch of its parent
  std::vector<std::unique_ptr<Statement>> parts;
  const Statement* parent = nullptr;
};

struct Subscript {
  std::string base;                  ///< "tile", "p.w"
  std::vector<std::string> indices;  ///< texts, outermost first
  bool stored = false;               ///< it is assigned to (also by += and the like)
  bool updated = false;              ///< by += and the like
  size_t token = 0;
};

class SourceStructure {
 public:
  explicit SourceStructure(std::string_view source);

  /// The innermost statement that holds a line; null outside of functions.
  const Statement* at(int line) const;
  /// The body of the function that holds a line.
  const Statement* function_at(int line) const;
  /// if and loop statements around it, innermost first.
  std::vector<const Statement*> around(const Statement& statement) const;
  /// `if (...) return;` that the statement stands behind, in the order of the text.
  std::vector<const Statement*> exits_before(const Statement& statement) const;

  std::string text(size_t first, size_t last) const;
  std::string text(const Statement& statement) const { return text(statement.first, statement.last); }
  std::vector<Subscript> subscripts(size_t first, size_t last) const;
  /// Those on one line.
  std::vector<Subscript> subscripts_on(int line) const;
  const std::vector<Token>& tokens() const { return tokens_; }
  /// Names in a text: variables, without members and called functions.
  static std::vector<std::string> names_in(std::string_view text);
  /// The text of the declaration of `name` in the function around `line`, or at file scope: "float
  /// tile[16][3]".
  std::string declaration(const std::string& name, int line) const;
  /// Every plain statement of a function, in order.
  std::vector<const Statement*> plain_statements(const Statement& body) const;

 private:
  friend struct StructureParser;
  std::string source_;
  std::vector<Token> tokens_;
  std::vector<std::unique_ptr<Statement>> functions_;
};

/// Values of names: variables, and "threadIdx.x", "blockDim.x" and so on.
using KnownValues = std::map<std::string, int64_t>;
/// Integer arithmetic and comparisons of C on known values; nothing when a name is not known or the text is
/// no such expression.
std::optional<int64_t> value_of(std::string_view expression, const KnownValues& values);

}  // namespace warpbook
