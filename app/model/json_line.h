#pragma once
// The line of a JSON value, so that an error about a figure can be opened at its place.
#include <string_view>

namespace warpbook {

/// Line (from 1) where the value at a JSON pointer (RFC 6901) starts in valid JSON text; of the nearest
/// parent that is there when the value is missing.
int line_of_pointer(std::string_view json, std::string_view pointer);

}  // namespace warpbook
