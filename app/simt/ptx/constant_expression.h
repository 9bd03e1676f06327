#pragma once
// Constant expressions (PTX ISA 4.6): integers of 64 bits and C's operators on them, wherever PTX takes an
// integer literal.
#include <optional>

#include "simt/ptx/scanner.h"

namespace warpbook::ptx {

/// An integer expression, or a single float literal. Nothing when none can be read there, or it divides by
/// zero.
std::optional<Number> constant_expression(Scanner& scanner);
/// A product of integers with its sign, as in `[address + 4 * 8]`: what follows by + or - is left.
std::optional<uint64_t> constant_product(Scanner& scanner);

}  // namespace warpbook::ptx
