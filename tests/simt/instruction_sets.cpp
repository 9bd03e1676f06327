// Handlers are compiled once more with instructions that not every machine has. What such an object shares
// with others by name (inline functions and templates of the library) may be the copy that the linker keeps
// for all of them, and then the program dies on a machine without those instructions. So they share nothing.
#include <filesystem>
#include <sstream>

#include "base/process.h"
#include "base/sanitized.h"
#include "catch.h"

namespace {

TEST_CASE("objects of handlers for AVX2 share no inline code with the rest of the program") {
#ifndef __OPTIMIZE__
  WARN("only optimised builds inline all of it");
  return;
#else
  if (warpbook::sanitized) {
    WARN("sanitizers keep functions of their own out of line");
    return;
  }
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(WARPBOOK_BINARY_DIR) / "app/CMakeFiles/warpbook_simt_avx2.dir/simt/ops";
  std::vector<std::string> command{"nm", "-A", "-C"};
  if (fs::exists(folder)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".o") command.push_back(entry.path().string());
    }
  }
  const auto out = warpbook::run_child(command);
  if (command.size() == 3 || !out || out->exit_code != 0) {
    WARN("no such objects, or no nm here");
    return;
  }
  std::istringstream lines(out->out);
  int symbols = 0;
  for (std::string line; std::getline(lines, line);) {
    // file:address type name; W: weak functions. Weak data (V) is the same in every build.
    const size_t colon = line.find(".o:");
    if (colon == std::string::npos || line.size() < colon + 24) continue;
    ++symbols;
    const char type = line[colon + 20];
    INFO(line);
    if (type == 'W') CHECK(line.find("isa_avx2") != std::string::npos);
  }
  CHECK(symbols > 1000);
#endif
}

}  // namespace
