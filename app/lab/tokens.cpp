// C++ text to tokens, as far as finding kernels and their parameters needs.
#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "lab/source_scan.h"

namespace warpbook {

namespace {

struct Tokenizer {
  std::string_view text;
  size_t at = 0;
  int line = 1;
  bool line_start = true;
  std::vector<Token> tokens;

  bool ahead(std::string_view what) const { return text.substr(at, what.size()) == what; }
  void step() {
    if (text[at] == '\n') {
      ++line;
      line_start = true;
    }
    ++at;
  }
  void skip_past(std::string_view end) {
    while (at < text.size() && !ahead(end)) step();
    for (size_t i = 0; i < end.size() && at < text.size(); ++i) step();
  }
  void emit(Token::Kind kind, size_t start, int start_line) {
    tokens.push_back({kind, text.substr(start, at - start), start, start_line});
    line_start = false;
  }
  /// One preprocessor line with its continuations; its text.
  std::string_view directive() {
    const size_t start = at;
    while (at < text.size() && text[at] != '\n') {
      if (ahead("/*")) {
        skip_past("*/");
      } else if (text[at] == '\\' && at + 1 < text.size()) {
        step();
        if (text[at] == '\r' && at + 1 < text.size()) step();
        step();
      } else {
        step();
      }
    }
    return text.substr(start, at - start);
  }
  /// From behind `#if 0` to its #else, #elif or #endif.
  void skip_disabled() {
    for (int depth = 1; depth > 0 && at < text.size();) {
      while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) step();
      if (at >= text.size()) return;
      if (text[at] != '#') {
        while (at < text.size() && text[at] != '\n') step();
        continue;
      }
      const std::string_view word = trim(directive().substr(1));
      if (starts_with(word, "if")) ++depth;
      if (starts_with(word, "endif")) --depth;
      if (depth == 1 && starts_with(word, "el")) return;
    }
  }
  void string_literal(char quote) {
    const size_t start = at;
    const int start_line = line;
    step();
    while (at < text.size() && text[at] != quote && text[at] != '\n') {
      if (text[at] == '\\' && at + 1 < text.size()) step();
      step();
    }
    if (at < text.size()) step();
    emit(Token::Kind::text, start, start_line);
  }
  void raw_string() {
    const size_t open = text.find('(', at);
    if (open == std::string_view::npos) {
      at = text.size();
      return;
    }
    std::string end(1, ')');
    end.append(text.substr(at + 2, open - at - 2)).append(1, '"');
    skip_past(end);
  }

  void run() {
    while (at < text.size()) {
      const auto c = static_cast<unsigned char>(text[at]);
      const size_t start = at;
      const int start_line = line;
      if (std::isspace(c)) {
        step();
      } else if (ahead("//")) {
        while (at < text.size() && text[at] != '\n') step();
      } else if (ahead("/*")) {
        at += 2;
        skip_past("*/");
      } else if (c == '#' && line_start) {
        const std::string_view word = trim(directive().substr(1));
        if (word == "if 0" || word == "if false") skip_disabled();
      } else if (ahead("R\"")) {
        raw_string();
      } else if (c == '"' || c == '\'') {
        string_literal(char(c));
      } else if (std::isalpha(c) || c == '_') {
        while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
          ++at;
        emit(Token::Kind::word, start, start_line);
      } else if (std::isdigit(c)) {
        while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '.' ||
                                    (text[at] == '\'' && at + 1 < text.size() &&
                                     std::isalnum(static_cast<unsigned char>(text[at + 1])))))
          ++at;
        emit(Token::Kind::number, start, start_line);
      } else {
        constexpr std::string_view pairs[] = {"<<", ">>", "::", "<=", ">=", "==", "!=", "&&", "||", "->"};
        const bool pair = std::any_of(std::begin(pairs), std::end(pairs), [&](auto p) { return ahead(p); });
        at += pair ? 2 : 1;
        emit(Token::Kind::mark, start, start_line);
      }
    }
  }
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) {
  Tokenizer tokenizer{source, 0, 1, true, {}};
  tokenizer.run();
  return std::move(tokenizer.tokens);
}

}  // namespace warpbook
