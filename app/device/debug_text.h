#pragma once
// Values and elements in the learner's own notation, from the types of the debug information.
#include <cstdint>
#include <string>

#include "device/debug_info.h"

namespace warpbook {

/// "[16][3]", ".w[3]" or nothing: where `offset` bytes into an object of this type lie. Only the outermost
/// index leaves its range.
std::string element_path(const DebugInfo& info, int type, int64_t offset);

/// Bytes of the scalars that an object is made of; 0 when they are not all alike.
uint32_t scalar_bytes(const DebugInfo& info, int type);

/// Goes from a struct into the array member that starts at or holds `from`: name, type and offset become the
/// member's.
void enter_members(const DebugInfo& info, std::string& name, int& type, int64_t from, int64_t& offset);

/// A number, true or false, an enumerator; empty for what has no short text (pointers, structs, arrays).
std::string value_text(const DebugInfo& info, int type, uint64_t bits);

}  // namespace warpbook
