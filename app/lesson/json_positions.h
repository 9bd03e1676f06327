#pragma once
// Where the values of a JSON text stand: one scan gives the byte offset of every JSON pointer, so that an
// error about a value can name a line as well as an error of syntax can.
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace warpbook {

struct JsonPositions {
  std::map<std::string, size_t> offset;  ///< by JSON pointer (RFC 6901); of a member: its key
  std::string duplicate;  ///< pointer of the first key that stands twice in one object, or empty
  size_t duplicate_offset = 0;
};

/// The deepest nesting that is read; lessons need eight.
constexpr int max_json_depth = 64;

/// Offset of the bracket that opens one level too many, or npos. Works on any text.
size_t first_too_deep(std::string_view text);
/// The text must be valid JSON (with // and /* */ comments) of at most max_json_depth levels.
JsonPositions json_positions(std::string_view text);
/// Line and column, from 1, of a byte offset.
Location location_of(std::string_view text, size_t offset, const std::string& file);
/// One step of a pointer: "~" and "/" escaped.
std::string pointer_step(std::string_view key);

}  // namespace warpbook
