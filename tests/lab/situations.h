#pragma once
// Small kernels in pairs: the wrong one and its smallest repair, written as one text. `{{wrong|right}}` is
// where they differ; a line that ends in `//!` is where the first place of the diagnosis must be, `//&` the
// other (they may be told the other way round).
#include <string>
#include <vector>

#include "catch.h"
#include "device/compiler_fixture.h"
#include "lab/run.h"

namespace warpbook::lab_tests {

struct Situation {
  const char* name;
  const char* kind;  ///< of the only error (or warning) that the wrong one has
  const char* source;
  const char* buffer = "";  ///< when not empty, its name
};

inline std::string variant(const std::string& source, bool wrong) {
  std::string text;
  for (size_t at = 0; at < source.size();) {
    const size_t open = source.find("{{", at);
    if (open == std::string::npos) {
      text += source.substr(at);
      break;
    }
    const size_t middle = source.find('|', open), close = source.find("}}", open);
    text += source.substr(at, open - at);
    text +=
        wrong ? source.substr(open + 2, middle - open - 2) : source.substr(middle + 1, close - middle - 1);
    at = close + 2;
  }
  return text;
}

/// Lines (from 1) that end in the mark.
inline std::vector<int> lines_marked(const std::string& source, const std::string& mark) {
  std::vector<int> lines;
  int line = 1;
  for (size_t at = 0; at < source.size(); ++line) {
    const size_t end = std::min(source.find('\n', at), source.size());
    if (source.substr(at, end - at).find(mark) != std::string::npos) lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

struct Bench {
  CompilerFixture fixture;
  std::unique_ptr<Session> session;

  Bench() {
    SessionOptions options;
    options.root = WARPBOOK_SOURCE_DIR;
    auto opened = open_session(options);
    REQUIRE(opened.ok());
    session = std::move(*opened);
    session->compiler = std::make_unique<Compiler>(fixture.folder.path() / "cache", 64u << 20, test_worker());
  }
  bool has_nvrtc() const { return fixture.has_nvrtc(); }

  RunRequest request(const std::string& source) const {
    RunRequest r;
    r.source = source;
    r.file = "situation.cu";
    r.threads = 1;
    return r;
  }
  RunResult run(const RunRequest& request) {
    auto result = warpbook::run(*session, request);
    INFO((result.ok() ? std::string() : result.error().message));
    REQUIRE(result.ok());
    return std::move(*result);
  }
};

inline std::string text_of(const std::vector<Diagnosis>& found) {
  std::string text;
  for (const Diagnosis& d : found) {
    text += std::string(name_of(d.severity)) + " " + d.kind + " line " + std::to_string(d.line) + " " +
            d.buffer + ": " + d.message + "\n";
  }
  return text;
}

inline void check_wrong(const Situation& situation, const RunResult& result, const std::string& source) {
  INFO(text_of(result.diagnostics));
  const Diagnosis* found = nullptr;
  for (const Diagnosis& d : result.diagnostics) {
    if (d.severity == Severity::note) continue;
    CHECK(d.kind == situation.kind);
    if (!found && d.kind == situation.kind) found = &d;
  }
  REQUIRE(found);
  CHECK_FALSE(found->message.empty());
  CHECK_FALSE(found->hint.empty());
  if (*situation.buffer) CHECK(found->buffer == situation.buffer);
  const auto first = lines_marked(source, "//!"), other = lines_marked(source, "//&");
  const auto is_one_of = [](int line, const std::vector<int>& lines) {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  };
  INFO("at line " << found->line << (found->other ? " and " + std::to_string(found->other->line) : ""));
  if (other.empty()) {
    CHECK(is_one_of(found->line, first));
  } else {
    REQUIRE(found->other);
    CHECK(((is_one_of(found->line, first) && is_one_of(found->other->line, other)) ||
           (is_one_of(found->line, other) && is_one_of(found->other->line, first))));
  }
}

inline void check_right(const RunResult& result) {
  INFO(text_of(result.diagnostics));
  CHECK(result.status == "ok");
  for (const Diagnosis& d : result.diagnostics) CHECK(d.severity == Severity::note);
}

/// Each of the table, both ways.
inline void check_all(const std::vector<Situation>& situations) {
  Bench bench;
  NEEDS_NVRTC(bench.fixture);
  for (const Situation& situation : situations) {
    INFO(situation.name);
    const std::string wrong = variant(situation.source, true);
    check_wrong(situation, bench.run(bench.request(wrong)), wrong);
    check_right(bench.run(bench.request(variant(situation.source, false))));
  }
}

}  // namespace warpbook::lab_tests
