#pragma once
// Elements of a kernel's buffers: their types, and how one element reads.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook {

enum class ElementType : uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };
uint32_t bytes_of(ElementType type);
std::string_view name_of(ElementType type);
std::optional<ElementType> element_type_named(std::string_view name);
/// Element `index` of raw little-endian data as a double (64-bit integers may round).
double element_as_double(ElementType type, const std::byte* data, uint64_t index);
/// As a person reads it: integers in full, floats with the digits that tell them apart.
std::string element_as_text(ElementType type, const std::byte* data, uint64_t index);

/// Half and bfloat bits, rounded to nearest even from the double itself (never by way of a float).
uint16_t f16_from_double(double value);
uint16_t bf16_from_double(double value);
double f16_to_double(uint16_t bits);
double bf16_to_double(uint16_t bits);

/// A buffer argument after the run.
struct Output {
  std::string name;
  ElementType type = ElementType::i32;
  uint64_t count = 0;
  std::vector<std::byte> data;
  uint64_t checksum = 0;           ///< FNV-1a 64 of data
  std::optional<double> min, max;  ///< of the numbers that are no NaN
  uint64_t nan_count = 0;
};

}  // namespace warpbook
