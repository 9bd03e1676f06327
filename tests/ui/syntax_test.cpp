// The lexer behind highlighting.
#include "ui/syntax.h"

#include "catch.h"

using namespace warpbook::ui;

namespace {

std::vector<std::pair<std::string, TokenKind>> words_of(std::string_view code,
                                                        Language language = Language::cuda) {
  std::vector<std::pair<std::string, TokenKind>> words;
  for (const Token& token : tokenize(code, language)) {
    words.emplace_back(std::string(code.substr(token.begin, token.end - token.begin)), token.kind);
  }
  return words;
}

using Words = std::vector<std::pair<std::string, TokenKind>>;

}  // namespace

TEST_CASE("CUDA words, types, numbers and keywords are told apart") {
  CHECK(words_of("__global__ void f(int n) { return 1.5f; }") == Words{{"__global__", TokenKind::cuda},
                                                                       {"void", TokenKind::type},
                                                                       {"int", TokenKind::type},
                                                                       {"return", TokenKind::keyword},
                                                                       {"1.5f", TokenKind::number}});
}

TEST_CASE("comments and strings hide what stands in them") {
  CHECK(words_of("// int\n\"int // x\" /* for */") == Words{{"// int", TokenKind::comment},
                                                            {"\"int // x\"", TokenKind::string},
                                                            {"/* for */", TokenKind::comment}});
}

TEST_CASE("an unclosed comment and an unclosed string end with the text and the line") {
  CHECK(words_of("/* open") == Words{{"/* open", TokenKind::comment}});
  CHECK(words_of("\"open\nint") == Words{{"\"open", TokenKind::string}, {"int", TokenKind::type}});
  CHECK(words_of("\"open\\") == Words{{"\"open\\", TokenKind::string}});
}

TEST_CASE("an include shows its file as a string") {
  CHECK(words_of("#include <cstdio>\n") ==
        Words{{"#include", TokenKind::preprocessor}, {"<cstdio>", TokenKind::string}});
}

TEST_CASE("exponents belong to numbers, plus signs between numbers do not") {
  CHECK(words_of("1e-3 0x1F+2") ==
        Words{{"1e-3", TokenKind::number}, {"0x1F", TokenKind::number}, {"2", TokenKind::number}});
}

TEST_CASE("no token begins or ends within a letter with an accent") {
  const std::string code = "// ação\nint ção; \"é\" x";
  for (const Token& token : tokenize(code, Language::cuda)) {
    CHECK((static_cast<unsigned char>(code[token.begin]) & 0xc0) != 0x80);
    if (token.end < code.size()) CHECK((static_cast<unsigned char>(code[token.end]) & 0xc0) != 0x80);
  }
}

TEST_CASE("PTX opcodes, registers and types are told apart") {
  const Words words = words_of("@%p1 add.s32 %r1, %r2, 5; // sum", Language::ptx);
  CHECK(words == Words{{"%p1", TokenKind::cuda},
                       {"add.s32", TokenKind::keyword},
                       {"%r1", TokenKind::cuda},
                       {"%r2", TokenKind::cuda},
                       {"5", TokenKind::number},
                       {"// sum", TokenKind::comment}});
}

TEST_CASE("tokens are in order and do not overlap, whatever the bytes") {
  std::string noise;
  uint32_t seed = 7;
  for (int i = 0; i < 5000; ++i) {
    seed = seed * 1664525u + 1013904223u;
    noise += "\"'/*\\#.0x<>\n ab{}%@$;"[(seed >> 16) % 22];
  }
  for (const Language language : {Language::cuda, Language::ptx}) {
    size_t end = 0;
    for (const Token& token : tokenize(noise, language)) {
      CHECK(token.begin >= end);
      CHECK(token.end > token.begin);
      end = token.end;
    }
    CHECK(end <= noise.size());
  }
}
