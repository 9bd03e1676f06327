// See scanner.h. Written for modules of a megabyte that are mostly number tables: no token objects, no
// copies.
#include "simt/ptx/scanner.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

namespace warpbook::ptx {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool starts_word(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
constexpr bool continues_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

}  // namespace

void Scanner::skip_blank_slowly() {
  const size_t size = text_.size();
  while (position_ < size) {
    const char c = text_[position_];
    if (c == '\n') {
      ++line_;
      ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (c == '/' && position_ + 1 < size && text_[position_ + 1] == '/') {
      position_ = std::min(text_.find('\n', position_), size);
    } else if (c == '/' && position_ + 1 < size && text_[position_ + 1] == '*') {
      const size_t end = text_.find("*/", position_ + 2);
      if (end == std::string_view::npos) {
        fail("a comment is not closed");
        return;
      }
      for (; position_ < end; ++position_) line_ += text_[position_] == '\n';
      position_ += 2;
    } else {
      return;
    }
  }
}

bool Scanner::at_end() {
  skip_blank();
  return position_ >= text_.size();
}

bool Scanner::expect(char c, const char* what) {
  if (accept(c)) return true;
  return fail(fmt::format("'{}' is missing {}", c, what));
}

std::string_view Scanner::word() {
  if (failed() || !starts_word(peek())) return {};
  const size_t first = position_++;
  while (position_ < text_.size() && continues_word(text_[position_])) ++position_;
  return text_.substr(first, position_ - first);
}

std::string_view Scanner::dotted_at_position() {
  if (failed() || peek_raw() != '.') return {};
  size_t end = position_ + 1;
  while (end < text_.size()) {
    if (continues_word(text_[end])) {
      ++end;
    } else if (text_[end] == ':' && end + 2 < text_.size() && text_[end + 1] == ':' &&
               continues_word(text_[end + 2])) {
      end += 2;
    } else {
      break;
    }
  }
  if (end == position_ + 1) return {};
  const std::string_view name = text_.substr(position_ + 1, end - position_ - 1);
  position_ = end;
  return name;
}

std::string_view Scanner::dotted() {
  skip_blank();
  return dotted_at_position();
}

std::string_view Scanner::dotted_raw() { return dotted_at_position(); }

std::optional<Number> Scanner::number() {
  skip_blank();
  const size_t start = position_;
  bool negative = false;
  while (peek_raw() == '-' || peek_raw() == '+') {
    negative ^= peek_raw() == '-';
    ++position_;
    skip_blank();
  }
  auto give_up = [&]() -> std::optional<Number> {
    position_ = start;
    return std::nullopt;
  };
  const char first = peek_raw();
  if (first >= '1' && first <= '9') {
    // Most numbers by far: a few decimal digits and nothing after them.
    uint64_t value = 0;
    size_t end = position_;
    while (end < text_.size() && is_digit(text_[end]) && end - position_ < 18) {
      value = value * 10 + uint64_t(text_[end++] - '0');
    }
    const char behind = end < text_.size() ? text_[end] : '\0';
    if (!continues_word(behind) && behind != '.' && !failed()) {
      position_ = end;
      return Number{Type::s64, negative ? 0 - value : value};
    }
  }
  const bool point_first = first == '.' && position_ + 1 < text_.size() && is_digit(text_[position_ + 1]);
  if (failed() || (!is_digit(first) && !point_first)) return give_up();

  Number result;
  const char second = position_ + 1 < text_.size() ? text_[position_ + 1] : '\0';
  int base = 10;
  if (first == '0') {
    if (second == 'f' || second == 'F' || second == 'd' || second == 'D') {
      // 0f and 0d: the bits of a float, eight or sixteen hexadecimal digits.
      const bool wide = second == 'd' || second == 'D';
      position_ += 2;
      int digits = 0;
      for (; position_ < text_.size() && hex_digit(text_[position_]) < 16; ++position_, ++digits) {
        result.bits = result.bits << 4 | uint64_t(hex_digit(text_[position_]));
      }
      if (digits != (wide ? 16 : 8)) return give_up();
      result.literal = wide ? Type::f64 : Type::f32;
      if (negative) result.bits ^= wide ? uint64_t(1) << 63 : uint64_t(1) << 31;
      return result;
    }
    if (second == 'x' || second == 'X') base = 16;
    if (second == 'b' || second == 'B') base = 2;
  }
  if (base != 10) position_ += 2;

  const size_t digits_start = position_;
  bool overflow = false;
  while (position_ < text_.size()) {
    const int digit = hex_digit(text_[position_]);
    if (digit >= base) break;
    uint64_t next = 0;
    overflow |= __builtin_mul_overflow(result.bits, uint64_t(base), &next);
    overflow |= __builtin_add_overflow(next, uint64_t(digit), &result.bits);
    ++position_;
  }
  const char after = peek_raw();
  if (base == 10 && (after == '.' || after == 'e' || after == 'E')) {
    double value = 0;
    const char* from = text_.data() + digits_start;
    const auto [end, problem] = std::from_chars(from, text_.data() + text_.size(), value);
    if (problem == std::errc::invalid_argument) return give_up();
    position_ = size_t(end - text_.data());
    result.literal = Type::f64;
    result.bits = std::bit_cast<uint64_t>(negative ? -value : value);
    return result;
  }
  if (position_ == digits_start || overflow) return give_up();
  if (base == 10 && first == '0' && position_ - digits_start > 1) {
    // A leading zero means octal.
    uint64_t value = 0;
    for (size_t i = digits_start; i < position_; ++i) {
      if (text_[i] > '7') return give_up();
      value = value << 3 | uint64_t(text_[i] - '0');
    }
    result.bits = value;
  }
  bool is_unsigned = result.bits > uint64_t(INT64_MAX);
  if (peek_raw() == 'U' || peek_raw() == 'u') {
    is_unsigned = true;
    ++position_;
  }
  if (continues_word(peek_raw())) return give_up();
  result.literal = is_unsigned ? Type::u64 : Type::s64;
  if (negative) result.bits = 0 - result.bits;
  return result;
}

std::optional<uint64_t> Scanner::integer() {
  const auto n = number();
  if (!n || is_float(n->literal)) return std::nullopt;
  return n->bits;
}

std::string_view Scanner::version() {
  skip_blank();
  const size_t first = position_;
  while (is_digit(peek_raw()) || peek_raw() == '.') ++position_;
  return text_.substr(first, position_ - first);
}

std::optional<std::string_view> Scanner::quoted() {
  if (!accept('"')) return std::nullopt;
  const size_t end = text_.find_first_of("\"\n", position_);
  if (end == std::string_view::npos || text_[end] == '\n') {
    fail("a quoted text is not closed");
    return std::nullopt;
  }
  const std::string_view inside = text_.substr(position_, end - position_);
  position_ = end + 1;
  return inside;
}

bool Scanner::skip_statement() {
  int open = 0;
  while (!at_end() && !failed()) {
    const char c = text_[position_];
    if (c == '"') {
      if (!quoted()) return false;
      continue;
    }
    if (c == '{') ++open;
    if (c == '}' && open-- == 0) return fail("';' is missing before '}'");
    ++position_;
    if (c == ';') return true;
  }
  return fail("';' is missing at the end of the text");
}

bool Scanner::skip_braces() {
  int open = 1;
  while (!at_end() && !failed()) {
    const char c = text_[position_];
    if (c == '"') {
      if (!quoted()) return false;
      continue;
    }
    ++position_;
    if (c == '{') ++open;
    if (c == '}' && --open == 0) return true;
  }
  return fail("'}' is missing at the end of the text");
}

bool Scanner::skip_directive() {
  while (position_ < text_.size() && !failed()) {
    const char c = text_[position_];
    if (c == '"') {
      if (!quoted()) return false;
      continue;
    }
    if (c == '\n') return true;
    if (c == '}') return true;
    ++position_;
    if (c == ';') return true;
    if (c == '{') return skip_braces();
  }
  return !failed();
}

bool Scanner::fail(std::string message) {
  if (!error_) {
    Error error;
    error.message = fmt::format("the PTX cannot be read at line {}: {}", line_, message);
    error.trouble = Trouble::bad_input;
    error.where = Location{"PTX", int(line_), 0};
    error_ = std::move(error);
  }
  return false;
}

}  // namespace warpbook::ptx
