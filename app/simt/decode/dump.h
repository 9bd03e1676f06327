#pragma once
// Decoded code as text, for tests and for looking at what decode made of a kernel.
#include <string>

#include "simt/code.h"

namespace warpbook::simt {

/// Blocks with their instructions; operands as n0, n1 (32-bit slots), w0 (64-bit), p0 (predicates), =5
/// (constants), %tid.x, param+8 and so on.
std::string dump(const CodeFunction& function);

}  // namespace warpbook::simt
