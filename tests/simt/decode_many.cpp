// Limits that long modules once met, and what debug builds copy.
#include "simt/exec_harness.h"

namespace warpbook::simt {
namespace {

using exec_tests::only_error;
using memory_tests::Bench;
using memory_tests::kernel;

TEST_CASE("a module may have more than 65,536 memory instructions") {
  std::string code;
  for (int i = 0; i < 66000; ++i) code += "st.global.u32 [%rd0], %r0;\n";
  code +=
      "mov.u32 %r2, 7;\nst.global.u32 [%rd0+4], %r2;\nld.global.u32 %r3, [%rd0+4];\nst.global.u32 [%rd0+8], "
      "%r3;\n";
  Bench bench(kernel(1, code));
  bench.options.level = Level::run;
  const Address out = bench.buffer("out", std::vector<uint32_t>(3));
  REQUIRE(bench.run(1, 1).status == RunStatus::ok);
  CHECK(bench.read<uint32_t>(out, 3) == std::vector<uint32_t>{0, 7, 7});
}

/// The depot of a debug build, and a byte of it that nothing has written.
std::string depot(const std::string& code) {
  return kernel(1,
                ".local .align 8 .b8 depot[16];\n.reg .b64 %SP;\n.reg .b64 %SPL;\nmov.u64 %SPL, depot;\n"
                "cvta.local.u64 %SP, %SPL;\nld.u8 %rs1, [%SP+4];\n" +
                    code);
}

TEST_CASE("a byte that a debug build only copies is not read, one that is used is") {
  {
    Bench bench(depot("st.u8 [%SP+5], %rs1;\nmov.u32 %r2, 3;\nst.global.u32 [%rd0], %r2;"));
    const Address out = bench.buffer("out", std::vector<uint32_t>(1));
    const RunReport report = bench.run(1, 1);
    CHECK(report.diagnostics.empty());
    REQUIRE(report.status == RunStatus::ok);
    CHECK(bench.read<uint32_t>(out, 1)[0] == 3);
  }
  Bench bench(depot("st.u8 [%SP+5], %rs1;\ncvt.u32.u16 %r2, %rs1;\nst.global.u32 [%rd0], %r2;"));
  bench.buffer("out", std::vector<uint32_t>(1));
  CHECK(only_error(bench.run(1, 1)).kind == "uninit-read");
}

TEST_CASE("an unknown instruction in a debug build is told as such, not as a use of its results") {
  Bench bench(
      depot("st.u8 [%SP+5], %rs1;\n"
            "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd0, {%r0}];\n"
            "st.f32 [%SP+8], %f0;\nst.f32 [%SP+12], %f1;"));
  bench.buffer("out", std::vector<uint32_t>(1));
  const Diagnosis told = only_error(bench.run(1, 1));
  CHECK(told.kind == "unsupported");
  CHECK(told.message.find("tex.1d.v4.f32.s32") != std::string::npos);
}

}  // namespace
}  // namespace warpbook::simt
