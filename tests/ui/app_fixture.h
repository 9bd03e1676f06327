#pragma once
// The whole app, headless, with a home of its own: run by a script, its files looked at afterwards.
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "base/process.h"
#include "catch.h"
#include "device/compiler.h"
#include "platform/window.h"

namespace {

using namespace warpbook;
namespace fs = std::filesystem;

inline std::string text_of(const Path& file) {
  const Result<std::string> text = read_file(file);
  return text ? *text : to_string(text.error());
}

// A home and a folder for pictures that belong to one test.
class App {
 public:
  App() {
    fs::create_directories(folder_);
    ::setenv("WARPBOOK_HOME", (folder_ / "home").c_str(), 1);
  }
  ~App() {
    ::unsetenv("WARPBOOK_HOME");
    std::error_code failed;
    fs::remove_all(folder_, failed);
  }
  bool usable(bool runs_kernels = true) const {
    if (!fs::exists(binary())) {
      WARN("the app is not built beside the tests: " << binary());
      return false;
    }
    if (runs_kernels && Compiler(folder_ / "cache").place().library.empty()) {
      WARN("no NVRTC here: lessons cannot run");
      return false;
    }
    if (!platform::make_surface({true, 8, 8, 1, "", {}}).ok()) {
      WARN("no picture in memory here");
      return false;
    }
    return true;
  }
  static Path binary() { return Path(WARPBOOK_BINARY_DIR) / "warpbook"; }
  Path file(const std::string& name) const { return folder_ / name; }

  /// A root with these lessons and three reference pages, so that pictures of it stay as they are when the
  /// course grows.
  Path root_with(const std::vector<std::string>& slugs) const {
    const Path source = WARPBOOK_SOURCE_DIR, root = file("root");
    for (const char* place : {"lessons", "kernels", "quizzes"}) fs::create_directories(root / place);
    fs::create_directories(root / "assets" / "pages");
    for (const std::string& name : list_folder(source / "assets")) {
      if (name != "pages") fs::create_symlink(source / "assets" / name, root / "assets" / name);
    }
    for (const char* page : {"glossary.md", "how-numbers-are-made.md", "keys.md"})
      fs::create_symlink(source / "assets" / "pages" / page, root / "assets" / "pages" / page);
    for (const std::string& slug : slugs) {
      for (const char* place : {"lessons", "kernels"})
        fs::create_directory_symlink(source / place / slug, root / place / slug);
      fs::create_symlink(source / "quizzes" / (slug + ".json"), root / "quizzes" / (slug + ".json"));
    }
    return root;
  }

  ChildOutput run(const std::string& steps, std::vector<std::string> more = {},
                  const Path& root = WARPBOOK_SOURCE_DIR) {
    std::vector<std::string> argv = {binary().string(), "--headless", "--root", root.string()};
    if (!steps.empty()) {
      REQUIRE(write_file(file("script.json"), "{\"steps\": [" + steps + "]}").ok());
      argv.insert(argv.end(), {"--script", file("script.json").string()});
    }
    argv.insert(argv.end(), more.begin(), more.end());
    Result<ChildOutput> output = run_child(argv, {}, std::chrono::seconds(240));
    REQUIRE(output.ok());
    return *output;
  }

 private:
  Path folder_ = fs::temp_directory_path() /
                 ("warpbook-app-" + std::to_string(::getpid()) + "-" + std::to_string(++made()));
  static int& made() {
    static int count = 0;
    return count;
  }
};

}  // namespace
