// The table of situations, told in the learner's words: kind, line, sentence and hint of the wrong kernel,
// silence for its repair. The wrong kernels are one module and the right ones another.
#include <algorithm>
#include <fstream>

#include "catch.h"
#include "device/compiler_fixture.h"
#include "explained.h"
#include "lab/run.h"

using namespace warpbook;

namespace {

constexpr const char* preamble = R"(__constant__ float smoothing_taps[5];
#define ELEMENT(p, k) p[k]
__device__ float element_of(const float* p, int k) { return p[k]; }
)";

std::string variant(const std::string& source, bool wrong) {
  std::string text;
  for (size_t at = 0; at < source.size();) {
    const size_t open = source.find("{{", at);
    if (open == std::string::npos) return text + source.substr(at);
    const size_t middle = source.find("|>", open);
    size_t close = source.find("}}", middle);
    while (close + 2 < source.size() && source[close + 2] == '}') ++close;  // {{|> = {}}}
    text += source.substr(at, open - at);
    text +=
        wrong ? source.substr(open + 2, middle - open - 2) : source.substr(middle + 2, close - middle - 2);
    at = close + 2;
  }
  return text;
}

struct Module {
  std::string source = preamble;
  std::vector<int> marked;  ///< by case: the line that must be told; 0 = none

  explicit Module(bool wrong) {
    for (const auto& one : explained::cases) {
      const std::string text = variant(one.source, wrong);
      const size_t mark = text.find("//!");
      const auto lines = [](const std::string& t, size_t end) {
        return int(std::count(t.begin(), t.begin() + std::ptrdiff_t(end), '\n'));
      };
      marked.push_back(mark == std::string::npos ? 0 : lines(source, source.size()) + lines(text, mark) + 1);
      source += "extern \"C\" __global__ " + text + "\n";
    }
  }
};

RunRequest request_of(const explained::Case& one, const std::string& source) {
  RunRequest request;
  request.source = source;
  request.file = "explained.cu";
  request.kernel = one.name;
  std::vector<uint32_t> numbers;
  for (const char* at = one.launch; *at;) {
    char* end = nullptr;
    numbers.push_back(uint32_t(std::strtoul(at, &end, 10)));
    at = *end == ',' ? end + 1 : end;
  }
  Launch launch;
  if (numbers.size() == 4) {
    launch.grid = {numbers[0], numbers[1], 1};
    launch.block = {numbers[2], numbers[3], 1};
  } else {
    launch.grid = {numbers[0], 1, 1};
    launch.block = {numbers[1], 1, 1};
  }
  request.launch = launch;
  request.args = one.args;
  request.args_complete = true;
  request.max_instructions = 2'000'000;
  return request;
}

std::vector<Diagnosis> alarms_of(const RunResult& result) {
  std::vector<Diagnosis> alarms;
  for (const Diagnosis& d : result.diagnostics)
    if (d.severity != Severity::note) alarms.push_back(d);
  return alarms;
}

std::unique_ptr<Session> session_for(const CompilerFixture& fixture) {
  SessionOptions options;
  options.root = WARPBOOK_SOURCE_DIR;
  auto session = open_session(options);
  REQUIRE(session.ok());
  (*session)->compiler =
      std::make_unique<Compiler>(fixture.folder.path() / "cache", 64u << 20, test_worker());
  return std::move(*session);
}

}  // namespace

TEST_CASE("Each situation is told at its line, in the learner's words") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto session = session_for(fixture);
  const Module wrong(true);
  for (size_t i = 0; i < explained::cases.size(); ++i) {
    const explained::Case& one = explained::cases[i];
    INFO(one.name);
    const auto result = run(*session, request_of(one, wrong.source));
    REQUIRE(result.ok());
    const auto alarms = alarms_of(*result);
    for (const Diagnosis& d : alarms)
      UNSCOPED_INFO(d.line << " " << d.kind << ": " << d.message << " | " << d.hint);
    if (wrong.marked[i]) UNSCOPED_INFO("expected at " << wrong.marked[i]);
    CHECK(alarms.size() == 1);
    if (alarms.empty()) continue;
    INFO(alarms[0].message << " | " << alarms[0].hint);
    CHECK(alarms[0].kind == one.kind);
    if (wrong.marked[i]) CHECK(alarms[0].line == wrong.marked[i]);
    CHECK(alarms[0].message.find(one.message) != std::string::npos);
    CHECK(alarms[0].hint.find(one.hint) != std::string::npos);
  }
}

TEST_CASE("The smallest repair of each situation is not accused") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto session = session_for(fixture);
  const Module right(false);
  for (const explained::Case& one : explained::cases) {
    INFO(one.name);
    const auto result = run(*session, request_of(one, right.source));
    REQUIRE(result.ok());
    const auto alarms = alarms_of(*result);
    for (const Diagnosis& d : alarms) UNSCOPED_INFO(d.line << " " << d.kind << ": " << d.message);
    CHECK(alarms.empty());
    CHECK(result->status == "ok");
  }
}
