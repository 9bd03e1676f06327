// Control flow that compilers seldom write but PTX allows: jump tables, guards on calls, exits, barriers and
// shuffles.
#include "simt/exec_harness.h"

namespace warpbook::simt {
namespace {

using exec_tests::check_sums;
using exec_tests::only_error;
using memory_tests::Bench;
using memory_tests::kernel;

/// Stores %r5 of every thread in p0.
const std::string store_r5 =
    "mul.wide.u32 %rd10, %r0, 4;\nadd.s64 %rd11, %rd0, %rd10;\nst.global.u32 [%rd11], %r5;\n";

std::vector<int> run_for(const std::string& code, uint32_t threads, const std::string& head = "") {
  Bench bench(kernel(1, code + store_r5, head));
  const Address out = bench.buffer("out", std::vector<int>(threads, -1));
  const RunReport report = bench.run(1, threads);
  REQUIRE(report.status == RunStatus::ok);
  check_sums(report);
  return bench.read<int>(out, threads);
}

const std::string table =
    "and.b32 %r2, %r0, 3;\n"
    "ts: .branchtargets L0, L1, L2, L1;\n"
    "brx.idx %r2, ts;\n"
    "L0: mov.u32 %r5, 10; bra.uni done;\n"
    "L1: mov.u32 %r5, 11; bra.uni done;\n"
    "L2: mov.u32 %r5, 12;\n"
    "done:\n";

TEST_CASE("a jump table sends lanes to their places") {
  const auto got = run_for(table, 40);
  for (int t = 0; t < 40; ++t) CHECK(got[size_t(t)] == (t % 4 == 0 ? 10 : t % 4 == 2 ? 12 : 11));
}

TEST_CASE("a jump table that is entered beyond its end") {
  std::string wrong = table;
  wrong.replace(wrong.find("%r0, 3"), 6, "%r0, 7");
  Bench bench(kernel(1, wrong + store_r5));
  bench.buffer("out", std::vector<int>(32, -1));
  const Diagnosis d = only_error(bench.run(1, 32));
  CHECK(d.kind == "trap");
  REQUIRE(d.thread);
  CHECK(*d.thread == Dim3{4, 0, 0});
  CHECK(d.count == 4);
}

TEST_CASE("a guarded exit takes only its lanes") {
  const auto got = run_for("setp.gt.u32 %p1, %r0, 20;\n@%p1 exit;\nmov.u32 %r5, 7;\n", 32);
  for (int t = 0; t < 32; ++t) CHECK(got[size_t(t)] == (t > 20 ? -1 : 7));
}

TEST_CASE("a guarded call is made by some lanes only") {
  const std::string twice =
      ".func (.param .b32 r) twice(.param .b32 x)\n{\n.reg .b32 %t<3>;\nld.param.u32 %t1, [x];\n"
      "add.u32 %t2, %t1, %t1;\nst.param.b32 [r], %t2;\nret;\n}\n";
  const auto got = run_for(
      "mov.u32 %r5, 3;\nsetp.lt.u32 %p1, %r0, 10;\n"
      "{ .param .b32 a; .param .b32 b;\nst.param.b32 [a], %r0;\n@%p1 call (b), twice, (a);\n"
      "@%p1 ld.param.b32 %r5, [b];\n}\n",
      32, twice);
  for (int t = 0; t < 32; ++t) CHECK(got[size_t(t)] == (t < 10 ? 2 * t : 3));
}

TEST_CASE("a guarded shuffle waits for its own lanes") {
  const auto got = run_for(
      "mov.u32 %r5, %r0;\nsetp.lt.u32 %p1, %r0, 8;\n"
      "@%p1 shfl.sync.bfly.b32 %r5, %r0, 1, 31, 255;\n",
      32);
  for (int t = 0; t < 32; ++t) CHECK(got[size_t(t)] == (t < 8 ? t ^ 1 : t));
}

TEST_CASE("lanes whose guard is off do not wait at the barrier") {
  // Lanes of odd number skip the barrier of 64 threads, which then waits for all others and for those at the
  // second.
  const auto got = run_for(
      "and.b32 %r2, %r0, 1;\nsetp.eq.u32 %p1, %r2, 0;\nmov.u32 %r5, 1;\n"
      "@%p1 barrier.sync 3, 64;\n@!%p1 barrier.sync 3, 64;\nmov.u32 %r5, 2;\n",
      64);
  for (const int value : got) CHECK(value == 2);
}

TEST_CASE("bar.red counts predicates, also negated ones") {
  const auto got = run_for(
      "setp.lt.u32 %p1, %r0, 45;\nbar.red.popc.u32 %r5, 0, !%p1;\nbar.red.and.pred %p2, 0, %p1;\n"
      "bar.red.or.pred %p3, 0, %p1;\n@%p2 add.u32 %r5, %r5, 1000;\n@%p3 add.u32 %r5, %r5, 100;\n",
      64);
  for (const int value : got) CHECK(value == 19 + 100);
}

TEST_CASE("guarded instructions count the lanes that they run for") {
  Bench bench(kernel(
      1,
      "setp.lt.u32 %p1, %r0, 5;\nmov.u32 %r5, 0;\n@%p1 mov.u32 %r5, 1;\n@!%p1 mov.u32 %r5, 2;\n" + store_r5));
  const Address out = bench.buffer("out", std::vector<int>(32, -1));
  const RunReport all = bench.run(1, 32);
  REQUIRE(all.status == RunStatus::ok);
  check_sums(all);
  const auto got = bench.read<int>(out, 32);
  for (int t = 0; t < 32; ++t) CHECK(got[size_t(t)] == (t < 5 ? 1 : 2));
  // Both guarded ones together are one instruction for each thread.
  CHECK(all.counters.thread_instructions == 32 * (all.counters.warp_instructions - 1));
}

TEST_CASE("an instruction that nobody knows fails when it is reached, by name") {
  Bench bench(kernel(1,
                     "setp.eq.u32 %p1, %r0, 99;\n@%p1 bra never;\nmov.u32 %r5, 1;\nbra.uni done;\n"
                     "never: frobnicate.sync.b32 %r5, %r0;\ndone:\n" +
                         store_r5));
  bench.buffer("out", std::vector<int>(128, -1));
  CHECK(bench.run(1, 64).status == RunStatus::ok);
  const RunReport reached = bench.run(1, 128);
  CHECK(reached.status == RunStatus::unsupported);
  const Diagnosis d = only_error(reached);
  CHECK(d.kind == "unsupported");
  CHECK(d.message.find("frobnicate.sync.b32") != std::string::npos);
  REQUIRE(d.thread);
  CHECK(*d.thread == Dim3{99, 0, 0});
}

}  // namespace
}  // namespace warpbook::simt
