#pragma once
// The decode functions of every family, one a line; table.cpp has their rows.
#include "simt/families.h"
#include "simt/ops/lanes.h"

namespace warpbook::simt::WARPBOOK_ISA {

// Arithmetic, logic, conversion (see the file named after each group).

// Control flow, barriers, warp-wide exchange.

// Memory.

}  // namespace warpbook::simt::WARPBOOK_ISA
