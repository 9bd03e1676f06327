#pragma once
// A session that runs whole programs in a test, and a program's text in a file.
#include <unistd.h>

#include <memory>
#include <string>

#include "base/temporary_folder.h"
#include "catch.h"
#include "device/program_build.h"
#include "lab/program.h"

namespace program_test {

/// Compiled programs outlive the test: compiling them takes most of its time.
struct Bench {
  warpbook::TemporaryFolder folder;
  std::unique_ptr<warpbook::Session> session;
  bool usable = false;
  Bench() {
    warpbook::SessionOptions options;
    options.root = WARPBOOK_SOURCE_DIR;
    auto opened = warpbook::open_session(options);
    REQUIRE(opened.ok());
    session = std::move(*opened);
    session->compiler = std::make_unique<warpbook::Compiler>(
        folder.path() / "ptx", uint64_t(64) << 20,
        std::vector<std::string>{std::string(WARPBOOK_BINARY_DIR) + "/tests/compile_worker"});
    session->folders.cache = warpbook::Path(WARPBOOK_BINARY_DIR) / "test-program-session";
    const std::string missing = warpbook::programs_missing(*session);
    usable = missing.empty();
    if (!usable) WARN(missing);
  }

  /// A program that stands in no file.
  warpbook::RunRequest request(const std::string& source) const {
    warpbook::RunRequest request;
    request.source = source;
    request.file = "program.cu";
    request.program.emplace();
    request.max_seconds = 120;
    return request;
  }

  warpbook::RunResult run(const warpbook::RunRequest& request) {
    auto result = warpbook::run(*session, request);
    if (!result) FAIL(result.error().message);
    return std::move(*result);
  }
};

}  // namespace program_test
