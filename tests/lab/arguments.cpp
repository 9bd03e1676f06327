// SPECs against values worked out by hand.
#include "lab/arguments.h"

#include <cmath>
#include <cstring>

#include "catch.h"

using namespace warpbook;

namespace {

template <class T>
std::vector<T> values(const std::string& spec, uint64_t seed = 0) {
  const auto argument = parse_argument(spec, {}, seed);
  INFO(spec);
  INFO((argument ? std::string() : to_string(argument.error())));
  REQUIRE(argument.ok());
  REQUIRE(argument->bytes.size() % sizeof(T) == 0);
  std::vector<T> out(argument->bytes.size() / sizeof(T));
  std::memcpy(out.data(), argument->bytes.data(), argument->bytes.size());
  return out;
}

std::string refused(const std::string& spec) {
  const auto argument = parse_argument(spec);
  INFO(spec);
  REQUIRE_FALSE(argument.ok());
  CHECK(argument.error().trouble == Trouble::bad_input);
  return argument.error().message + " " + argument.error().hint;
}

}  // namespace

TEST_CASE("Each INIT gives the values that its name says") {
  CHECK(values<int32_t>("a=buf:i32[4]:zeros") == std::vector<int32_t>{0, 0, 0, 0});
  CHECK(values<int32_t>("a=buf:i32[4]:iota") == std::vector<int32_t>{0, 1, 2, 3});
  CHECK(values<float>("a=buf:f32[3]:iota") == std::vector<float>{0, 1, 2});
  CHECK(values<int32_t>("a=buf:i32[3]:value(-1)") == std::vector<int32_t>{-1, -1, -1});
  CHECK(values<uint32_t>("a=buf:u32[2]:value(-1)") == std::vector<uint32_t>{0xffffffffu, 0xffffffffu});
  CHECK(values<float>("a=buf:f32[2]:value(1.5f)") == std::vector<float>{1.5f, 1.5f});
  CHECK(values<int32_t>("a=buf:i32[4]:affine(10,7)") == std::vector<int32_t>{7, 17, 27, 37});
  CHECK(values<double>("a=buf:f64[3]:affine(0.5,-1)") == std::vector<double>{-1, -0.5, 0});
  CHECK(values<int8_t>("a=buf:i8[4]:affine(100,0)") == std::vector<int8_t>{0, 100, -56, 44});
  CHECK(values<uint8_t>("a=buf:u8[3]:affine(-1,1)") == std::vector<uint8_t>{1, 0, 255});
  CHECK(values<int16_t>("a=buf:i16[6]:mod(4)") == std::vector<int16_t>{0, 1, 2, 3, 0, 1});
  CHECK(values<double>("a=buf:f64[4]:onehot(2)") == std::vector<double>{0, 0, 1, 0});
  CHECK(values<int64_t>("a=buf:i64[3]:list(1,-2,9223372036854775807)") ==
        std::vector<int64_t>{1, -2, INT64_MAX});
  CHECK(values<float>("a=buf:f32[2]:list(0x3f800000,0xc0000000)") == std::vector<float>{1, -2});
  CHECK(values<uint32_t>("a=buf:u32[2]:hex(ff,0x80000000)") == std::vector<uint32_t>{255, 0x80000000u});
  CHECK(values<float>("a=buf:f32[1]:hex(3fc00000)") == std::vector<float>{1.5f});
}

TEST_CASE("random is the generator that the notes define") {
  // x = 1664525 x + 1013904223 (mod 2^32), value = lo + (x >> 8) mod (hi - lo + 1); worked out for seed 1:
  // x1 = 1015568748, x2 = 1586005467, x3 = 2165703038.
  CHECK(values<int32_t>("a=buf:i32[3]:random(1,0,9)") ==
        std::vector<int32_t>{int32_t((1015568748u >> 8) % 10), int32_t((1586005467u >> 8) % 10),
                             int32_t((2165703038u >> 8) % 10)});
  CHECK(values<float>("a=buf:f32[1]:random(1,-5,4)") ==
        std::vector<float>{float(-5 + int((1015568748u >> 8) % 10))});
  CHECK(values<int32_t>("a=buf:i32[2]:random(3,7,7)") == std::vector<int32_t>{7, 7});
  // Another seed of the run gives other numbers, the same each time.
  const auto other = values<int32_t>("a=buf:i32[8]:random(1,0,1000)", 5);
  CHECK(other == values<int32_t>("a=buf:i32[8]:random(1,0,1000)", 5));
  CHECK(other != values<int32_t>("a=buf:i32[8]:random(1,0,1000)"));
}

TEST_CASE("Half and bfloat values are rounded to nearest even") {
  CHECK(values<uint16_t>("a=buf:f16[4]:list(1,-2,65504,0.0000000596046448)") ==
        std::vector<uint16_t>{0x3c00, 0xc000, 0x7bff, 0x0001});
  CHECK(values<uint16_t>("a=buf:f16[3]:list(2049,2051,65520)") ==
        std::vector<uint16_t>{0x6800, 0x6802, 0x7c00});
  CHECK(values<uint16_t>("a=buf:bf16[3]:list(1,1.00390625,-3)") ==
        std::vector<uint16_t>{0x3f80, 0x3f80, 0xc040});
}

TEST_CASE("Scalars, structs and null") {
  CHECK(values<int32_t>("n=i32:-7") == std::vector<int32_t>{-7});
  CHECK(values<uint64_t>("n=u64:18446744073709551615") == std::vector<uint64_t>{UINT64_MAX});
  CHECK(values<float>("x=f32:-0.743") == std::vector<float>{-0.743f});
  CHECK(values<float>("x=f32:0x7f800000")[0] == INFINITY);
  CHECK(std::isnan(values<double>("x=f64:nan")[0]));
  CHECK(values<uint8_t>("p=struct:0502fF") == std::vector<uint8_t>{5, 2, 255});
  const auto null = parse_argument("w=null");
  REQUIRE(null.ok());
  CHECK(null->kind == ArgumentSpec::Kind::null);
  const auto untouched = parse_argument(" out = buf:f32[10]:uninit ");
  REQUIRE(untouched.ok());
  CHECK(untouched->name == "out");
  CHECK(untouched->uninitialised);
  CHECK(untouched->count == 10);
  CHECK(untouched->bytes.empty());
}

TEST_CASE("Wrong SPECs name the argument and the part that is wrong") {
  CHECK(refused("n").find("is no argument") != std::string::npos);
  CHECK(refused("=i32:3").find("is no argument") != std::string::npos);
  CHECK(refused("n=i32:3.5").find("argument n: \"3.5\" is no i32 number") != std::string::npos);
  CHECK(refused("n=i33:3").find("bf16") != std::string::npos);
  CHECK(refused("n=i8:300").find("does not fit") != std::string::npos);
  CHECK(refused("n=i8:-129").find("does not fit") != std::string::npos);
  CHECK(refused("a=buf:i32:zeros").find("[COUNT]") != std::string::npos);
  CHECK(refused("a=buf:i32[x]:zeros").find("whole number") != std::string::npos);
  CHECK(refused("a=buf:i32[-1]:zeros").find("whole number") != std::string::npos);
  CHECK(refused("a=buf:i32[4]").find("filled") != std::string::npos);
  CHECK(refused("a=buf:i32[4]:ones").find("iota") != std::string::npos);
  CHECK(refused("a=buf:i32[4]:value").find("takes 1 value") != std::string::npos);
  CHECK(refused("a=buf:i32[4]:list(1,2)").find("2 values for 4 elements") != std::string::npos);
  CHECK(refused("a=buf:i32[4]:mod(0)").find("at least 1") != std::string::npos);
  CHECK(refused("a=buf:i32[4]:onehot(4)").find("outside") != std::string::npos);
  CHECK(refused("a=buf:i32[4]:random(1,5,2)").find("lo <= hi") != std::string::npos);
  CHECK(refused("a=buf:i32[4]:value(1").find("parenthesis") != std::string::npos);
  CHECK(refused("a=buf:u16[1]:hex(12345)").find("bit pattern") != std::string::npos);
  CHECK(refused("a=buf:f32[1]:list(one)").find("no f32 number") != std::string::npos);
  CHECK(refused("p=struct:123").find("pairs") != std::string::npos);
  CHECK(refused("p=struct:0g").find("hexadecimal") != std::string::npos);
}

TEST_CASE("A buffer over 4 GiB is refused before it is filled") {
  CHECK(refused("a=buf:f64[536870913]:zeros").find("4 GiB") != std::string::npos);
  CHECK(refused("a=buf:u8[18446744073709551615]:zeros").find("4 GiB") != std::string::npos);
}
