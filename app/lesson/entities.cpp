// The named entities are a short list on purpose: a lesson may write any character itself.
#include "lesson/entities.h"

#include <array>
#include <utility>

#include "base/text.h"

namespace warpbook {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 36> named{{
    {"amp", "&"},       {"lt", "<"},     {"gt", ">"},     {"quot", "\""}, {"apos", "'"},
    {"nbsp", "\u00A0"}, {"copy", "©"},   {"reg", "®"},    {"deg", "°"},   {"plusmn", "±"},
    {"times", "×"},     {"divide", "÷"}, {"middot", "·"}, {"micro", "µ"}, {"sup2", "²"},
    {"sup3", "³"},      {"frac12", "½"}, {"ndash", "–"},  {"mdash", "—"}, {"hellip", "…"},
    {"lsquo", "‘"},     {"rsquo", "’"},  {"ldquo", "“"},  {"rdquo", "”"}, {"larr", "←"},
    {"uarr", "↑"},      {"rarr", "→"},   {"darr", "↓"},   {"le", "≤"},    {"ge", "≥"},
    {"ne", "≠"},        {"asymp", "≈"},  {"infin", "∞"},  {"sum", "∑"},   {"thinsp", "\u2009"},
    {"laquo", "«"},
}};

}  // namespace

std::string decode_entity(std::string_view entity) {
  if (entity.size() < 3 || entity.front() != '&' || entity.back() != ';') return std::string(entity);
  const std::string_view name = entity.substr(1, entity.size() - 2);
  if (name[0] == '#') {
    const bool hexadecimal = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
    const auto code =
        hexadecimal ? parse_uint("0x" + std::string(name.substr(2))) : parse_uint(name.substr(1));
    const bool surrogate = code && *code >= 0xD800 && *code <= 0xDFFF;
    if (!code || *code == 0 || *code > 0x10FFFF || surrogate) return "\uFFFD";
    const char32_t point = char32_t(*code);
    return encode_utf8({&point, 1});
  }
  for (const auto& [known, text] : named) {
    if (known == name) return std::string(text);
  }
  return std::string(entity);
}

std::string decode_entities(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t end = text[i] == '&' ? text.find(';', i) : std::string_view::npos;
    if (end == std::string_view::npos || end - i > 12) {
      result += text[i];
      continue;
    }
    const std::string decoded = decode_entity(text.substr(i, end - i + 1));
    result += decoded;
    i = end;
  }
  return result;
}

}  // namespace warpbook
