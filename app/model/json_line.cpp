// Walks valid JSON text along one pointer and counts line ends; nothing is built.
#include "model/json_line.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace warpbook {

namespace {

struct Walker {
  std::string_view text;
  size_t at = 0;

  char peek() {
    while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) ++at;
    return at < text.size() ? text[at] : '\0';
  }
  std::string_view string() {
    const size_t start = ++at;
    while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
    const size_t end = std::min(at, text.size());
    at = std::min(end + 1, text.size());
    return text.substr(start, end - start);
  }
  void skip_value() {
    const char first = peek();
    if (first == '"') {
      string();
    } else if (first == '{' || first == '[') {
      int depth = 0;
      do {
        const char c = peek();
        if (c == '"') {
          string();
          continue;
        }
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        ++at;
      } while (depth > 0 && at < text.size());
    } else {
      while (at < text.size() && std::string_view(",]} \t\r\n").find(text[at]) == std::string_view::npos)
        ++at;
    }
  }
  /// Moves to the child named `step`; false when there is none.
  bool enter(std::string_view step) {
    const char open = peek();
    if (open != '{' && open != '[') return false;
    size_t wanted = 0;
    std::from_chars(step.data(), step.data() + step.size(), wanted);
    ++at;
    for (size_t index = 0; at < text.size(); ++index) {
      const char c = peek();
      if (c == '}' || c == ']') return false;
      if (open == '{') {
        const bool found = string() == step;
        peek();
        ++at;  // the colon
        peek();
        if (found) return true;
      } else if (index == wanted) {
        return true;
      }
      skip_value();
      if (peek() == ',') ++at;
    }
    return false;
  }
};

}  // namespace

int line_of_pointer(std::string_view json, std::string_view pointer) {
  Walker walker{json};
  walker.peek();
  size_t place = walker.at;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view step = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(step.size());
    if (!walker.enter(step)) break;
    place = walker.at;
  }
  return 1 + int(std::count(json.begin(), json.begin() + std::ptrdiff_t(std::min(place, json.size())), '\n'));
}

}  // namespace warpbook
