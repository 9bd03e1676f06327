#pragma once
// A folder for one test, gone afterwards.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/files.h"

struct TestFolder {
  warpbook::Path path;
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "warpbook-lesson-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  void put(const std::string& name, std::string_view content) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << content;
  }
  std::string get(const std::string& name) const {
    std::ifstream file(path / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}
