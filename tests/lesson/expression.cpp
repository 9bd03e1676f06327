// The arithmetic of controls: values, errors, and text with expressions in it.
#include "lesson/expression.h"

#include "catch.h"
#include "folder.h"

using namespace warpbook;

namespace {

const Values values{{"n", 1000},   {"block.x", 128}, {"block.y", 2}, {"block.z", 1},
                    {"grid.x", 8}, {"TILE", 16},     {"zero", 0},    {"minus", -7}};

int64_t value_of(const char* text) {
  const auto result = evaluate(text, values);
  INFO(text << ": " << (result ? "" : result.error().message));
  REQUIRE(result);
  return *result;
}

std::string trouble_of(std::string_view text) {
  const auto result = evaluate(text, values);
  REQUIRE_FALSE(result);
  return result.error().message;
}

}  // namespace

TEST_CASE("expressions follow the rules of arithmetic") {
  CHECK(value_of("1 + 2 * 3") == 7);
  CHECK(value_of("(1 + 2) * 3") == 9);
  CHECK(value_of("10 - 3 - 2") == 5);
  CHECK(value_of("100 / 8 / 2") == 6);
  CHECK(value_of("-7 / 2") == -3);
  CHECK(value_of("minus % 4") == -3);
  CHECK(value_of("- - 5") == 5);
  CHECK(value_of("2*-3") == -6);
  CHECK(value_of("  n  ") == 1000);
  CHECK(value_of("9223372036854775807") == INT64_MAX);
}

TEST_CASE("expressions know controls and functions") {
  CHECK(value_of("ceil_div(n, block.x)") == 8);
  CHECK(value_of("(n + block.x - 1) / block.x") == 8);
  CHECK(value_of("min(n, 3) + max(2, TILE)") == 19);
  CHECK(value_of("block") == 256);
  CHECK(value_of("ceil_div(zero, 5)") == 0);
  CHECK(value_of("ceil_div(10, 5)") == 2);
}

TEST_CASE("an expression that cannot be computed says why and where") {
  CHECK(has(trouble_of("m + 1"), "there is no \"m\""));
  CHECK(has(trouble_of("blok.x"), "did you mean \"block.x\""));
  CHECK(has(trouble_of("n / zero"), "division by zero"));
  CHECK(has(trouble_of("n % zero"), "division by zero"));
  CHECK(has(trouble_of("ceil_div(n, zero)"), "ceil_div"));
  CHECK(has(trouble_of("sqrt(n)"), "no function \"sqrt\""));
  CHECK(has(trouble_of("n +"), "character 4"));
  CHECK(has(trouble_of("(n"), "expected \")\""));
  CHECK(has(trouble_of("n n"), "expected an operator"));
  CHECK(has(trouble_of(""), "found the end"));
  CHECK(has(trouble_of("2.5"), "whole number"));
  CHECK(has(trouble_of("1 < 2"), "expected an operator"));
  CHECK(has(trouble_of("9223372036854775808"), "leaves 64 bits"));
  CHECK(has(trouble_of("9223372036854775807 + 1"), "leaves 64 bits"));
  CHECK(has(trouble_of("9223372036854775807 * 2"), "leaves 64 bits"));
  CHECK(has(trouble_of("(0 - 9223372036854775807 - 1) / (0 - 1)"), "leaves 64 bits"));
  CHECK(has(trouble_of(std::string_view("n\0", 2)), "expected an operator"));
}

TEST_CASE("deep and long expressions are refused, not followed") {
  CHECK(has(trouble_of(std::string(500, '(') + "1" + std::string(500, ')')), "too deeply"));
  CHECK(has(trouble_of(std::string(500, '-') + "1"), "too deeply"));
  CHECK(has(trouble_of(std::string(100000, '1')), "longer than"));
}

TEST_CASE("names in an expression are listed once each") {
  const auto names = names_in("ceil_div(n, block.x) * block.x + n / 0");
  REQUIRE(names);
  CHECK(*names == std::vector<std::string>{"block.x", "n"});
  CHECK_FALSE(names_in("n +"));
}

TEST_CASE("text is filled in, and doubled braces stand for braces") {
  CHECK(*fill_in("out=buf:i32[{n * 2}]:uninit", values) == "out=buf:i32[2000]:uninit");
  CHECK(*fill_in("no braces", values) == "no braces");
  CHECK(*fill_in("if (x) {{ y = {n}; }}", values) == "if (x) { y = 1000; }");
  CHECK(*fill_in("", values).operator->() == "");
  CHECK(has(fill_in("a {n", values).error().message, "never closed"));
  CHECK(has(fill_in("a } b", values).error().message, "opens nowhere"));
  CHECK(has(fill_in("{m}", values).error().message, "there is no \"m\""));
}
