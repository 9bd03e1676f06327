// The reference page on coverage repeats the instruction table, so it is made from it and cannot go stale:
// WARPBOOK_RECORD=1 writes the table anew.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "catch.h"
#include "simt/families.h"

namespace warpbook::simt {
namespace {

const std::string page = std::string(WARPBOOK_SOURCE_DIR) + "/assets/pages/emulator-coverage.md";
const std::string heading = "## Instructions\n\n";

std::string table() {
  std::string text = "| instruction | forms |\n|---|---|\n";
  for (const Family& family : isa_plain::families()) {
    if (family.opcode[0] == '%') continue;  // decode's own, no instruction of PTX
    text += "| `" + std::string(family.opcode) + "` | " + std::string(family.note) + " |\n";
  }
  return text;
}

TEST_CASE("the page on coverage holds the instruction table as it is") {
  std::ifstream in(page);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const size_t at = text.find(heading);
  REQUIRE(at != std::string::npos);
  const std::string before = text.substr(0, at + heading.size());
  if (const char* record = std::getenv("WARPBOOK_RECORD"); record && std::string(record) == "1") {
    std::ofstream(page) << before << table();
    return;
  }
  CHECK(text == before + table());
}

TEST_CASE("every row of the table says what it covers, in words that a table can hold") {
  for (const Family& family : isa_plain::families()) {
    INFO(family.opcode);
    CHECK_FALSE(family.note.empty());
    CHECK(family.note.find_first_of("|\n`") == std::string_view::npos);
  }
}

TEST_CASE("all instruction sets have the same rows") {
  const auto plain = isa_plain::families(), here = families_for_this_machine();
  REQUIRE(plain.size() == here.size());
  for (size_t i = 0; i < plain.size(); ++i) CHECK(plain[i].opcode == here[i].opcode);
}

}  // namespace
}  // namespace warpbook::simt
