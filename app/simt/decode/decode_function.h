#pragma once
// One function: blocks, slots and decoded instructions.
#include <span>

#include "simt/code.h"
#include "simt/decode/unwritten_values.h"
#include "simt/families.h"
#include "simt/local_objects.h"

namespace warpbook::simt {

/// Fills everything of `out` but what depends on other functions (recursive, blocks_may_communicate of
/// callees), and adds its sites and what handlers keep to `code`. `out.source` and `out.index` are set.
/// `values`: the registers that are followed by the code (UnwrittenValues); null = none. `objects`: variables
/// that indices are kept within, with `values` only.
void decode_function(Code& code, CodeFunction& out, Level level, std::span<const Family> families,
                     const UnwrittenValues* values, const LocalObjects& objects);

}  // namespace warpbook::simt
