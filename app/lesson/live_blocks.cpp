// What each live block needs on its fence line and in its body.
#include "lesson/live_blocks.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/text.h"

namespace warpbook {

namespace {

Error malformed(std::string message) { return {std::move(message), Trouble::bad_input, {}, {}}; }

struct LiveKind {
  std::string_view keyword;
  Block::Kind kind;
  size_t least, most;      ///< words after the keyword
  std::string_view needs;  ///< in words
};

constexpr std::array<LiveKind, 6> live_kinds{{
    {"lab", Block::Kind::lab, 1, 1, "the name of one lab"},
    {"predict", Block::Kind::predict, 1, 1, "the name of one lab"},
    {"quiz", Block::Kind::quiz, 1, 20, "the names of questions"},
    {"exercise", Block::Kind::exercise, 1, 1, "the name of one exercise"},
    {"code", Block::Kind::live_code, 1, 2,
     "a file, and a range of lines such as 10-20 when not all of it is meant"},
    {"figure", Block::Kind::figure, 1, 1, "one picture file"},
}};

std::vector<std::string> words_of(const std::string& text) {
  const std::string with_spaces = replace_all(text, "\t", " ");
  std::vector<std::string> words;
  for (const std::string_view word : split(with_spaces, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

}  // namespace

Result<Done> make_live(Block& block, const std::string& info) {
  std::vector<std::string> words = words_of(info);
  if (words.empty()) return Done{};
  for (const LiveKind& live : live_kinds) {
    if (words[0] != live.keyword) continue;
    words.erase(words.begin());
    if (words.size() < live.least || words.size() > live.most) {
      return malformed(fmt::format("A {} block needs {}; found {} words after \"{}\".", live.keyword,
                                   live.needs, words.size(), live.keyword));
    }
    block.kind = live.kind;
    block.words = std::move(words);
    if (live.kind == Block::Kind::figure) {  // the body is the caption
      block.runs.push_back({});
      block.runs.back().text = std::string(trim(block.text));
      block.text = block.words[0];
    }
    if (live.kind == Block::Kind::predict) {
      if (const auto prediction = prediction_of(block); !prediction) return prediction.error();
    }
    if (live.kind == Block::Kind::live_code) {
      if (const auto range = code_range_of(block); !range) return range.error();
    }
    return Done{};
  }
  return Done{};
}

Result<Prediction> prediction_of(const Block& block) {
  Prediction prediction;
  prediction.lab = block.words.empty() ? std::string() : block.words[0];
  std::string* last = nullptr;
  for (const std::string_view line : lines_of(block.text)) {
    const size_t colon = line.find(':');
    const std::string_view key =
        colon == std::string_view::npos ? std::string_view() : trim(line.substr(0, colon));
    const std::string_view value = colon == std::string_view::npos ? line : trim(line.substr(colon + 1));
    if (trim(line).empty()) continue;
    std::string* text = key == "question"  ? &prediction.question
                        : key == "answer"  ? &prediction.answer
                        : key == "because" ? &prediction.because
                        : key == "unit"    ? &prediction.unit
                                           : nullptr;
    if (text) {
      *(last = text) = std::string(value);
    } else if (key == "abs" || key == "rel") {
      const auto number = parse_double(value);
      if (!number || !(*number >= 0))
        return malformed(fmt::format("In a predict block: {} needs a number from 0.", key));
      (key == "abs" ? prediction.abs : prediction.rel) = *number;
    } else if (last && (line[0] == ' ' || line[0] == '\t')) {  // an indented line goes on with the one above
      last->append(" ").append(trim(line));
    } else {
      return malformed(
          fmt::format("In a predict block: \"{}\" is not known; expected question, answer, because, unit, "
                      "abs or rel and a colon.",
                      trim(line).substr(0, 40)));
    }
  }
  if (prediction.question.empty()) return malformed("A predict block needs a line \"question: ...\".");
  if (prediction.answer.empty()) return malformed("A predict block needs a line \"answer: EXPRESSION\".");
  return prediction;
}

Result<PredictionJudgement> judge(const Prediction& prediction, double given, const Values& values) {
  const auto expected = evaluate(prediction.answer, values);
  if (!expected) return expected.error();
  const auto because = fill_in(prediction.because, values);
  if (!because) return because.error();
  const double margin = std::max(prediction.abs, prediction.rel * std::abs(double(*expected)));
  return PredictionJudgement{std::abs(given - double(*expected)) <= margin, *expected, *because};
}

Result<CodeRange> code_range_of(const Block& block) {
  CodeRange range;
  if (block.words.empty()) return malformed("A code block needs a file.");
  range.file = block.words[0];
  if (block.words.size() < 2) return range;
  const std::string& text = block.words[1];
  const size_t dash = text.find('-');
  const auto first = parse_int(std::string_view(text).substr(0, dash));
  const auto last = dash == std::string::npos ? first : parse_int(std::string_view(text).substr(dash + 1));
  if (!first || !last || *first < 1 || *last < *first || *last > 1000000) {
    return malformed(fmt::format("\"{}\" is no range of lines; expected one such as 10-20.", text));
  }
  range.first = int(*first);
  range.last = int(*last);
  return range;
}

}  // namespace warpbook
