#include "lab/mutate.h"

#include <fmt/format.h>

#include "lab/source_scan.h"

namespace warpbook {

namespace {

std::string with(std::string_view source, size_t offset, size_t length, std::string_view replacement) {
  std::string text(source.substr(0, offset));
  text += replacement;
  text += source.substr(offset + length);
  return text;
}

bool is(const std::vector<Token>& tokens, size_t at, std::string_view text) {
  return at < tokens.size() && tokens[at].text == text;
}

/// Marks each `<` and `>=` that stands in the condition of an if, or between a `?` and the start of its
/// expression.
std::vector<bool> guards_of(const std::vector<Token>& tokens) {
  std::vector<bool> guard(tokens.size(), false);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (is(tokens, i, "if") && is(tokens, i + 1, "(")) {
      int depth = 0;
      for (size_t k = i + 1; k < tokens.size(); ++k) {
        if (is(tokens, k, "(")) ++depth;
        if (is(tokens, k, ")") && --depth == 0) break;
        if (is(tokens, k, "<") || is(tokens, k, ">=")) guard[k] = true;
      }
    }
    if (is(tokens, i, "?")) {
      for (size_t k = i; k-- > 0;) {
        const std::string_view t = tokens[k].text;
        if (t == ";" || t == "{" || t == "}" || t == "=" || t == "return") break;
        if (t == "<" || t == ">=") guard[k] = true;
      }
    }
  }
  return guard;
}

}  // namespace

std::vector<Mutant> mutants_of(std::string_view source) {
  std::vector<Mutant> mutants;
  const std::vector<Token> tokens = tokens_of(source);
  const std::vector<bool> guard = guards_of(tokens);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (is(tokens, i, "__syncthreads") && is(tokens, i + 1, "(") && is(tokens, i + 2, ")")) {
      const size_t end = tokens[i + 2].offset + 1;
      mutants.push_back({fmt::format("without the __syncthreads() of line {}", tokens[i].line),
                         with(source, tokens[i].offset, end - tokens[i].offset, "")});
    }
    if (!guard[i]) continue;
    const std::string_view moved = tokens[i].text == "<" ? "<=" : ">";
    mutants.push_back({fmt::format("with {} in the guard of line {}", moved, tokens[i].line),
                       with(source, tokens[i].offset, tokens[i].text.size(), moved)});
  }
  return mutants;
}

}  // namespace warpbook
