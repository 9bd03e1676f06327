// A view's options: JSON values as text, read without a JSON library (this room knows none): strings,
// numbers, lists of strings are all that views ask for.
#include <cstdlib>

#include "base/text.h"
#include "view/view.h"

namespace warpbook::view {

namespace {

const std::string* find(const ViewInput& input, std::string_view key) {
  for (const auto& [name, value] : input.options) {
    if (name == key) return &value;
  }
  return nullptr;
}

/// Reads a quoted string from `at` (at its opening quote), leaves `at` behind the closing one.
std::string unquote(std::string_view text, size_t& at) {
  std::string out;
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    out += text[at];
  }
  if (at < text.size()) ++at;
  return out;
}

std::string plain(std::string_view value) {
  value = trim(value);
  if (value.empty() || value[0] != '"') return std::string(value);
  size_t at = 0;
  return unquote(value, at);
}

}  // namespace

std::string option_text(const ViewInput& input, std::string_view key, std::string_view fallback) {
  const std::string* value = find(input, key);
  return value ? plain(*value) : std::string(fallback);
}

double option_number(const ViewInput& input, std::string_view key, double fallback) {
  const std::string* value = find(input, key);
  if (!value) return fallback;
  return parse_double(trim(plain(*value))).value_or(fallback);
}

std::vector<std::string> option_list(const ViewInput& input, std::string_view key) {
  const std::string* value = find(input, key);
  std::vector<std::string> out;
  if (!value) return out;
  std::string_view text = trim(*value);
  if (text.empty() || text[0] != '[') return {plain(text)};
  for (size_t at = 1; at < text.size();) {
    if (text[at] == '"') {
      out.push_back(unquote(text, at));
    } else if (text[at] == ',' || text[at] == ']' || text[at] == ' ' || text[at] == '\n' ||
               text[at] == '\t') {
      ++at;
    } else {
      size_t end = text.find_first_of(",] \n\t", at);
      if (end == std::string_view::npos) end = text.size();
      out.emplace_back(text.substr(at, end - at));
      at = end;
    }
  }
  return out;
}

}  // namespace warpbook::view
