#pragma once
// The table's kernels as modules that can be run: the wrong ones are one, their repairs another.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "device/compiler_fixture.h"
#include "explained.h"
#include "lab/run.h"

namespace warpbook::explained {

inline constexpr const char* preamble = R"(struct Tally { int sum; int count; };
struct Weights { float w[4]; int n; };
__constant__ float smoothing_taps[5];
#define ELEMENT(p, k) p[k]
__device__ float element_of(const float* p, int k) { return p[k]; }
__device__ float twice_of(float x) { return 2 * x; }
template <typename T> __device__ T nth(const T* p, int k) { return p[k]; }
__device__ int paths(int n, int last) {
  return n <= last ? 1 : paths(n - 1, last) + paths(n - 2, last);
}
)";

/// The whole table.
inline const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> joined = accesses;
    joined.insert(joined.end(), values_and_waiting.begin(), values_and_waiting.end());
    return joined;
  }();
  return all;
}

inline std::string variant(const std::string& source, bool wrong) {
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
    for (const auto& one : cases()) {
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

inline RunRequest request_of(const Case& one, const std::string& source) {
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

inline std::unique_ptr<Session> session_for(const CompilerFixture& fixture) {
  SessionOptions options;
  options.root = WARPBOOK_SOURCE_DIR;
  auto session = open_session(options);
  REQUIRE(session.ok());
  (*session)->compiler =
      std::make_unique<Compiler>(fixture.folder.path() / "cache", 64u << 20, test_worker());
  return std::move(*session);
}

}  // namespace warpbook::explained
