#pragma once
// A 128-bit content hash for cache names. Not for security.
#include <string>
#include <string_view>

namespace warpbook {

/// 32 hexadecimal digits.
std::string content_hash(std::string_view content);

}  // namespace warpbook
