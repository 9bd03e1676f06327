#pragma once
// One function: blocks, slots and decoded instructions.
#include <span>

#include "simt/code.h"
#include "simt/families.h"

namespace warpbook::simt {

/// Fills everything of `out` but what depends on other functions (recursive, blocks_may_communicate of
/// callees), and adds its sites and what handlers keep to `code`. `out.source` and `out.index` are set.
void decode_function(Code& code, CodeFunction& out, Level level, std::span<const Family> families);

}  // namespace warpbook::simt
