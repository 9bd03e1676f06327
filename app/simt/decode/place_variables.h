#pragma once
// The layout of a function's parameters and of each activation's local memory.
#include "simt/code.h"

namespace warpbook::simt {

/// Fills `places`, `local_bytes`, `depot_bytes` and `parameter_bytes`; `out.source` is set.
void place_variables(CodeFunction& out);

}  // namespace warpbook::simt
