// Markdown to blocks and runs.
#include "lesson/document.h"

#include "catch.h"
#include "folder.h"
#include "lesson/live_blocks.h"
#include "lesson/math_text.h"

using namespace warpbook;

namespace {

Document parsed(const std::string& markdown) {
  auto document = parse_document(markdown, "lesson.md");
  INFO(markdown << (document ? "" : document.error().message));
  REQUIRE(document);
  return *document;
}

Error refused(const std::string& markdown) {
  const auto document = parse_document(markdown, "lesson.md");
  REQUIRE_FALSE(document);
  CHECK(document.error().where.file == "lesson.md");
  return document.error();
}

std::string words(const std::vector<Run>& runs) {
  std::string text;
  for (const Run& run : runs) text += run.text;
  return text;
}

}  // namespace

TEST_CASE("headings, paragraphs and styles") {
  const Document page = parsed(
      "# Hello, *grid*\n\nA **bold** and `code`\nline with ~~old~~ text.  \nNext &lt;line&gt; &#960; &copy; "
      "&nosuch;.\n");
  REQUIRE(page.blocks.size() == 2);
  CHECK(page.blocks[0].kind == Block::Kind::heading);
  CHECK(page.blocks[0].level == 1);
  CHECK(page.blocks[0].runs[1].italic);
  const Block& text = page.blocks[1];
  CHECK(text.kind == Block::Kind::paragraph);
  CHECK(text.line == 3);
  CHECK(words(text.runs) == "A bold and code line with old text.Next <line> π © &nosuch;.");
  CHECK(text.runs[1].bold);
  CHECK(text.runs[3].code);
  bool broken = false, struck = false;
  for (const Run& run : text.runs) {
    broken = broken || run.line_break;
    struck = struck || run.strike;
  }
  CHECK(broken);
  CHECK(struck);
}

TEST_CASE("lists carry depth and numbers") {
  const Document page = parsed("3. three\n4. four\n   - inner\n     more\n\n   below\n- [x] done\n");
  REQUIRE(page.blocks.size() == 5);
  CHECK(page.blocks[0].kind == Block::Kind::numbered);
  CHECK(page.blocks[0].number == 3);
  CHECK(page.blocks[1].number == 4);
  CHECK(page.blocks[2].kind == Block::Kind::bullet);
  CHECK(page.blocks[2].level == 1);
  CHECK(words(page.blocks[2].runs) == "inner more");
  CHECK(page.blocks[3].kind == Block::Kind::paragraph);
  CHECK(page.blocks[3].level == 1);
  CHECK(words(page.blocks[4].runs) == "[x] done");
}

TEST_CASE("links, images, quotes, rules and tables") {
  const Document page = parsed(
      "See [the *grid*](../x.md#grid \"t\").\n\n![A map](map.png)\n\n> said\n\n---\n\n| a | b "
      "|\n|---|--:|\n| 1 | `2` |\n");
  REQUIRE(page.blocks.size() == 5);
  CHECK(page.blocks[0].runs[1].link == "../x.md#grid");
  CHECK(page.blocks[0].runs[2].link == "../x.md#grid");
  CHECK(page.blocks[0].runs[3].link.empty());
  CHECK(page.blocks[1].kind == Block::Kind::image);
  CHECK(page.blocks[1].text == "map.png");
  CHECK(words(page.blocks[1].runs) == "A map");
  CHECK(page.blocks[2].kind == Block::Kind::quote);
  CHECK(page.blocks[3].kind == Block::Kind::rule);
  const Block& table = page.blocks[4];
  CHECK(table.kind == Block::Kind::table);
  REQUIRE(table.rows.size() == 2);
  CHECK(words(table.rows[0][1]) == "b");
  CHECK(table.rows[1][1][0].code);
}

TEST_CASE("an image in a table does not swallow the table") {
  const Document page = parsed("| a |\n|---|\n| ![x](y.png) |\n");
  REQUIRE(page.blocks.size() == 2);
  CHECK(page.blocks[0].kind == Block::Kind::table);
  CHECK(page.blocks[1].kind == Block::Kind::image);
}

TEST_CASE("fences are code, or live blocks with their words and line") {
  const Document page = parsed(
      "text\n\n```cpp\nint a;\n\n  int b;\n```\n\n```lab cover\n```\n\n```quiz one two\n```\n\n```exercise "
      "cover-all\n```\n\n"
      "```code a.cu 3-9\n```\n\n```figure p.png\nThe caption.\n```\n\n    indented\n");
  REQUIRE(page.blocks.size() == 8);
  CHECK(page.blocks[1].kind == Block::Kind::code);
  CHECK(page.blocks[1].language == "cpp");
  CHECK(page.blocks[1].text == "int a;\n\n  int b;\n");
  CHECK(page.blocks[2].kind == Block::Kind::lab);
  CHECK(page.blocks[2].words == std::vector<std::string>{"cover"});
  CHECK(page.blocks[2].line == 9);
  CHECK(page.blocks[3].words == std::vector<std::string>{"one", "two"});
  CHECK(page.blocks[4].kind == Block::Kind::exercise);
  CHECK(page.blocks[5].kind == Block::Kind::live_code);
  CHECK(code_range_of(page.blocks[5])->first == 3);
  CHECK(code_range_of(page.blocks[5])->last == 9);
  CHECK(page.blocks[6].kind == Block::Kind::figure);
  CHECK(page.blocks[6].text == "p.png");
  CHECK(words(page.blocks[6].runs) == "The caption.");
  CHECK(page.blocks[7].kind == Block::Kind::code);
  CHECK(page.blocks[7].text == "indented\n");
}

TEST_CASE("malformed live blocks are errors with the line of their fence") {
  CHECK(refused("a\n\n```lab\n```\n").where.line == 3);
  CHECK(has(refused("```lab one two\n```\n").message, "name of one lab"));
  CHECK(has(refused("```code a.cu 9-3\n```\n").message, "range"));
  CHECK(has(refused("```code a.cu x\n```\n").message, "range"));
  CHECK(has(refused("```predict cover\nanswer: 1\n```\n").message, "question"));
  CHECK(has(refused("```predict cover\nquestion: q\n```\n").message, "answer"));
  CHECK(has(refused("x\n\ny\n\n```predict cover\nquestion: q\nanswr: 1\n```\n").message, "answr"));
  CHECK(refused("x\n\ny\n\n```predict cover\nquestion: q\nanswr: 1\n```\n").where.line == 5);
  CHECK(has(refused("```predict c\nquestion: q\nanswer: 1\nabs: -1\n```\n").message, "abs"));
}

TEST_CASE("a prediction is judged with its margin") {
  const Document page = parsed(
      "```predict cover\nquestion: How many\n  threads?\nanswer: n * 2\nbecause: It is {n * 2}.\nrel: "
      "0.1\n```\n");
  const auto prediction = prediction_of(page.blocks[0]);
  REQUIRE(prediction);
  CHECK(prediction->lab == "cover");
  CHECK(prediction->question == "How many threads?");
  const Values values{{"n", 50}};
  CHECK(judge(*prediction, 100, values)->right);
  CHECK(judge(*prediction, 91, values)->right);
  CHECK_FALSE(judge(*prediction, 89, values)->right);
  CHECK(judge(*prediction, 89, values)->because == "It is 100.");
  CHECK_FALSE(judge(*prediction, 89, {}));
}

TEST_CASE("mathematics becomes Unicode") {
  CHECK(math_as_text("\\lceil 1000 / 128 \\rceil = 8") == "⌈1000 / 128⌉ = 8");
  CHECK(math_as_text("2N^3") == "2N³");
  CHECK(math_as_text("x_{i+1}^{10}") == "xᵢ₊₁¹⁰");
  CHECK(math_as_text("2n^{T}") == "2n^T");
  CHECK(math_as_text("a_{max}") == "aₘₐₓ");
  CHECK(math_as_text("a_{w}") == "a_w");
  CHECK(math_as_text("\\frac{a+b}{2}") == "(a+b)/2");
  CHECK(math_as_text("\\sqrt{n} \\le \\pi") == "√(n) ≤ π");
  CHECK(math_as_text("i = \\text{blockIdx.x} \\cdot 4") == "i = blockIdx.x · 4");
  CHECK(math_as_text("\\nosuch{x}") == "\\nosuchx");
  CHECK(math_as_text("}{") == "}");
  CHECK(math_as_text("\\") == "\\");
  CHECK(math_as_text("^") == "");
  const Document page = parsed("A sum $\\sum_{i} a_i \\to z^2 + c$ here, and 5$.\n");
  CHECK(page.blocks[0].runs[1].math);
  CHECK(page.blocks[0].runs[1].text == "∑ᵢ aᵢ → z² + c");
  math_as_text(std::string(5000, '{') + "x");
}

TEST_CASE("pages that are no text are refused with their line") {
  CHECK(refused("a\nb\xff\n").where.line == 2);
  CHECK(has(refused("a\nb\xff\n").message, "UTF-8"));
  CHECK(has(refused(std::string("a\n\0", 3)).message, "NUL"));
  CHECK(has(refused(std::string(2 << 20, 'a')).message, "bytes"));
}

TEST_CASE("odd pages do no harm") {
  parsed("");
  parsed("\n\n\n");
  parsed("```lab cover");
  parsed(std::string(3000, '>') + " deep");
  parsed(std::string(2000, '[') + "x");
  parsed(std::string(2000, '*') + "x");
  std::string nested;
  for (int depth = 0; depth < 60; ++depth) nested += std::string(size_t(depth) * 2, ' ') + "- x\n";
  parsed(nested);
  parsed("- ```lab cover\n  ```\n- <b>html</b>\n\n<script>x</script>\n");
}

TEST_CASE("plain text has the words and no marks") {
  const std::string text = plain_text(parsed("# A *b*\n\nc `d`\n\n| e |\n|---|\n| f |\n\n```quiz g\n```\n"));
  CHECK(has(text, "A b\n"));
  CHECK(has(text, "c d\n"));
  CHECK(has(text, "f"));
  CHECK_FALSE(has(text, "*"));
  CHECK_FALSE(has(text, "g"));
}
