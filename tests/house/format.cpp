// Every C++ file is as .clang-format says.
#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/process.h"
#include "catch.h"

using namespace warpbook;

namespace {

std::vector<std::string> formatter_says(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {"clang-format", "--dry-run", "--Werror", "--style=file"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  auto output = run_child(argv, {}, std::chrono::seconds(120));
  REQUIRE(output.ok());
  if (output->exit_code == 0) return {};
  return {output->err};
}

bool formatter_present() {
  auto output = run_child({"clang-format", "--version"});
  return output.ok() && output->exit_code == 0;
}

}  // namespace

TEST_CASE("every C++ file is formatted") {
  if (!formatter_present()) {
    WARN("skipped: clang-format is not installed");
    return;
  }
  std::vector<std::string> files;
  for (const char* folder : {"app", "tests"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(Path(WARPBOOK_SOURCE_DIR) / folder)) {
      std::string extension = entry.path().extension();
      if (extension == ".h" || extension == ".cpp") files.push_back(entry.path());
    }
  }
  REQUIRE(files.size() > 50);
  auto complaints = formatter_says(files);
  if (!complaints.empty()) FAIL(complaints.front().substr(0, 4000));
}

TEST_CASE("the format test sees a badly formatted file") {
  if (!formatter_present()) return;
  // Beside the sources, so that the same style file is found; removed again at once.
  Path file = Path(WARPBOOK_SOURCE_DIR) / "tests" / "house" / ".badly-formatted.txt.cc";
  REQUIRE(write_file(file, "int  main( ){return 0 ;}\n").ok());
  auto complaints = formatter_says({file.string()});
  std::filesystem::remove(file);
  CHECK_FALSE(complaints.empty());
}
