// Blanks `__shared__` inside functions, so that the compiler describes what it would leave out (see
// debug_names.h). Lines and columns stay as they are.
#include <cctype>

#include "device/debug_names.h"

namespace warpbook {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

struct Blanker {
  std::string text;
  size_t at = 0;
  bool changed = false;
  std::vector<bool> in_function;  ///< of each open brace
  char last = 0;                  ///< the last character that is no blank and in no comment
  bool after_extern = false;

  void skip_comment(std::string_view end) {
    const size_t found = text.find(end, at + 2);
    at = found == std::string::npos ? text.size() : found + end.size();
  }
  void skip_literal(char quote) {
    for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at) {
      if (text[at] == '\\') ++at;
    }
    ++at;
    last = quote;
  }
  void word() {
    const size_t start = at;
    while (at < text.size() && is_word(text[at])) ++at;
    const std::string_view found = std::string_view(text).substr(start, at - start);
    last = text[at - 1];
    if (found == "extern") {
      after_extern = true;
    } else if (found == "__shared__" && !after_extern && !in_function.empty() && in_function.back()) {
      // `__shared__ extern` is the other order of the same thing.
      size_t next = at;
      while (next < text.size() && std::isspace(static_cast<unsigned char>(text[next]))) ++next;
      if (text.compare(next, 6, "extern") == 0) return;
      text.replace(start, found.size(), found.size(), ' ');
      changed = true;
    }
  }

  void run() {
    while (at < text.size()) {
      const char c = text[at];
      if (text.compare(at, 2, "//") == 0) {
        skip_comment("\n");
      } else if (text.compare(at, 2, "/*") == 0) {
        skip_comment("*/");
      } else if (c == '"' || c == '\'') {
        skip_literal(c);
      } else if (is_word(c)) {
        word();
      } else {
        if (c == '{') {
          // A function's body follows its parameters; braces inside it belong to it.
          in_function.push_back(last == ')' || (!in_function.empty() && in_function.back()));
        } else if (c == '}') {
          if (!in_function.empty()) in_function.pop_back();
        }
        if (c == ';' || c == '{' || c == '}') after_extern = false;
        if (!std::isspace(static_cast<unsigned char>(c))) last = c;
        ++at;
      }
    }
  }
};

}  // namespace

std::optional<std::string> without_shared(std::string_view source) {
  Blanker blanker;
  blanker.text = std::string(source);
  blanker.run();
  if (!blanker.changed) return std::nullopt;
  return std::move(blanker.text);
}

}  // namespace warpbook
