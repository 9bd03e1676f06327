// The table of situations, told in the learner's words: kind, line, sentence and hint of the wrong kernel,
// silence for its repair. The wrong kernels are one module and the right ones another.

#include "catch.h"
#include "explained_module.h"

using namespace warpbook;
using explained::Module;
using explained::request_of;
using explained::session_for;

namespace {

std::vector<Diagnosis> alarms_of(const RunResult& result) {
  std::vector<Diagnosis> alarms;
  for (const Diagnosis& d : result.diagnostics)
    if (d.severity != Severity::note) alarms.push_back(d);
  return alarms;
}

}  // namespace

TEST_CASE("Each situation is told at its line, in the learner's words") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto session = session_for(fixture);
  const Module wrong(true);
  for (size_t i = 0; i < explained::cases().size(); ++i) {
    const explained::Case& one = explained::cases()[i];
    INFO(one.name);
    const auto result = run(*session, request_of(one, wrong.source));
    REQUIRE(result.ok());
    const auto alarms = alarms_of(*result);
    for (const Diagnosis& d : alarms)
      UNSCOPED_INFO(d.line << " " << d.kind << ": " << d.message << " | " << d.hint);
    if (wrong.marked[i]) UNSCOPED_INFO("expected at " << wrong.marked[i]);
    CHECK(alarms.size() == 1);
    if (alarms.empty()) continue;
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
  for (const explained::Case& one : explained::cases()) {
    INFO(one.name);
    const auto result = run(*session, request_of(one, right.source));
    REQUIRE(result.ok());
    const auto alarms = alarms_of(*result);
    for (const Diagnosis& d : alarms) UNSCOPED_INFO(d.line << " " << d.kind << ": " << d.message);
    CHECK(alarms.empty());
    CHECK(result->status == "ok");
  }
}
