// The library answers to every name of the real one, under its version, and to no other.
#include <dlfcn.h>

#include <string>
#include <vector>

#include "base/process.h"
#include "base/text.h"
#include "catch.h"
#include "cudart/names.h"
#include "program_fixture.h"

using namespace warpbook;
using namespace warpbook::cudart_test;

namespace {

std::vector<std::string> known_names() {
  std::vector<std::string> names;
#define WARPBOOK_NAME(name) names.push_back(#name);
  WARPBOOK_RUNTIME_NAMES(WARPBOOK_NAME)
#undef WARPBOOK_NAME
  return names;
}

}  // namespace

TEST_CASE("all names of the CUDA 13 runtime are exported under its version") {
  REQUIRE(known_names().size() == 422);
  void* const library = dlopen(WARPBOOK_BINARY_DIR "/cudart/libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library);
  for (const std::string& name : known_names()) {
    INFO(name);
    CHECK(dlvsym(library, name.c_str(), "libcudart.so.13") != nullptr);
  }
}

TEST_CASE("nothing else is exported, so that a program's own names never meet ours") {
  auto listed = run_child({"nm", "-D", "--defined-only", WARPBOOK_BINARY_DIR "/cudart/libcudart.so.13"});
  if (!listed.ok() || listed->exit_code != 0) {
    WARN("skipped: nm is not there");
    return;
  }
  size_t functions = 0;
  for (std::string_view line : lines_of(listed->out)) {
    const size_t at = line.rfind(' ');
    const std::string_view name = line.substr(at + 1);
    if (starts_with(name, "libcudart.so.13")) continue;  // the version itself
    INFO(std::string(line));
    CHECK((starts_with(name, "cuda") || starts_with(name, "__cuda")));
    ++functions;
  }
  CHECK(functions == 422);
}

TEST_CASE("a call that is not modelled returns 801 and says so on the tape") {
  const Outcome outcome = in_program([](Api& api) {
    void* graph = nullptr;
    return api("cudaGraphCreate", &graph, 0u) == 801 && api("cudaGetLastError") == 801 ? 0 : 1;
  });
  CHECK(outcome.exit_code == 0);
  const auto rows = outcome.rows("cudaGraphCreate");
  REQUIRE(rows.size() == 1);
  CHECK_FALSE(rows[0]->modelled);
  CHECK(rows[0]->code == 801);
  CHECK(rows[0]->code_name == "cudaErrorNotSupported");
}
