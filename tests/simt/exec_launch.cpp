// Launches that are refused, each with the numbers that a learner needs.
#include "simt/exec_harness.h"

namespace warpbook::simt {
namespace {

using exec_tests::Program;

struct Refused {
  std::string kind, message;
};
Refused launch(Dim3 grid, Dim3 block, uint32_t shared = 0, bool optin = false) {
  Program p("exec_barrier");
  p.shared_bytes = shared;
  p.shared_optin = optin;
  const Address out = p.buffer("out", std::vector<int>(64, 7));
  const RunReport report = p.launch("rotate", grid, block);
  REQUIRE(report.status == RunStatus::launch_error);
  REQUIRE(report.diagnostics.size() == 1);
  CHECK(report.diagnostics[0].access == "launch");
  CHECK(report.diagnostics[0].severity == Severity::error);
  CHECK(!report.diagnostics[0].hint.empty());
  CHECK(report.warp_instructions == 0);
  CHECK(p.read<int>(out, 64) == std::vector<int>(64, 7));
  return {report.diagnostics[0].kind, report.diagnostics[0].message};
}
bool has(const Refused& refused, const std::string& text) {
  return refused.message.find(text) != std::string::npos;
}

TEST_CASE("blocks that are too large") {
  const Refused flat = launch({1, 1, 1}, {1025, 1, 1});
  CHECK(flat.kind == "block-too-large");
  CHECK(has(flat, "1025"));
  CHECK(has(flat, "1024"));
  const Refused square = launch({1, 1, 1}, {33, 32, 1});
  CHECK(square.kind == "block-too-large");
  CHECK(has(square, "(33, 32, 1)"));
  CHECK(has(square, "1056"));
  const Refused huge = launch({1, 1, 1}, {0xffffffff, 0xffffffff, 0xffffffff});
  CHECK(huge.kind == "block-too-large");
  const Refused deep = launch({1, 1, 1}, {1, 1, 65});
  CHECK(deep.kind == "block-dim-too-large");
  CHECK(has(deep, "65"));
  CHECK(has(deep, "64"));
}

TEST_CASE("grids and blocks of nothing") {
  CHECK(launch({0, 1, 1}, {32, 1, 1}).kind == "grid-dim-zero");
  CHECK(launch({1, 1, 0}, {32, 1, 1}).kind == "grid-dim-zero");
  CHECK(launch({1, 1, 1}, {32, 0, 1}).kind == "grid-dim-zero");
}

TEST_CASE("grids that are too large") {
  CHECK(launch({2147483648u, 1, 1}, {32, 1, 1}).kind == "grid-too-large");
  const Refused tall = launch({1, 65536, 1}, {32, 1, 1});
  CHECK(tall.kind == "grid-too-large");
  CHECK(has(tall, "65536"));
  CHECK(has(tall, "65535"));
  CHECK(launch({1, 1, 65536}, {32, 1, 1}).kind == "grid-too-large");
}

TEST_CASE("more shared memory than a block may have") {
  // The kernel itself has 256 bytes.
  const Refused plain = launch({1, 1, 1}, {64, 1, 1}, 49152 - 256 + 1);
  CHECK(plain.kind == "shared-too-large");
  CHECK(has(plain, "49153"));
  CHECK(has(plain, "49152"));
  CHECK(launch({1, 1, 1}, {64, 1, 1}, 163 * 1024 - 255, true).kind == "shared-too-large");
  for (const auto& [bytes, optin] : {std::pair{49152u - 256u, false}, std::pair{163u * 1024u - 256u, true}}) {
    Program p("exec_barrier");
    p.shared_bytes = bytes;
    p.shared_optin = optin;
    p.buffer("out", std::vector<int>(64, 7));
    CHECK(p.launch("rotate", 1, 64).status == RunStatus::ok);
  }
}

TEST_CASE("arguments that do not fit the parameters, and kernels that are not there") {
  Program p("exec_barrier");
  CHECK(p.launch("rotate", 1, 64).diagnostics.at(0).kind == "bad-argument");
  CHECK(p.launch("rotate", 1, 64).status == RunStatus::launch_error);
  p.value("out", 1);
  CHECK(p.launch("rotate", 1, 64).diagnostics.at(0).kind == "bad-argument");
  CHECK(p.launch("nothing", 1, 64).status == RunStatus::launch_error);
}

}  // namespace
}  // namespace warpbook::simt
