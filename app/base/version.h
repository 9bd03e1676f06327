#pragma once
// Versions of two parts as one number, to be compared.
#include <optional>
#include <string_view>

#include "base/text.h"

namespace warpbook {

/// "8.6" as 86, "9" as 90; 0 for what is no version.
inline int version_number(std::string_view text) {
  const auto parts = split(text, '.');
  const auto major = parse_int(parts[0]);
  const auto minor = parts.size() > 1 ? parse_int(parts[1]) : std::optional<int64_t>(0);
  return major && minor ? int(*major * 10 + *minor) : 0;
}

}  // namespace warpbook
