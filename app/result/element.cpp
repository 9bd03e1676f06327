// Elements of buffers as numbers and as text.
#include "result/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace warpbook {

namespace {

struct TypeRow {
  ElementType type;
  std::string_view name;
  uint32_t bytes;
};

constexpr std::array<TypeRow, 12> types{{{ElementType::i8, "i8", 1},
                                         {ElementType::u8, "u8", 1},
                                         {ElementType::i16, "i16", 2},
                                         {ElementType::u16, "u16", 2},
                                         {ElementType::i32, "i32", 4},
                                         {ElementType::u32, "u32", 4},
                                         {ElementType::i64, "i64", 8},
                                         {ElementType::u64, "u64", 8},
                                         {ElementType::f16, "f16", 2},
                                         {ElementType::bf16, "bf16", 2},
                                         {ElementType::f32, "f32", 4},
                                         {ElementType::f64, "f64", 8}}};

template <class T>
T load(const std::byte* data, uint64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

/// A small binary format: sign, `exponent_bits`, `mantissa_bits`, IEEE rules.
struct SmallFloat {
  int exponent_bits, mantissa_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};
constexpr SmallFloat half{5, 10};
constexpr SmallFloat brain{8, 7};

uint16_t pack(SmallFloat format, double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const uint16_t infinity = uint16_t(((1 << format.exponent_bits) - 1) << format.mantissa_bits);
  if (std::isnan(value)) return uint16_t(sign | infinity | (1 << (format.mantissa_bits - 1)));
  if (std::isinf(value)) return uint16_t(sign | infinity);
  const double size = std::fabs(value);
  if (size == 0) return sign;
  // The unit in the last place at this size; below the smallest normal number it stays that of the
  // subnormals.
  const int exponent = std::max(std::ilogb(size), 1 - format.bias());
  // Scaling by a power of two is exact, and nearbyint rounds to nearest even.
  const auto units = uint32_t(std::nearbyint(std::ldexp(size, format.mantissa_bits - exponent)));
  // Adding, not or-ing: a mantissa that rounds up carries into the exponent, which is the right result.
  const uint32_t base = uint32_t(exponent + format.bias() - 1) << format.mantissa_bits;
  const uint32_t bits = base + units;
  return uint16_t(sign | (bits >= infinity ? infinity : bits));
}

double unpack(SmallFloat format, uint16_t bits) {
  const int exponent = (bits & 0x7FFF) >> format.mantissa_bits;
  const int mantissa = bits & ((1 << format.mantissa_bits) - 1);
  const double sign = (bits & 0x8000) ? -1 : 1;
  if (exponent == (1 << format.exponent_bits) - 1) {
    return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - format.bias() - format.mantissa_bits);
  return sign *
         std::ldexp(mantissa + (1 << format.mantissa_bits), exponent - format.bias() - format.mantissa_bits);
}

/// The fewest digits that give the same bits again.
std::string shortest_text(SmallFloat format, uint16_t bits) {
  const double value = unpack(format, bits);
  if (value == std::trunc(value)) return fmt::format("{}", float(value));
  for (int digits = 1; digits < 6; ++digits) {
    std::string text = fmt::format("{:.{}g}", value, digits);
    if (pack(format, std::strtod(text.c_str(), nullptr)) == bits) return text;
  }
  return fmt::format("{}", value);
}

}  // namespace

uint32_t bytes_of(ElementType type) { return types[size_t(type)].bytes; }
std::string_view name_of(ElementType type) { return types[size_t(type)].name; }

std::optional<ElementType> element_type_named(std::string_view name) {
  for (const TypeRow& row : types) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

uint16_t f16_from_double(double value) { return pack(half, value); }
uint16_t bf16_from_double(double value) { return pack(brain, value); }
double f16_to_double(uint16_t bits) { return unpack(half, bits); }
double bf16_to_double(uint16_t bits) { return unpack(brain, bits); }

double element_as_double(ElementType type, const std::byte* data, uint64_t index) {
  switch (type) {
    case ElementType::i8: return load<int8_t>(data, index);
    case ElementType::u8: return load<uint8_t>(data, index);
    case ElementType::i16: return load<int16_t>(data, index);
    case ElementType::u16: return load<uint16_t>(data, index);
    case ElementType::i32: return load<int32_t>(data, index);
    case ElementType::u32: return load<uint32_t>(data, index);
    case ElementType::i64: return double(load<int64_t>(data, index));
    case ElementType::u64: return double(load<uint64_t>(data, index));
    case ElementType::f16: return f16_to_double(load<uint16_t>(data, index));
    case ElementType::bf16: return bf16_to_double(load<uint16_t>(data, index));
    case ElementType::f32: return load<float>(data, index);
    case ElementType::f64: return load<double>(data, index);
  }
  return 0;
}

std::string element_as_text(ElementType type, const std::byte* data, uint64_t index) {
  switch (type) {
    case ElementType::i64: return fmt::format("{}", load<int64_t>(data, index));
    case ElementType::u64: return fmt::format("{}", load<uint64_t>(data, index));
    case ElementType::f32: {
      const float value = load<float>(data, index);
      return std::isnan(value) ? "nan" : fmt::format("{}", value);
    }
    case ElementType::f64: {
      const double value = load<double>(data, index);
      return std::isnan(value) ? "nan" : fmt::format("{}", value);
    }
    case ElementType::f16:
    case ElementType::bf16: {
      const auto bits = load<uint16_t>(data, index);
      const SmallFloat format = type == ElementType::f16 ? half : brain;
      return std::isnan(unpack(format, bits)) ? "nan" : shortest_text(format, bits);
    }
    default: return fmt::format("{}", int64_t(element_as_double(type, data, index)));
  }
}

}  // namespace warpbook
