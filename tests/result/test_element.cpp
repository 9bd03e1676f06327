// Elements: every type by name, as a number and as text; half and bfloat bit by bit.
#include <cmath>
#include <cstring>
#include <limits>

#include "catch.h"
#include "result/element.h"

using namespace warpbook;

namespace {

template <class T>
std::string text(ElementType type, T value) {
  std::byte data[2 * sizeof(T)];
  std::memcpy(data + sizeof(T), &value, sizeof(T));
  return element_as_text(type, data, 1);
}

}  // namespace

TEST_CASE("every element type has a name, a size and a way back") {
  for (int i = 0; i < 12; ++i) {
    const auto type = ElementType(i);
    CHECK(element_type_named(name_of(type)) == type);
    CHECK(bytes_of(type) >= 1);
  }
  CHECK(name_of(ElementType::bf16) == "bf16");
  CHECK(bytes_of(ElementType::f16) == 2);
  CHECK_FALSE(element_type_named("float"));
}

TEST_CASE("elements read as people write them") {
  CHECK(text(ElementType::i8, int8_t(-5)) == "-5");
  CHECK(text(ElementType::u8, uint8_t(200)) == "200");
  CHECK(text(ElementType::i64, INT64_MIN) == "-9223372036854775808");
  CHECK(text(ElementType::u64, UINT64_MAX) == "18446744073709551615");
  CHECK(text(ElementType::f32, 0.1f) == "0.1");
  CHECK(text(ElementType::f32, 16777217.0f) == "16777216");
  CHECK(text(ElementType::f64, 0.1 + 0.2) == "0.30000000000000004");
  CHECK(text(ElementType::f32, -INFINITY) == "-inf");
  CHECK(text(ElementType::f64, -std::nan("")) == "nan");
  CHECK(text(ElementType::f16, f16_from_double(0.1)) == "0.1");
  CHECK(text(ElementType::f16, f16_from_double(65504)) == "65504");
  CHECK(text(ElementType::bf16, bf16_from_double(3.140625)) == "3.14");
}

TEST_CASE("half rounds to nearest even, keeps subnormals and overflows to infinity") {
  CHECK(f16_from_double(1.0) == 0x3C00);
  CHECK(f16_from_double(-2.0) == 0xC000);
  CHECK(f16_from_double(65504.0) == 0x7BFF);
  CHECK(f16_from_double(65519.9) == 0x7BFF);
  CHECK(f16_from_double(65520.0) == 0x7C00);
  CHECK(f16_from_double(std::ldexp(1.0, -24)) == 0x0001);
  CHECK(f16_from_double(std::ldexp(1.0, -25)) == 0x0000);  // the tie goes to even
  CHECK(f16_from_double(std::ldexp(1.5, -25)) == 0x0001);
  CHECK(f16_from_double(std::ldexp(1023.5, -24)) == 0x0400);   // rounds up into the normal numbers
  CHECK(f16_from_double(1.0 + 1.0 / 2048) == 0x3C00);          // tie to even
  CHECK(f16_from_double(1.0 + 3.0 / 2048) == 0x3C02);          // tie to even, upward
  CHECK(f16_from_double(1.0 + 1.0 / 2048 + 1e-12) == 0x3C01);  // no double rounding by way of a float
  CHECK(f16_from_double(-0.0) == 0x8000);
  CHECK(f16_from_double(INFINITY) == 0x7C00);
  CHECK(std::isnan(f16_to_double(f16_from_double(NAN))));
}

TEST_CASE("every half and bfloat survives the way to double and back") {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = uint16_t(bits);
    if (!std::isnan(f16_to_double(half)) && f16_from_double(f16_to_double(half)) != half)
      FAIL("half " << bits);
    if (!std::isnan(bf16_to_double(half)) && bf16_from_double(bf16_to_double(half)) != half)
      FAIL("bfloat " << bits);
    float wide;
    const uint32_t word = bits << 16;
    std::memcpy(&wide, &word, 4);
    if (!std::isnan(wide) && bf16_to_double(half) != double(wide))
      FAIL("bfloat is the upper half of a float: " << bits);
  }
}
