#pragma once
// Small text helpers: splitting, numbers, UTF-8. Positions and columns count bytes unless a name says
// otherwise.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook {

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
/// Lines without their line ends; a last line without '\n' counts, an empty text has none.
std::vector<std::string_view> lines_of(std::string_view text);
bool starts_with(std::string_view text, std::string_view prefix);
std::string replace_all(std::string_view text, std::string_view from, std::string_view to);
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Decimal or 0x numbers, the whole text or nothing.
std::optional<int64_t> parse_int(std::string_view text);
std::optional<uint64_t> parse_uint(std::string_view text);
std::optional<double> parse_double(std::string_view text);

/// Position of the first byte that is not valid UTF-8, or npos.
size_t first_invalid_utf8(std::string_view text);
/// The code points of valid UTF-8; invalid bytes become U+FFFD.
std::u32string decode_utf8(std::string_view text);
std::string encode_utf8(std::u32string_view text);

/// 1234567 -> "1,234,567".
std::string with_thousands(uint64_t number);
/// The nearest of `known` to `word` by edit distance (at most a third of its length), for "did you mean".
std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace warpbook
