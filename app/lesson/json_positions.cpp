// A scanner that only finds places; nlohmann/json has already said that the text is well formed.
#include "lesson/json_positions.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace warpbook {

namespace {

/// Past a string that starts at `at` (on its quote).
size_t past_string(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

/// Past blanks and comments.
size_t past_blanks(std::string_view text, size_t at) {
  while (at < text.size()) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at;
    } else if (c == '/' && at + 1 < text.size() && text[at + 1] == '/') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '/' && at + 1 < text.size() && text[at + 1] == '*') {
      const size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

/// The characters of a key. Escapes other than \u are resolved; a \u key is kept as written, which only costs
/// its line number.
std::string key_text(std::string_view raw) {
  std::string key;
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 >= raw.size() || raw[i + 1] == 'u') {
      key += raw[i];
      continue;
    }
    const char escaped = raw[++i];
    constexpr std::string_view from = "bfnrt", to = "\b\f\n\r\t";
    const size_t known = from.find(escaped);
    key += known == std::string_view::npos ? escaped : to[known];
  }
  return key;
}

struct Scanner {
  std::string_view text;
  JsonPositions found;
  size_t at = 0;

  char peek() {
    at = past_blanks(text, at);
    return at < text.size() ? text[at] : '\0';
  }
  void skip(char c) {
    if (peek() == c) ++at;
  }

  void object(const std::string& pointer) {
    std::set<std::string> keys;
    ++at;
    while (peek() == '"') {
      const size_t start = at;
      at = past_string(text, at);
      const std::string key = key_text(text.substr(start + 1, at - start - 2));
      const std::string child = pointer + "/" + pointer_step(key);
      if (!keys.insert(key).second && found.duplicate.empty()) {
        found.duplicate = child;
        found.duplicate_offset = start;
      }
      found.offset.emplace(child, start);
      skip(':');
      value(child);
      skip(',');
    }
    skip('}');
  }

  void array(const std::string& pointer) {
    ++at;
    for (int index = 0; peek() != ']' && at < text.size(); ++index) {
      const std::string child = pointer + "/" + std::to_string(index);
      found.offset.emplace(child, at);
      value(child);
      skip(',');
    }
    skip(']');
  }

  void value(const std::string& pointer) {
    const char c = peek();
    if (c == '{') {
      object(pointer);
    } else if (c == '[') {
      array(pointer);
    } else if (c == '"') {
      at = past_string(text, at);
    } else {
      // A number, true, false or null: at least one character, so that the scan always moves on.
      do {
        ++at;
      } while (at < text.size() && std::string_view(",]} \t\r\n/").find(text[at]) == std::string_view::npos);
    }
  }
};

}  // namespace

std::string pointer_step(std::string_view key) { return replace_all(replace_all(key, "~", "~0"), "/", "~1"); }

size_t first_too_deep(std::string_view text) {
  int depth = 0;
  for (size_t at = past_blanks(text, 0); at < text.size(); at = past_blanks(text, at)) {
    const char c = text[at];
    if (c == '"') {
      at = past_string(text, at);
      continue;
    }
    if ((c == '{' || c == '[') && ++depth > max_json_depth) return at;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
  return std::string_view::npos;
}

JsonPositions json_positions(std::string_view text) {
  Scanner scanner{text, {}, text.substr(0, 3) == "\xEF\xBB\xBF" ? size_t{3} : size_t{0}};
  scanner.found.offset.emplace("", scanner.at);
  scanner.value("");
  return std::move(scanner.found);
}

Location location_of(std::string_view text, size_t offset, const std::string& file) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const size_t line_start = before.rfind('\n');
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const size_t column = line_start == std::string_view::npos ? before.size() : before.size() - line_start - 1;
  return {file, int(lines) + 1, int(column) + 1};
}

}  // namespace warpbook
