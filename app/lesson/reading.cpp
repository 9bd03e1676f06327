// Small readers that fail with the place of the value they read.
#include "lesson/reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "lesson/expression.h"

namespace warpbook {

std::string read_expression(const JsonNode& node) {
  if (!node.present()) return {};
  if (node.is_number()) return std::to_string(node.integer(0));
  const std::string text = node.text();
  if (const auto names = names_in(text); !names) node.fail(names.error().message);
  return text;
}

LocalText read_filled_text(const JsonNode& node) {
  LocalText text = node.local_text();
  for (const auto& [locale, words] : text.by_locale) {
    const auto pieces = pieces_of(words);
    if (!pieces) {
      node.fail(pieces.error().message);
      continue;
    }
    for (const TextPiece& piece : *pieces) {
      if (!piece.expression) continue;
      if (const auto names = names_in(piece.text); !names) node.fail(names.error().message);
    }
  }
  return text;
}

double read_margin(const JsonNode& node) {
  const double margin = node.number(0);
  if (margin < 0) node.fail("expected a number from 0.");
  return margin;
}

std::vector<JsonNode> list_or_nothing(const JsonNode& node) {
  return node.present() ? node.items() : std::vector<JsonNode>{};
}

bool is_slug(std::string_view name) {
  return !name.empty() && name.size() <= 60 && name.front() != '-' && name.back() != '-' &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

void check_name(const std::string& name, const JsonNode& node) {
  if (!is_slug(name)) {
    node.fail(fmt::format("\"{}\" is no name; expected lower-case letters, digits and hyphens.", name));
  }
}

}  // namespace warpbook
