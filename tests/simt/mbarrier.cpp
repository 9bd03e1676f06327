// Barrier objects in shared memory: phases, tokens, parity, bytes; asynchronous copies that arrive at them.
#include "simt/memory_harness.h"

namespace warpbook::simt {
namespace {

using memory_tests::all_levels;
using memory_tests::Bench;
using memory_tests::iota;
using memory_tests::kernel;

const std::string barrier_object = ".shared .align 8 .b64 bar;\n.shared .align 16 .b8 s[1024];";

TEST_CASE("threads of a block meet at an mbarrier, phase after phase") {
  // Each round writes one's own place, arrives, waits for the phase, and reads the neighbour's.
  const std::string text = kernel(1, R"(
    mov.u32 %r2, bar;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra READY;
    mbarrier.init.shared.b64 [%r2], 96;
  READY:
    bar.sync 0;
    shl.b32 %r3, %r0, 2;
    mov.u32 %r4, s;
    add.u32 %r4, %r4, %r3;
    add.u32 %r5, %r0, 1;
    rem.u32 %r5, %r5, 96;
    shl.b32 %r5, %r5, 2;
    mov.u32 %r6, s;
    add.u32 %r5, %r5, %r6;
    mov.u32 %r7, 0;
    mov.u32 %r8, %r0;
  ROUND:
    st.shared.u32 [%r4], %r8;
    mbarrier.arrive.shared.b64 %rd5, [%r2];
  WAIT1:
    mbarrier.test_wait.shared.b64 %p1, [%r2], %rd5;
    @!%p1 bra WAIT1;
    ld.shared.u32 %r8, [%r5];
    mbarrier.arrive.shared.b64 _, [%r2];
  WAIT2:
    mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 1;
    @!%p1 bra WAIT2;
    add.u32 %r7, %r7, 1;
    setp.lt.u32 %p2, %r7, 5;
    @%p2 bra ROUND;
    cvt.u64.u32 %rd6, %r3;
    add.u64 %rd6, %rd0, %rd6;
    st.global.u32 [%rd6], %r8;
    bar.sync 0;
    @%p0 bra DONE;
    mbarrier.inval.shared.b64 [%r2];
  DONE:)",
                                  barrier_object);
  for (const Level level : all_levels) {
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
      Bench bench(text);
      bench.options.level = level;
      bench.options.order = order;
      const Address out = bench.buffer("out", std::vector<uint32_t>(96));
      const RunReport report = bench.run(1, 96);
      for (const Diagnosis& d : report.diagnostics) UNSCOPED_INFO(d.kind << ": " << d.message);
      REQUIRE(report.status == RunStatus::ok);
      const auto got = bench.read<uint32_t>(out, 96);
      for (uint32_t i = 0; i < 96; ++i) CHECK(got[i] == (i + 5) % 96);
    }
  }
}

TEST_CASE("an mbarrier counts arrivals, those dropped, and bytes") {
  const std::string text = kernel(1, R"(
    mov.u32 %r2, bar;
    mbarrier.init.shared.b64 [%r2], 3;
    mbarrier.arrive.shared.b64 %rd5, [%r2];
    mbarrier.pending_count.b64 %r10, %rd5;
    mbarrier.arrive.noComplete.shared.b64 %rd6, [%r2], 1;
    mbarrier.pending_count.b64 %r11, %rd6;
    mbarrier.test_wait.shared.b64 %p0, [%r2], %rd5;
    selp.u32 %r12, 1, 0, %p0;
    mbarrier.arrive_drop.shared.b64 %rd7, [%r2];
    mbarrier.test_wait.shared.b64 %p0, [%r2], %rd5;
    selp.u32 %r13, 1, 0, %p0;
    mbarrier.arrive.expect_tx.shared.b64 %rd8, [%r2], 64;
    mbarrier.pending_count.b64 %r14, %rd8;
    mbarrier.arrive.shared.b64 _, [%r2];
    mbarrier.test_wait.parity.shared.b64 %p0, [%r2], 1;
    selp.u32 %r15, 1, 0, %p0;
    mbarrier.complete_tx.shared.b64 [%r2], 40;
    mbarrier.test_wait.parity.shared.b64 %p0, [%r2], 1;
    selp.u32 %r16, 1, 0, %p0;
    mbarrier.complete_tx.shared.b64 [%r2], 24;
    mbarrier.test_wait.parity.shared.b64 %p0, [%r2], 1;
    selp.u32 %r17, 1, 0, %p0;
    st.global.v4.u32 [%rd0], {%r10, %r11, %r12, %r13};
    st.global.v4.u32 [%rd0+16], {%r14, %r15, %r16, %r17};)",
                                  barrier_object);
  Bench bench(text);
  const Address out = bench.buffer("out", std::vector<uint32_t>(8, 9));
  REQUIRE(bench.run(1, 1).status == RunStatus::ok);
  // Expected arrivals fall to 2 with the one that was dropped; the second phase waits for 64 bytes besides.
  CHECK(bench.read<uint32_t>(out, 8) == std::vector<uint32_t>{3, 2, 0, 1, 2, 0, 0, 1});
}

TEST_CASE("cp.async copies all, some or none of a lane's bytes") {
  const std::string text = kernel(2, R"(
    shl.b32 %r2, %r0, 4;
    cvt.u64.u32 %rd5, %r2;
    add.u64 %rd6, %rd0, %rd5;
    add.u64 %rd7, %rd1, %rd5;
    mov.u32 %r3, s;
    add.u32 %r3, %r3, %r2;
    cp.async.cg.shared.global [%r3], [%rd6], 16;
    cp.async.commit_group;
    cp.async.wait_group 0;
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];
    st.global.v4.u32 [%rd7], {%r4, %r5, %r6, %r7};
    and.b32 %r8, %r0, 3;
    shl.b32 %r8, %r8, 2;
    cp.async.ca.shared.global [%r3], [%rd6], 16, %r8;
    cp.async.wait_all;
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];
    st.global.v4.u32 [%rd7+512], {%r4, %r5, %r6, %r7};
    setp.lt.u32 %p0, %r0, 10;
    cp.async.ca.shared.global [%r3], [%rd6], 8, %p0;
    cp.async.wait_all;
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];
    st.global.v4.u32 [%rd7+1024], {%r4, %r5, %r6, %r7};)",
                                  barrier_object);
  for (const Level level : all_levels) {
    Bench bench(text);
    bench.options.level = level;
    auto in = iota<uint32_t>(128);
    for (uint32_t& v : in) v += 1000;
    bench.buffer("in", in);
    const Address out = bench.buffer("out", std::vector<uint32_t>(384));
    REQUIRE(bench.run(1, 32).status == RunStatus::ok);
    const auto got = bench.read<uint32_t>(out, 384);
    for (uint32_t lane = 0; lane < 32; ++lane) {
      for (uint32_t word = 0; word < 4; ++word) {
        const uint32_t i = lane * 4 + word;
        CHECK(got[i] == in[i]);
        CHECK(got[128 + i] == (word < lane % 4 ? in[i] : 0));
        // The last copies 8 bytes; lanes below 10 ignore the source and get zeros.
        const uint32_t before = word < lane % 4 ? in[i] : 0;
        CHECK(got[256 + i] == (word >= 2 ? before : lane < 10 ? 0 : in[i]));
      }
    }
  }
}

TEST_CASE("asynchronous copies arrive at an mbarrier") {
  const std::string text = kernel(2, R"(
    mov.u32 %r2, bar;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra READY;
    mbarrier.init.shared.b64 [%r2], 64;
  READY:
    bar.sync 0;
    shl.b32 %r3, %r0, 2;
    cvt.u64.u32 %rd5, %r3;
    add.u64 %rd6, %rd0, %rd5;
    mov.u32 %r4, s;
    add.u32 %r5, %r4, %r3;
    cp.async.ca.shared.global [%r5], [%rd6], 4;
    cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];
    cp.async.mbarrier.arrive.shared.b64 [%r2];
  WAIT:
    mbarrier.test_wait.parity.shared.b64 %p1, [%r2], 0;
    @!%p1 bra WAIT;
    sub.u32 %r6, 63, %r0;
    shl.b32 %r6, %r6, 2;
    add.u32 %r6, %r4, %r6;
    ld.shared.u32 %r7, [%r6];
    add.u64 %rd7, %rd1, %rd5;
    st.global.u32 [%rd7], %r7;)",
                                  barrier_object);
  for (const Level level : all_levels) {
    Bench bench(text);
    bench.options.level = level;
    bench.buffer("in", iota<uint32_t>(64));
    const Address out = bench.buffer("out", std::vector<uint32_t>(64));
    REQUIRE(bench.run(1, 64).status == RunStatus::ok);
    const auto got = bench.read<uint32_t>(out, 64);
    for (uint32_t i = 0; i < 64; ++i) CHECK(got[i] == 63 - i);
  }
}

TEST_CASE("a phase that nobody completes is a deadlock, not an endless run") {
  const std::string text = kernel(0, R"(
    mov.u32 %r2, bar;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra READY;
    mbarrier.init.shared.b64 [%r2], 33;
  READY:
    bar.sync 0;
    mbarrier.arrive.shared.b64 %rd5, [%r2];
  WAIT:
    mbarrier.try_wait.shared.b64 %p1, [%r2], %rd5;
    @!%p1 bra WAIT;)",
                                  barrier_object);
  Bench bench(text);
  bench.options.max_instructions = 10'000'000;
  const RunReport report = bench.run(1, 32);
  REQUIRE(report.status == RunStatus::fault);
  CHECK((report.diagnostics.at(0).kind == "infinite-loop" || report.diagnostics.at(0).kind == "deadlock"));
}

}  // namespace
}  // namespace warpbook::simt
