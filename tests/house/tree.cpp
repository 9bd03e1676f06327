// What the tree itself promises: its top level, its schemas, its two commands.
#include <filesystem>
#include <set>
#include <string>

#include "base/files.h"
#include "base/process.h"
#include "base/text.h"
#include "catch.h"

using namespace warpbook;

namespace {
const Path source = WARPBOOK_SOURCE_DIR;

ChildOutput run_in_shell(const std::string& command) {
  auto output = run_child({"bash", "-c", command}, {}, std::chrono::seconds(60));
  REQUIRE(output.ok());
  return *output;
}
}  // namespace

TEST_CASE("the top level holds what the design names and nothing else") {
  const std::set<std::string> expected = {
      "CMakeLists.txt", "CMakePresets.json", "README.md", "CONTRIBUTING.md", "LICENSE",
      "lessons",        "kernels",           "quizzes",   "assets",          "app",
      "tests"};
  std::set<std::string> found;
  for (const std::string& name : list_folder(source)) {
    if (name[0] == '.' || starts_with(name, "build")) continue;
    found.insert(name);
  }
  CHECK(found == expected);
}

TEST_CASE("every lesson, quiz and GPU row agrees with its JSON schema") {
  auto probe = run_in_shell("python3 -c 'import jsonschema'");
  if (probe.exit_code != 0) {
    WARN("skipped: python3-jsonschema is not installed");
    return;
  }
  auto output =
      run_in_shell("python3 " + (source / "tests/house/schemas.py").string() + " " + source.string());
  INFO(output.out << output.err);
  CHECK(output.exit_code == 0);
}

TEST_CASE("the schema test sees a lesson that breaks its schema") {
  if (run_in_shell("python3 -c 'import jsonschema'").exit_code != 0) return;
  auto output = run_in_shell("python3 " + (source / "tests/house/schemas.py").string() + " " +
                             source.string() + " --break");
  CHECK(output.exit_code == 1);
}

TEST_CASE("the scripts are valid shell and refuse unknown options with exit 4") {
  for (const char* script : {"app/start", "tests/run", ".ci/run", "app/setup.sh",
                             "assets/graders/gradescope/setup.sh", "assets/graders/gradescope/run_autograder",
                             "assets/graders/gradescope/make_zip", "tests/gpu/pack", "tests/gpu/run"}) {
    INFO(script);
    CHECK(run_in_shell("bash -n " + (source / script).string()).exit_code == 0);
  }
  auto output = run_in_shell((source / "tests/run").string() + " --no-such-option");
  CHECK(output.exit_code == 4);
  CHECK(output.err.find("--no-such-option") != std::string::npos);
}

TEST_CASE("nothing in the tree reads as unfinished") {
  auto output =
      run_in_shell("cd " + source.string() +
                   " && grep -rnE '\\b(TO''DO|FIX''ME|XX''X)\\b' app tests lessons kernels quizzes assets"
                   " --include=*.cpp --include=*.h --include=*.md --include=*.json --include=*.sh"
                   " | grep -v exercise.cu | head");
  INFO(output.out);
  CHECK(output.out.empty());
}
