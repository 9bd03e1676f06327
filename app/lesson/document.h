#pragma once
// A lesson's page: markdown parsed once into blocks of runs; live blocks (lab, predict, quiz, exercise, code,
// figure) stand among them. Drawing walks this every frame.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpbook {

struct Run {
  std::string text;
  bool bold = false, italic = false, code = false, strike = false, math = false;
  bool line_break = false;  ///< a hard break after it
  std::string link;         ///< target, or empty
};

struct Block {
  enum class Kind {
    heading,
    paragraph,
    bullet,
    numbered,
    quote,
    code,
    table,
    rule,
    image,
    lab,
    predict,
    quiz,
    exercise,
    live_code,
    figure
  };
  Kind kind = Kind::paragraph;
  int level = 0;          ///< headings 1..6; items: list depth from 0; other blocks: how many items hold them
  int number = 0;         ///< of a numbered item
  int line = 0;           ///< in the markdown file
  std::vector<Run> runs;  ///< text of headings, paragraphs, items, quotes
  std::string language;   ///< of a code block
  std::string text;       ///< raw content of code and live blocks; an image's or a figure's file
  std::vector<std::string> words;  ///< live blocks: what follows the keyword on the fence line
  std::vector<std::vector<std::vector<Run>>> rows;  ///< table: rows (first = head) of cells of runs
};

struct Document {
  std::vector<Block> blocks;
};

/// Parses GitHub-flavoured markdown with $math$. Malformed live blocks are errors with the file's line.
Result<Document> parse_document(std::string_view markdown, const std::string& file);
/// The plain words of a document, for search.
std::string plain_text(const Document& document);

}  // namespace warpbook
