// The workspace that cooperative groups find through %envreg1 and %envreg2: blocks of a launch meet in it,
// and each launch finds it empty.
#include "simt/memory_harness.h"

namespace warpbook::simt {
namespace {

using memory_tests::all_levels;
using memory_tests::Bench;
using memory_tests::kernel;

TEST_CASE("blocks meet in the grid's workspace, launch after launch") {
  const std::string text = kernel(1, R"(
    mov.u32 %r2, %envreg2;
    mov.u32 %r3, %envreg1;
    mov.b64 %rd5, {%r2, %r3};
    atom.global.add.u32 %r4, [%rd5+4], 1;
  WAIT:
    ld.volatile.global.u32 %r5, [%rd5+4];
    setp.lt.u32 %p0, %r5, 6;
    @%p0 bra WAIT;
    mul.wide.u32 %rd6, %r1, 4;
    add.u64 %rd6, %rd0, %rd6;
    st.global.u32 [%rd6], %r5;)");
  for (const Level level : all_levels) {
    for (const unsigned workers : {1u, 3u}) {
      Bench bench(text);
      bench.options.level = level;
      bench.options.threads = workers;
      const Address out = bench.buffer("out", std::vector<uint32_t>(6));
      for (int launch = 0; launch < 2; ++launch) {
        const RunReport report = bench.run(6, 1);
        for (const Diagnosis& d : report.diagnostics) UNSCOPED_INFO(d.kind << ": " << d.message);
        REQUIRE(report.status == RunStatus::ok);
        CHECK(bench.read<uint32_t>(out, 6) == std::vector<uint32_t>(6, 6));
      }
    }
  }
}

}  // namespace
}  // namespace warpbook::simt
