// Splitting, numbers, UTF-8 and near words.
#include "base/text.h"
#include "catch.h"

using namespace warpbook;

TEST_CASE("trim, split and lines keep what is there") {
  CHECK(trim("  a b\t\n") == "a b");
  CHECK(trim(" \t ").empty());
  CHECK(split("a,,b", ',') == std::vector<std::string_view>{"a", "", "b"});
  CHECK(split("", ',') == std::vector<std::string_view>{""});
  CHECK(lines_of("a\r\nb\n\nc") == std::vector<std::string_view>{"a", "b", "", "c"});
  CHECK(lines_of("a\n").size() == 1);
  CHECK(lines_of("").empty());
  CHECK(replace_all("aXbXX", "X", "--") == "a--b----");
  CHECK(replace_all("abc", "", "x") == "abc");
  CHECK(join({"a", "b", "c"}, ", ") == "a, b, c");
  CHECK(starts_with("kernel", "ker"));
  CHECK_FALSE(starts_with("ker", "kernel"));
}

TEST_CASE("a number is the whole text or nothing") {
  CHECK(parse_int("-42") == -42);
  CHECK(parse_int("+7") == 7);
  CHECK(parse_int("0x10") == 16);
  CHECK(parse_int("-0x8000000000000000") == INT64_MIN);
  CHECK(parse_int("9223372036854775807") == INT64_MAX);
  CHECK_FALSE(parse_int("9223372036854775808"));
  CHECK_FALSE(parse_int("12 "));
  CHECK_FALSE(parse_int(""));
  CHECK_FALSE(parse_int("-"));
  CHECK_FALSE(parse_int("--1"));
  CHECK_FALSE(parse_int("0x"));
  CHECK(parse_uint("18446744073709551615") == UINT64_MAX);
  CHECK_FALSE(parse_uint("18446744073709551616"));
  CHECK_FALSE(parse_uint("-1"));
  CHECK(parse_double("1.5e3") == 1500.0);
  CHECK(parse_double("-0.25") == -0.25);
  CHECK(parse_double("+.5") == 0.5);
  CHECK(parse_double("0xff") == 255.0);
  CHECK_FALSE(parse_double("1.5f"));
  CHECK_FALSE(parse_double("1,5"));
  CHECK_FALSE(parse_double("-+1"));
}

TEST_CASE("invalid UTF-8 is found where it starts") {
  CHECK(first_invalid_utf8("plain \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80") == std::string::npos);
  CHECK(first_invalid_utf8("ab\xFF") == 2);
  CHECK(first_invalid_utf8("\xC0\xAF") == 0);          // overlong slash
  CHECK(first_invalid_utf8("x\xED\xA0\x80") == 1);     // surrogate
  CHECK(first_invalid_utf8("\xF4\x90\x80\x80") == 0);  // past U+10FFFF
  CHECK(first_invalid_utf8("\xE2\x82") == 0);          // cut off
}

TEST_CASE("code points survive the way there and back") {
  const std::u32string points = U"a\u00e9\u20ac\U0001F600";
  CHECK(decode_utf8(encode_utf8(points)) == points);
  CHECK(decode_utf8("a\xFFz") == U"a\uFFFDz");
  CHECK(encode_utf8(std::u32string(1, char32_t(0xD800))) == "\xEF\xBF\xBD");
}

TEST_CASE("thousands are set apart") {
  CHECK(with_thousands(0) == "0");
  CHECK(with_thousands(999) == "999");
  CHECK(with_thousands(1000) == "1,000");
  CHECK(with_thousands(1234567) == "1,234,567");
}

TEST_CASE("the nearest word is offered only when it is near") {
  const std::vector<std::string> known{"global_load_sectors", "shared_load_bytes", "threads"};
  CHECK(nearest_word("global_load_sector", known) == "global_load_sectors");
  CHECK(nearest_word("thraeds", known) == "threads");
  CHECK_FALSE(nearest_word("bananas", known));
  CHECK_FALSE(nearest_word("xy", known));
}
