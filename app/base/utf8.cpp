// UTF-8 to code points and back. Well-formed byte sequences are those of table 3-7 of the Unicode standard:
// no overlong forms, no surrogates, nothing past U+10FFFF.
#include "base/text.h"

namespace warpbook {

namespace {

/// Length of the well-formed sequence at the start of `text`, or 0; fills its code point.
size_t sequence_at(std::string_view text, char32_t& code_point) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    code_point = lead;
    return 1;
  }
  size_t length = 0;
  char32_t lowest = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2, lowest = 0x80, code_point = lead & 0x1F;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3, lowest = 0x800, code_point = lead & 0x0F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4, lowest = 0x10000, code_point = lead & 0x07;
  } else {
    return 0;
  }
  if (text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code_point = (code_point << 6) | (byte(i) & 0x3F);
  }
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < lowest || surrogate || code_point > 0x10FFFF) return 0;
  return length;
}

}  // namespace

size_t first_invalid_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    char32_t code_point = 0;
    const size_t length = sequence_at(text.substr(at), code_point);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::u32string decode_utf8(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    char32_t code_point = 0;
    const size_t length = sequence_at(text.substr(at), code_point);
    result += length == 0 ? U'\uFFFD' : code_point;
    at += length == 0 ? 1 : length;
  }
  return result;
}

std::string encode_utf8(std::u32string_view text) {
  std::string result;
  result.reserve(text.size());
  const auto tail = [&](char32_t c, int shift) { result += char(0x80 | ((c >> shift) & 0x3F)); };
  for (char32_t c : text) {
    if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = U'\uFFFD';
    if (c < 0x80) {
      result += char(c);
    } else if (c < 0x800) {
      result += char(0xC0 | (c >> 6));
      tail(c, 0);
    } else if (c < 0x10000) {
      result += char(0xE0 | (c >> 12));
      tail(c, 6), tail(c, 0);
    } else {
      result += char(0xF0 | (c >> 18));
      tail(c, 12), tail(c, 6), tail(c, 0);
    }
  }
  return result;
}

}  // namespace warpbook
