#pragma once
// Numbers into the bytes of an element: integers wrap to their type, floats round to nearest even.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "result/element.h"

namespace warpbook {

bool is_float(ElementType type);
/// The bits of `value` in a float type, rounded to nearest even (IEEE 754, binary16 and bfloat16 included).
uint64_t float_bits(ElementType type, double value);
/// The low bytes of `bits` at `to`, little-endian.
void store_bits(ElementType type, uint64_t bits, std::byte* to);
/// The bits of a number as people write it: decimal, or 0x as a bit pattern; for floats also nan and inf.
/// Integers must fit the type, read as signed or as unsigned.
Result<uint64_t> number_bits(ElementType type, std::string_view text);

}  // namespace warpbook
