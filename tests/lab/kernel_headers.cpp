// The headers that kernels include compile and give right results: tests/lab/headers/*.cu check themselves.
#include <optional>

#include "base/files.h"
#include "catch.h"
#include "lab/run.h"

using namespace warpbook;

namespace {

/// Null where there is no NVRTC.
std::unique_ptr<Session> session_with_compiler() {
  SessionOptions options;
  options.root = WARPBOOK_SOURCE_DIR;
  options.device = "emulated";
  auto session = open_session(options);
  REQUIRE(session.ok());
  // What was compiled once stays beside the build.
  (*session)->compiler =
      std::make_unique<Compiler>(Path(WARPBOOK_BINARY_DIR) / "test-ptx-cache", 256u << 20,
                                 std::vector<std::string>{WARPBOOK_BINARY_DIR "/tests/compile_worker"});
  if (!(*session)->compiler->place().missing.empty()) {
    WARN("no NVRTC: " << (*session)->compiler->place().missing);
    return nullptr;
  }
  return std::move(*session);
}

/// Nothing when the compiler did not come to its end in time: these headers are its longest work.
std::optional<RunResult> run_file(Session& session, const std::string& name, Level level) {
  const Path path = Path(WARPBOOK_SOURCE_DIR) / "tests" / "lab" / "headers" / (name + ".cu");
  auto source = read_file(path);
  REQUIRE(source.ok());
  RunRequest request;
  request.source = std::move(*source);
  request.file = path.string();
  request.level = level;
  request.threads = 1;
  request.max_seconds = 60;
  auto result = run(session, request);
  if (!result && result.error().trouble == Trouble::limit) {
    WARN(name << ": " << result.error().message);
    return std::nullopt;
  }
  REQUIRE(result.ok());
  for (const Diagnosis& d : result->diagnostics)
    UNSCOPED_INFO(d.kind << " " << d.file << ":" << d.line << ": " << d.message);
  CHECK(result->status == "ok");
  const Output* wrong = result->output("wrong");
  REQUIRE(wrong);
  for (uint64_t i = 0; i < wrong->count; ++i) {
    INFO(name << ": check " << i);
    CHECK(element_as_double(wrong->type, wrong->data.data(), i) == 0);
  }
  return std::move(*result);
}

double first_of(const RunResult& result, const std::string& name, uint64_t index = 0) {
  const Output* output = result.output(name);
  REQUIRE(output);
  return element_as_double(output->type, output->data.data(), index);
}

}  // namespace

TEST_CASE("cooperative groups, barriers, pipelines and atomics of the headers") {
  auto session = session_with_compiler();
  if (!session) return;
  for (const char* gpu : {"8.0", "7.5"}) {  // 7.5 has no barrier objects: the same by other instructions
    session->gpu.compute = gpu;
    const auto result = run_file(*session, "cooperation", Level::measure);
    if (!result) continue;
    CHECK(first_of(*result, "done") == 256);
    CHECK(first_of(*result, "counter", 0) == 512);
    CHECK(first_of(*result, "counter", 1) == -127);
    CHECK(first_of(*result, "counter", 2) == 768);
  }
}

TEST_CASE("a cooperative grid waits for all its blocks") {
  auto session = session_with_compiler();
  if (!session) return;
  run_file(*session, "grid", Level::measure);
}

TEST_CASE("cub's blocks and cuRAND") {
  auto session = session_with_compiler();
  if (!session) return;
  const auto result = run_file(*session, "blocks", Level::measure);
  if (result) CHECK(first_of(*result, "done") == 256);
}

TEST_CASE("half precision, bfloat16 and matrix fragments of the headers") {
  auto session = session_with_compiler();
  if (!session) return;
  const auto result = run_file(*session, "narrow", Level::check);
  if (result) CHECK(first_of(*result, "done") == 64);
}
