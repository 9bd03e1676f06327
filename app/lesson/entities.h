#pragma once
// HTML entities of markdown as UTF-8: numeric ones, and the named ones that prose uses.
#include <string>
#include <string_view>

namespace warpbook {

/// "&lt;" -> "<", "&#960;" -> "π"; what is not known stays as written.
std::string decode_entity(std::string_view entity);
/// All entities of a text.
std::string decode_entities(std::string_view text);

}  // namespace warpbook
