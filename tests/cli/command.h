#pragma once
// The built program, run as a user runs it: in a folder of its own, with nothing of the user's own files
// touched.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/process.h"
#include "catch.h"

namespace command {

using nlohmann::json;
using warpbook::ChildOutput;
using warpbook::Path;

/// A folder for this test program, gone at its end.
inline const Path& folder() {
  struct Folder {
    Path path;
    Folder()
        : path(std::filesystem::temp_directory_path() / ("warpbook-test-cli-" + std::to_string(getpid()))) {
      std::filesystem::create_directories(path);
      setenv("WARPBOOK_HOME", (path / "home").c_str(), 1);
      unsetenv("WARPBOOK_ROOT");
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder made;
  return made.path;
}

inline std::string write(const std::string& name, const std::string& content) {
  const Path path = folder() / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
  return path.string();
}

inline std::string read(const Path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline ChildOutput run_warpbook(std::vector<std::string> arguments, const std::string& input = {},
                                int seconds = 120) {
  folder();
  arguments.insert(arguments.begin(), std::string(WARPBOOK_BINARY_DIR) + "/warpbook");
  const auto ran = warpbook::run_child(arguments, input, std::chrono::seconds(seconds));
  REQUIRE(ran.ok());
  CHECK(ran->signal == 0);
  CHECK_FALSE(ran->timed_out);
  return *ran;
}

/// The one object on stdout.
inline json object_of(const ChildOutput& ran) {
  INFO(ran.out.substr(0, 500) << ran.err.substr(0, 500));
  const json out = json::parse(ran.out, nullptr, false);
  REQUIRE(out.is_object());
  return out;
}

/// Kernels can only be run where NVRTC is; a test says that it was skipped and returns.
inline bool can_compile() {
  static const bool there = [] {
    const json devices = object_of(run_warpbook({"devices", "--json"}));
    return !devices["compiler"]["library"].is_null();
  }();
  if (!there) WARN("skipped: NVRTC was not found on this machine");
  return there;
}

/// The kind of the first error.
inline std::string first_error(const json& out) {
  for (const json& diagnosis : out["diagnostics"])
    if (diagnosis["severity"] == "error") return diagnosis["kind"];
  return {};
}

constexpr const char* add_one = R"(// launch: grid=(4,1,1) block=(32,1,1)
// args: out=buf:i32[100]:uninit; a=buf:i32[100]:iota; n=i32:100

extern "C" __global__ void add_one(int* out, const int* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + 1;
}
)";

}  // namespace command
