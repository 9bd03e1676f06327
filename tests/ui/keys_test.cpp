// The reference page of keys says what the app does, and the app does what it says.
#include "ui/keys.h"

#include <set>

#include "base/text.h"
#include "catch.h"
#include "gui.h"
#include "lesson/document.h"

using namespace warpbook;
using namespace warpbook::ui;

TEST_CASE("assets/pages/keys.md is the table of keys, row by row") {
  const Result<std::string> text = read_file(source_folder() / "assets" / "pages" / "keys.md");
  REQUIRE(text.ok());
  const Result<Document> page = parse_document(*text, "keys.md");
  REQUIRE(page.ok());
  const auto words = [](const std::vector<warpbook::Run>& runs) {
    std::string all;
    for (const warpbook::Run& run : runs) all += run.text;
    return all;
  };
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Block& block : page->blocks) {
    if (block.kind != Block::Kind::table) continue;
    for (size_t i = 1; i < block.rows.size(); ++i) {  // the first row is the head
      REQUIRE(block.rows[i].size() == 2);
      rows.emplace_back(words(block.rows[i][0]), words(block.rows[i][1]));
    }
  }
  REQUIRE(rows.size() == key_words().size());
  for (size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].first == key_words()[i].keys);
    CHECK(rows[i].second == key_words()[i].what);
  }
}

TEST_CASE("every shortcut stands in the table for people, and no two share a key") {
  std::set<std::string> told, used;
  for (const KeyWords& row : key_words()) {
    if (row.where != KeyWords::Where::everywhere) continue;
    for (const std::string_view one : split(row.keys, ',')) told.insert(std::string(trim(one)));
  }
  std::set<std::pair<int, int>> keys;
  for (const Shortcut& one : shortcuts()) {
    std::string name = name_of(one.key, one.with);
    if (one.key == Key::equal && one.with.shift) name = "Ctrl+Plus";  // how many keyboards write the sign
    INFO(name);
    CHECK(told.count(name) == 1);
    used.insert(name);
    CHECK(keys.insert({int(one.key), one.with.control + 2 * one.with.shift + 4 * one.with.alt}).second);
  }
  // What the table tells and no shortcut does is done by the focus.
  told.erase("Tab");
  told.erase("Shift+Tab");
  CHECK(told == used);
}
