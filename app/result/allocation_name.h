#pragma once
// What an allocation of a whole program is called until the learner's own name for it is known: by the row of
// the tape that made it.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"

namespace warpbook {

inline constexpr std::string_view allocation_name_start = "allocation ";

inline std::string allocation_name(uint64_t row) { return fmt::format("{}{}", allocation_name_start, row); }

/// The row of such a name; null for any other name.
inline std::optional<uint64_t> row_of_allocation(std::string_view name) {
  if (!starts_with(name, allocation_name_start)) return std::nullopt;
  return parse_uint(name.substr(allocation_name_start.size()));
}

}  // namespace warpbook
