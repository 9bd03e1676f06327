#pragma once
// Characters of PTX text to words, numbers and punctuation (PTX ISA 4.2 to 4.5). It keeps the line, and the
// first error: after one, every question answers "no" and parsers unwind by their ordinary returns.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "simt/ptx/module.h"

namespace warpbook::ptx {

struct Number {
  Type literal = Type::s64;  ///< s64, u64, f32 (0f) or f64 (0d, decimal point)
  uint64_t bits = 0;
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  /// Past white space and comments. Called before every token: the common case stays in line.
  void skip_blank() {
    if (position_ < text_.size() && text_[position_] > ' ' && text_[position_] != '/') return;
    skip_blank_slowly();
  }
  bool at_end();
  /// The next character after blanks, 0 at the end.
  char peek() {
    skip_blank();
    return peek_raw();
  }
  /// The next character with nothing skipped before it, 0 at the end.
  char peek_raw() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool accept(char c) {
    if (peek() != c || position_ >= text_.size() || failed()) return false;
    ++position_;
    return true;
  }
  /// accept(c), or an error that says what was expected.
  bool expect(char c, const char* what);
  /// [A-Za-z_$%][A-Za-z0-9_$]* after blanks; empty when there is none.
  std::string_view word();
  /// ".name" after blanks, given without its dot; empty when there is none. `::` joins parts of a name.
  std::string_view dotted();
  /// The same with nothing skipped before it: the modifiers of an opcode.
  std::string_view dotted_raw();
  /// Any number of PTX ISA 4.5 with its optional sign.
  std::optional<Number> number();
  /// An integer that fits 64 bits, for sizes and line numbers.
  std::optional<uint64_t> integer();
  /// "9.0": digits and points; empty when there are none.
  std::string_view version();
  /// "text" without its quotes.
  std::optional<std::string_view> quoted();

  /// Past the next ';'. False (an error) when a '}' that was not opened, or the end, comes first.
  bool skip_statement();
  /// After an opened '{': past its '}'.
  bool skip_braces();
  /// For a directive that nobody knows: to its ';', over its braces, or to the end of its line.
  bool skip_directive();

  uint32_t line() const { return line_; }
  size_t position() const { return position_; }
  /// Back (or on) to a position that was read before on the given line.
  void rewind(size_t position, uint32_t line) { position_ = position, line_ = line; }

  bool fail(std::string message);
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }

 private:
  void skip_blank_slowly();
  std::string_view dotted_at_position();

  std::string_view text_;
  size_t position_ = 0;
  uint32_t line_ = 1;
  std::optional<Error> error_;
};

}  // namespace warpbook::ptx
