// The same whole result, whatever the number of worker threads: JSON objects are compared, times apart.
#include <nlohmann/json.hpp>

#include "catch.h"
#include "explained_module.h"
#include "lab/report.h"

using namespace warpbook;

namespace {

std::string told_by(Session& session, RunRequest request, unsigned threads) {
  request.threads = threads;
  const auto result = run(session, request);
  REQUIRE(result.ok());
  auto whole = nlohmann::ordered_json::parse(run_as_json(*result));
  whole.erase("time");
  return whole.dump(1);
}

void compare(bool wrong) {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto session = explained::session_for(fixture);
  const explained::Module module(wrong);
  for (const explained::Case& one : explained::cases()) {
    INFO(one.name);
    const RunRequest request = explained::request_of(one, module.source);
    const std::string alone = told_by(*session, request, 1);
    for (const unsigned threads : {2u, 7u}) {
      INFO(threads << " worker threads");
      CHECK(told_by(*session, request, threads) == alone);
    }
  }
}

}  // namespace

TEST_CASE("Faulty kernels: the whole JSON is the same with 1, 2 and 7 worker threads") { compare(true); }

TEST_CASE("Correct kernels: the whole JSON is the same with 1, 2 and 7 worker threads") { compare(false); }
