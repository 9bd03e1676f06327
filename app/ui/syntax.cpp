#include "ui/syntax.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace warpbook::ui {

namespace {

// Words by how they are coloured.
constexpr std::array<std::string_view, 54> cpp_words = {"alignas",
                                                        "alignof",
                                                        "asm",
                                                        "auto",
                                                        "break",
                                                        "case",
                                                        "catch",
                                                        "class",
                                                        "const",
                                                        "const_cast",
                                                        "constexpr",
                                                        "continue",
                                                        "decltype",
                                                        "default",
                                                        "delete",
                                                        "do",
                                                        "else",
                                                        "enum",
                                                        "explicit",
                                                        "extern",
                                                        "false",
                                                        "for",
                                                        "friend",
                                                        "goto",
                                                        "if",
                                                        "inline",
                                                        "mutable",
                                                        "namespace",
                                                        "new",
                                                        "noexcept",
                                                        "nullptr",
                                                        "operator",
                                                        "private",
                                                        "protected",
                                                        "public",
                                                        "register",
                                                        "reinterpret_cast",
                                                        "return",
                                                        "sizeof",
                                                        "static",
                                                        "static_assert",
                                                        "static_cast",
                                                        "struct",
                                                        "switch",
                                                        "template",
                                                        "this",
                                                        "throw",
                                                        "true",
                                                        "try",
                                                        "typename",
                                                        "union",
                                                        "using",
                                                        "virtual",
                                                        "while"};
constexpr std::array<std::string_view, 30> type_words = {
    "bool",     "char",    "double",   "double2", "dim3",     "float",  "float2",   "float3",
    "float4",   "half",    "half2",    "int",     "int16_t",  "int2",   "int32_t",  "int4",
    "int64_t",  "int8_t",  "long",     "short",   "signed",   "size_t", "uint16_t", "uint32_t",
    "uint64_t", "uint8_t", "unsigned", "void",    "volatile", "wchar_t"};
constexpr std::array<std::string_view, 18> cuda_words = {
    "__constant__", "__device__",   "__forceinline__", "__global__", "__host__",      "__launch_bounds__",
    "__managed__",  "__noinline__", "__restrict__",    "__shared__", "__syncthreads", "__syncwarp",
    "atomicAdd",    "blockDim",     "blockIdx",        "gridDim",    "threadIdx",     "warpSize"};

template <class Table>
bool has(const Table& table, std::string_view word) {
  return std::find(table.begin(), table.end(), word) != table.end();
}

bool word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }
bool word_part(char c) { return word_start(c) || digit(c); }

TokenKind kind_of_word(std::string_view word) {
  if (has(cuda_words, word) || starts_with(word, "__shfl_") || starts_with(word, "atomic") ||
      starts_with(word, "__syncthreads")) {
    return TokenKind::cuda;
  }
  if (has(type_words, word)) return TokenKind::type;
  if (has(cpp_words, word)) return TokenKind::keyword;
  return TokenKind::plain;
}

size_t end_of_number(std::string_view text, size_t at) {
  while (at < text.size()) {
    const char c = text[at];
    const bool exponent_sign = (c == '+' || c == '-') && (text[at - 1] == 'e' || text[at - 1] == 'E') &&
                               text.substr(0, at).find("0x", at > 18 ? at - 18 : 0) == std::string_view::npos;
    if (!word_part(c) && c != '.' && c != '\'' && !exponent_sign) break;
    ++at;
  }
  return at;
}

size_t end_of_quoted(std::string_view text, size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return std::min(text.size(), at < text.size() && text[at] == quote ? at + 1 : at);
}

std::vector<Token> tokenize_cuda(std::string_view text) {
  std::vector<Token> tokens;
  size_t at = 0;
  bool line_start = true;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\n') {
      line_start = true;
      ++at;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
      continue;
    }
    const size_t begin = at;
    const std::string_view rest = text.substr(at);
    if (starts_with(rest, "//")) {
      at = std::min(text.size(), text.find('\n', at));
      tokens.push_back({begin, at, TokenKind::comment});
    } else if (starts_with(rest, "/*")) {
      const size_t close = text.find("*/", at + 2);
      at = close == std::string_view::npos ? text.size() : close + 2;
      tokens.push_back({begin, at, TokenKind::comment});
    } else if (c == '#' && line_start) {
      ++at;
      while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
      while (at < text.size() && word_part(text[at])) ++at;
      tokens.push_back({begin, at, TokenKind::preprocessor});
      // The file name of an include reads as a string.
      if (text.substr(begin, at - begin).find("include") != std::string_view::npos) {
        size_t name = at;
        while (name < text.size() && text[name] == ' ') ++name;
        if (name < text.size() && text[name] == '<') {
          at = std::min({text.size(), text.find('>', name), text.find('\n', name)});
          if (at < text.size() && text[at] == '>') ++at;
          tokens.push_back({name, at, TokenKind::string});
        }
      }
    } else if (c == '"' || c == '\'') {
      at = end_of_quoted(text, at);
      tokens.push_back({begin, at, TokenKind::string});
    } else if (digit(c) || (c == '.' && at + 1 < text.size() && digit(text[at + 1]))) {
      at = end_of_number(text, at + 1);
      tokens.push_back({begin, at, TokenKind::number});
    } else if (word_start(c)) {
      while (at < text.size() && word_part(text[at])) ++at;
      const TokenKind kind = kind_of_word(text.substr(begin, at - begin));
      if (kind != TokenKind::plain) tokens.push_back({begin, at, kind});
    } else {
      ++at;
    }
    line_start = false;
  }
  return tokens;
}

// PTX: `.directive`s and types, %registers, opcodes at the start of a statement.
std::vector<Token> tokenize_ptx(std::string_view text) {
  std::vector<Token> tokens;
  size_t at = 0;
  bool statement_start = true;
  while (at < text.size()) {
    const char c = text[at];
    const size_t begin = at;
    const std::string_view rest = text.substr(at);
    if (c == '\n' || c == ';' || c == '{' || c == '}') {
      statement_start = true;
      ++at;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
    } else if (starts_with(rest, "//")) {
      at = std::min(text.size(), text.find('\n', at));
      tokens.push_back({begin, at, TokenKind::comment});
    } else if (c == '"') {
      at = end_of_quoted(text, at);
      tokens.push_back({begin, at, TokenKind::string});
    } else if (c == '@') {
      ++at;  // a guard stands before the opcode
    } else if (c == '%' || c == '$') {
      ++at;
      while (at < text.size() && (word_part(text[at]) || text[at] == '.')) ++at;
      tokens.push_back({begin, at, TokenKind::cuda});
    } else if (c == '.') {
      ++at;
      while (at < text.size() && word_part(text[at])) ++at;
      tokens.push_back({begin, at, statement_start ? TokenKind::preprocessor : TokenKind::type});
    } else if (digit(c)) {
      at = end_of_number(text, at + 1);
      tokens.push_back({begin, at, TokenKind::number});
    } else if (word_start(c)) {
      while (at < text.size() && (word_part(text[at]) || text[at] == '.' || text[at] == ':')) ++at;
      if (statement_start) tokens.push_back({begin, at, TokenKind::keyword});
      statement_start = false;
    } else {
      ++at;
      statement_start = false;
    }
  }
  return tokens;
}

}  // namespace

Language language_named(std::string_view fence_word) {
  for (const std::string_view name : {"cuda", "cu", "cpp", "c++", "c", "cuda-cpp"}) {
    if (fence_word == name) return Language::cuda;
  }
  return fence_word == "ptx" ? Language::ptx : Language::none;
}

std::vector<Token> tokenize(std::string_view text, Language language) {
  switch (language) {
    case Language::cuda: return tokenize_cuda(text);
    case Language::ptx: return tokenize_ptx(text);
    case Language::none: break;
  }
  return {};
}

}  // namespace warpbook::ui
