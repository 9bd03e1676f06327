// Search over pages and commands.
#include "ui/palette.h"

#include "catch.h"

using namespace warpbook;
using namespace warpbook::ui;

namespace {

std::vector<PaletteEntry> sample() {
  return {{"Run the lab", "Ctrl+Enter", "", Command::run, {}},
          {"Hello, grid",
           "Lesson 02",
           "Grid, block, thread",
           Command::none,
           {Place::Kind::lesson, "02-hello-grid", {}, -1}},
          {"Three words",
           "Hello, grid",
           "A kernel starts as a grid of blocks.",
           Command::none,
           {Place::Kind::lesson, "02-hello-grid", {}, 7}},
          {"Coalescing",
           "Glossary",
           "Neighbouring threads read neighbouring addresses. Ação.",
           Command::none,
           {Place::Kind::page, "glossary", {}, 3}}};
}

std::vector<std::string> titles(const std::string& query) {
  const std::vector<PaletteEntry> entries = sample();
  std::vector<std::string> found;
  for (const PaletteMatch& match : search_palette(entries, query))
    found.push_back(entries[match.entry].title);
  return found;
}

}  // namespace

TEST_CASE("all words must stand somewhere in the entry") {
  CHECK(titles("grid kernel") == std::vector<std::string>{"Three words"});
  CHECK(titles("grid elephant").empty());
}

TEST_CASE("a title counts more than a mention") {
  REQUIRE(titles("grid").size() == 2);
  CHECK(titles("grid").front() == "Hello, grid");
}

TEST_CASE("case and accents do not count") {
  CHECK(titles("ACAO") == std::vector<std::string>{"Coalescing"});
  CHECK(folded_text("ÇÃÉ") == "cae");
}

TEST_CASE("an empty query offers whole pages and commands, no paragraphs") {
  CHECK(titles("") == std::vector<std::string>{"Hello, grid", "Run the lab"});
}

TEST_CASE("the snippet shows where the word stands") {
  const std::vector<PaletteEntry> entries = sample();
  const std::vector<PaletteMatch> found = search_palette(entries, "neighbouring");
  REQUIRE(found.size() == 1);
  CHECK(found[0].snippet.find("Neighbouring") != std::string::npos);
}

TEST_CASE("paragraphs of one section are one result") {
  std::vector<PaletteEntry> entries = sample();
  entries.push_back(entries[2]);
  CHECK(search_palette(entries, "blocks").size() == 1);
}

TEST_CASE("a lesson and what stands under its own heading are one result") {
  std::vector<PaletteEntry> entries = sample();
  entries.push_back({"Hello, grid",
                     "Hello, grid",
                     "Move the sliders.",
                     Command::none,
                     {Place::Kind::lesson, "02-hello-grid", {}, 1}});
  const std::vector<PaletteMatch> found = search_palette(entries, "hello");
  REQUIRE(std::count_if(found.begin(), found.end(), [&](const PaletteMatch& match) {
            return entries[match.entry].title == "Hello, grid";
          }) == 1);
  CHECK(entries[found[0].entry].place.block < 0);
}
