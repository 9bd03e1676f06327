#include "lab/encode.h"

#include <fmt/format.h>

#include <bit>
#include <limits>

#include "base/complaint.h"
#include "base/text.h"

namespace warpbook {

namespace {

Error not_a_number(ElementType type, std::string_view text) {
  return complaint(fmt::format("\"{}\" is no {} number", text, name_of(type)));
}

}  // namespace

bool is_float(ElementType type) {
  return type == ElementType::f16 || type == ElementType::bf16 || type == ElementType::f32 ||
         type == ElementType::f64;
}

uint64_t float_bits(ElementType type, double value) {
  switch (type) {
    case ElementType::f16: return f16_from_double(value);
    case ElementType::bf16: return bf16_from_double(value);
    case ElementType::f32: return std::bit_cast<uint32_t>(float(value));
    default: return std::bit_cast<uint64_t>(value);
  }
}

void store_bits(ElementType type, uint64_t bits, std::byte* to) {
  const uint32_t bytes = bytes_of(type);
  for (uint32_t i = 0; i < bytes; ++i) to[i] = std::byte(bits >> (8 * i));
}

Result<uint64_t> number_bits(ElementType type, std::string_view text) {
  text = trim(text);
  const uint32_t width = 8 * bytes_of(type);
  const uint64_t most = width == 64 ? std::numeric_limits<uint64_t>::max() : (uint64_t{1} << width) - 1;
  const bool pattern = starts_with(text, "0x") || starts_with(text, "0X");
  if (pattern || !is_float(type)) {
    uint64_t bits = 0;
    if (starts_with(text, "-")) {
      const auto number = parse_int(text);
      if (!number) return not_a_number(type, text);
      if (width < 64 && *number < -(int64_t{1} << (width - 1)))
        return complaint(fmt::format("{} does not fit into {}", text, name_of(type)));
      bits = uint64_t(*number) & most;
    } else {
      const auto number = parse_uint(starts_with(text, "+") ? text.substr(1) : text);
      if (!number) return not_a_number(type, text);
      if (*number > most) return complaint(fmt::format("{} does not fit into {}", text, name_of(type)));
      bits = *number;
    }
    return bits;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  if (text == "nan") return float_bits(type, std::numeric_limits<double>::quiet_NaN());
  if (text == "inf" || text == "+inf") return float_bits(type, infinity);
  if (text == "-inf") return float_bits(type, -infinity);
  std::string_view digits = starts_with(text, "+") ? text.substr(1) : text;
  // A learner's habit: 1.5f.
  if (digits.size() > 1 && (digits.back() == 'f' || digits.back() == 'F')) digits.remove_suffix(1);
  const auto number = parse_double(digits);
  if (!number) return not_a_number(type, text);
  return float_bits(type, *number);
}

}  // namespace warpbook
