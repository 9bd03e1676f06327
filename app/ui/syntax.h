#pragma once
// Highlighting: CUDA C++ (and PTX) to coloured stretches of a line. A lexer, not a parser: it needs to know
// only where comments, strings, numbers and words begin and end.
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpbook::ui {

enum class TokenKind : uint8_t { plain, keyword, cuda, type, number, string, comment, preprocessor };

struct Token {
  size_t begin = 0, end = 0;  ///< bytes of the whole text
  TokenKind kind = TokenKind::plain;
};

enum class Language { cuda, ptx, none };
Language language_named(std::string_view fence_word);

/// Tokens in order, covering every byte that is no plain text; plain stretches between them are left out.
/// Never splits a UTF-8 sequence.
std::vector<Token> tokenize(std::string_view text, Language language);

}  // namespace warpbook::ui
