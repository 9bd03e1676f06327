// Divisions by zero and assertions: the divisor, and the values that the condition was about.
#include <fmt/format.h>

#include "lab/explain.h"

namespace warpbook {

namespace {

/// What is divided by in a statement: the factor behind / or %, when it is zero or its value is not known.
std::string divisor_in(const std::string& text, const KnownValues& values) {
  const std::vector<Token> tokens = tokens_of(text);
  std::string unknown;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != "/" && tokens[i].text != "%") continue;
    size_t end = i + 1;
    if (tokens[end].text == "=") ++end;  // /=
    const size_t first = end;
    int depth = 0;
    for (; end < tokens.size(); ++end) {
      const std::string_view t = tokens[end].text;
      if (t == "(" || t == "[") ++depth;
      if (t == ")" || t == "]") {
        if (depth == 0) break;
        if (--depth == 0 && (end + 1 >= tokens.size() || tokens[end + 1].text != "[")) {
          ++end;
          break;
        }
        continue;
      }
      const bool goes_on = depth > 0 || tokens[end].kind == Token::Kind::word ||
                           tokens[end].kind == Token::Kind::number || t == ".";
      if (!goes_on) break;
    }
    if (end <= first) continue;
    const size_t stop = tokens[end - 1].offset + tokens[end - 1].text.size();
    const std::string divisor = text.substr(tokens[first].offset, stop - tokens[first].offset);
    const auto value = value_of(divisor, values);
    if (value == 0) return divisor;
    if (!value && unknown.empty()) unknown = divisor;
  }
  return unknown;
}

}  // namespace

void explain_arithmetic(Diagnosis& d, const Situation& situation) {
  const Statement* statement = situation.source.at(d.line);
  if (!statement) return;
  const KnownValues values = values_of(d, situation);
  if (d.kind == "assert") {
    const size_t open = d.message.find('`'), close = d.message.rfind('`');
    if (open == std::string::npos || close <= open) return;
    const std::string why =
        values_text(SourceStructure::names_in(d.message.substr(open + 1, close - open - 1)), values);
    if (!why.empty() && d.message.back() == '.') {
      d.message.pop_back();
      d.message += fmt::format("; {}.", why);
    }
    return;
  }
  const std::string divisor = divisor_in(situation.source.text(*statement), values);
  if (divisor.empty() || !d.thread || !d.block) return;
  d.message = fmt::format(
      "Thread ({},{},{}) of block ({},{},{}) divides by {}, which is 0; a GPU does not stop at it, "
      "the result is just a meaningless number.",
      d.thread->x, d.thread->y, d.thread->z, d.block->x, d.block->y, d.block->z, divisor);
  d.hint = fmt::format("Test {} != 0 before the division, or make sure that it is never zero.", divisor);
}

}  // namespace warpbook
