// A recursive-descent evaluator: expression = term (+|- term)*, term = factor (*|/|% factor)*, factor =
// number, name, function(a, b), (expression), -factor. Division truncates toward zero, as in C++.
#include "lesson/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/text.h"

namespace warpbook {

namespace {

constexpr int max_depth = 100;
constexpr size_t max_length = 2000;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A value, or what `block` and `grid` alone stand for: the product of their three dimensions.
std::optional<int64_t> look_up(const std::string& name, const Values& values) {
  if (const auto found = values.find(name); found != values.end()) return found->second;
  if (name != "block" && name != "grid") return std::nullopt;
  int64_t product = 1;
  bool any = false;
  for (const char* axis : {".x", ".y", ".z"}) {
    const auto found = values.find(name + axis);
    if (found == values.end()) continue;
    any = true;
    if (__builtin_mul_overflow(product, found->second, &product)) return std::nullopt;
  }
  return any ? std::optional(product) : std::nullopt;
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const Values* values, std::vector<std::string>* names)
      : text_(text), values_(values), names_(names) {}

  Result<int64_t> whole() {
    if (text_.size() > max_length)
      return Error{fmt::format("The expression is longer than {} characters.", max_length),
                   Trouble::bad_input,
                   {},
                   {}};
    const int64_t value = sum();
    peek();
    if (!error_ && at_ < text_.size()) fail("expected an operator or the end");
    if (error_) return *error_;
    return value;
  }

 private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  int64_t fail(const std::string& what) {
    if (!error_) {
      const std::string shown(text_.substr(0, 80));
      error_ = Error{fmt::format("In the expression \"{}\", at character {}: {}.", shown, at_ + 1, what),
                     Trouble::bad_input,
                     {},
                     {}};
    }
    at_ = text_.size();
    return 1;
  }

  int64_t sum() {
    int64_t value = product();
    for (;;) {
      if (take('+')) {
        if (__builtin_add_overflow(value, product(), &value)) return fail("the sum leaves 64 bits");
      } else if (take('-')) {
        if (__builtin_sub_overflow(value, product(), &value)) return fail("the difference leaves 64 bits");
      } else {
        return value;
      }
    }
  }

  int64_t product() {
    int64_t value = factor();
    for (;;) {
      if (take('*')) {
        if (__builtin_mul_overflow(value, factor(), &value)) return fail("the product leaves 64 bits");
      } else if (take('/')) {
        value = divide(value, factor(), false);
      } else if (take('%')) {
        value = divide(value, factor(), true);
      } else {
        return value;
      }
    }
  }

  int64_t divide(int64_t a, int64_t b, bool remainder) {
    if (!values_) return 1;  // only the names are wanted
    if (b == 0) return fail("division by zero");
    if (a == std::numeric_limits<int64_t>::min() && b == -1) return fail("the quotient leaves 64 bits");
    return remainder ? a % b : a / b;
  }

  int64_t factor() {
    if (++depth_ > max_depth) return fail("it nests too deeply");
    const int64_t value = factor_inside();
    --depth_;
    return value;
  }

  int64_t factor_inside() {
    const char c = peek();
    if (take('(')) {
      const int64_t value = sum();
      if (!take(')')) return fail("expected \")\"");
      return value;
    }
    if (take('-')) {
      int64_t value = factor();
      if (__builtin_sub_overflow(int64_t{0}, value, &value)) return fail("the number leaves 64 bits");
      return value;
    }
    if (is_digit(c)) return number();
    if (is_letter(c)) return name_or_function();
    return fail(at_ >= text_.size() ? "expected a number, a name or \"(\", found the end"
                                    : fmt::format("expected a number, a name or \"(\", found \"{}\"", c));
  }

  int64_t number() {
    int64_t value = 0;
    while (at_ < text_.size() && is_digit(text_[at_])) {
      if (__builtin_mul_overflow(value, int64_t{10}, &value) ||
          __builtin_add_overflow(value, int64_t(text_[at_] - '0'), &value)) {
        return fail("the number leaves 64 bits");
      }
      ++at_;
    }
    if (at_ < text_.size() && (text_[at_] == '.' || is_letter(text_[at_])))
      return fail("expected a whole number");
    return value;
  }

  int64_t name_or_function() {
    const size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    const std::string name(text_.substr(start, at_ - start));
    if (peek() == '(') return function(name);
    if (names_) names_->push_back(name);
    if (!values_) return 1;
    if (const auto value = look_up(name, *values_)) return *value;
    std::vector<std::string> known;
    for (const auto& entry : *values_) known.push_back(entry.first);
    const auto near = nearest_word(name, known);
    return fail(near ? fmt::format("there is no \"{}\"; did you mean \"{}\"", name, *near)
                     : fmt::format("there is no \"{}\"; known are {}", name, join(known, ", ")));
  }

  int64_t function(const std::string& name) {
    if (name != "min" && name != "max" && name != "ceil_div") {
      return fail(fmt::format("there is no function \"{}\"; known are min, max and ceil_div", name));
    }
    take('(');
    const int64_t a = sum();
    if (!take(',')) return fail(fmt::format("expected \",\": {} takes two numbers", name));
    const int64_t b = sum();
    if (!take(')')) return fail("expected \")\"");
    if (error_) return 1;
    if (name == "min") return std::min(a, b);
    if (name == "max") return std::max(a, b);
    if (!values_) return 1;
    if (b <= 0 || a < 0) return fail("ceil_div needs a number from 0 and a divisor from 1");
    return a / b + (a % b != 0 ? 1 : 0);
  }

  std::string_view text_;
  const Values* values_;
  std::vector<std::string>* names_;
  std::optional<Error> error_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<int64_t> evaluate(std::string_view expression, const Values& values) {
  return Evaluator(expression, &values, nullptr).whole();
}

Result<std::vector<std::string>> names_in(std::string_view expression) {
  std::vector<std::string> names;
  const Result<int64_t> parsed = Evaluator(expression, nullptr, &names).whole();
  if (!parsed) return parsed.error();
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Result<std::vector<TextPiece>> pieces_of(std::string_view text) {
  std::vector<TextPiece> pieces;
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool doubled = i + 1 < text.size() && text[i + 1] == c;
    if ((c == '{' || c == '}') && doubled) {  // {{ and }} stand for one brace each
      plain += c;
      ++i;
    } else if (c == '{') {
      const size_t end = text.find('}', i);
      if (end == std::string_view::npos) {
        return Error{
            fmt::format("In \"{}\": the \"{{\" at character {} is never closed; write {{{{ for a brace.",
                        text.substr(0, 120), i + 1),
            Trouble::bad_input,
            {},
            {}};
      }
      if (!plain.empty()) pieces.push_back({false, std::move(plain)});
      plain.clear();
      pieces.push_back({true, std::string(text.substr(i + 1, end - i - 1))});
      i = end;
    } else if (c == '}') {
      return Error{fmt::format("In \"{}\": the \"}}\" at character {} opens nowhere; write }}}} for a brace.",
                               text.substr(0, 120), i + 1),
                   Trouble::bad_input,
                   {},
                   {}};
    } else {
      plain += c;
    }
  }
  if (!plain.empty()) pieces.push_back({false, std::move(plain)});
  return pieces;
}

Result<std::string> fill_in(std::string_view text, const Values& values) {
  const auto pieces = pieces_of(text);
  if (!pieces) return pieces.error();
  std::string result;
  for (const TextPiece& piece : *pieces) {
    if (!piece.expression) {
      result += piece.text;
      continue;
    }
    const auto value = evaluate(piece.text, values);
    if (!value) return value.error();
    result += std::to_string(*value);
  }
  return result;
}

}  // namespace warpbook
