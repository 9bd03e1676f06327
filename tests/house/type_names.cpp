// No two types share a full name. The language lets each file have its own, the linker keeps one of each
// function for both, and a destructor of the other type's layout runs.
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "catch.h"

using namespace warpbook;

namespace {

/// Adds the types that `text` defines at the top of a namespace, "warpbook::ui::Look": not those inside other
/// types, nor those of an anonymous namespace, which are the file's own.
void collect_types(const std::string& text, const std::string& file,
                   std::map<std::string, std::vector<std::string>>& places) {
  static const std::regex opens(R"(^(?:inline )?namespace ?([A-Za-z_:]*) ?\{([^}]*)$)");
  static const std::regex defines(
      R"(^(?:struct|class|enum class|union) (?:\[\[\w+\]\] |alignas\([^)]*\) )*(\w+)(?: final)?(?: : [^;{]*)?(?: ?\{.*)?$)");
  std::vector<std::string> inside;
  for (const std::string_view view : lines_of(text)) {
    const std::string line(view);
    std::smatch match;
    if (std::regex_match(line, match, opens)) {
      inside.push_back(match[1]);
    } else if (line.rfind("}  // namespace", 0) == 0) {
      if (!inside.empty()) inside.pop_back();
    } else if (std::regex_match(line, match, defines)) {
      std::string name;
      bool own = false;
      for (const std::string& space : inside) {
        own = own || space.empty();
        name += space + "::";
      }
      std::vector<std::string>& files = places[name + match[1].str()];
      if (!own && (files.empty() || files.back() != file)) files.push_back(file);
    }
  }
}

std::string shared_names(const std::map<std::string, std::vector<std::string>>& places) {
  std::string found;
  for (const auto& [name, files] : places)
    if (files.size() > 1) found += name + ": " + join(files, ", ") + "\n";
  return found;
}

}  // namespace

TEST_CASE("no two types share a full name") {
  std::map<std::string, std::vector<std::string>> places;
  for (const char* folder : {"app", "tests"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(Path(WARPBOOK_SOURCE_DIR) / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      const auto text = read_file(entry.path());
      REQUIRE(text.ok());
      collect_types(
          *text, entry.path().filename().string() + " in " + entry.path().parent_path().filename().string(),
          places);
    }
  }
  CHECK(places.size() > 400);
  CHECK(places.count("warpbook::RunRequest") == 1);
  CHECK(shared_names(places) == "");
}

TEST_CASE("the test of type names sees two of one name, and not what is a file's own") {
  std::map<std::string, std::vector<std::string>> places;
  const std::string two = "namespace warpbook {\nstruct Replay {\n  int a;\n};\n}  // namespace warpbook\n";
  collect_types(two, "one.h", places);
  collect_types(two, "one.h", places);
  CHECK(shared_names(places) == "");
  collect_types(
      "namespace warpbook {\nnamespace {\nclass Replay final {\n};\n}  // namespace\n}  // namespace "
      "warpbook\n",
      "own.cpp", places);
  collect_types("namespace warpbook::ui {\nstruct Replay : Base {\n};\n}  // namespace warpbook::ui\n",
                "other.h", places);
  collect_types("namespace warpbook {\nstruct Replay;\n}  // namespace warpbook\n", "before.h", places);
  CHECK(shared_names(places) == "");
  collect_types("namespace warpbook {\n\nclass Replay : public Base {\n};\n}  // namespace warpbook\n",
                "two.h", places);
  CHECK(shared_names(places) == "warpbook::Replay: one.h, two.h\n");
}
