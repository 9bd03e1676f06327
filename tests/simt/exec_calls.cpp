// Calls: parameters by value, function pointers, recursion and its limit, assert and trap.
#include "simt/exec_harness.h"

namespace warpbook::simt {
namespace {

using exec_tests::check_sums;
using exec_tests::only_error;
using exec_tests::Program;
using memory_tests::all_levels;

TEST_CASE("structs travel by value, into two calls of the same function") {
  for (const Level level : all_levels) {
    Program p("exec_calls");
    p.options.level = level;
    const Address out = p.buffer("out", std::vector<double>(40, -1));
    const Address ints = p.buffer("ints", std::vector<int>(120, -1));
    const RunReport report = p.launch("by_value", 1, 40);
    REQUIRE(report.status == RunStatus::ok);
    const auto x = p.read<double>(out, 40);
    const auto k = p.read<int>(ints, 120);
    for (int t = 0; t < 40; ++t) {
      const bool second = t % 3 == 1;
      CHECK(x[size_t(t)] == (second ? 1.5 * t * 2 + (t - 8) : 1.5 * t * 5 + 3));
      for (int i = 0; i < 3; ++i) CHECK(k[size_t(3 * t + i)] == t + 2 - i + (second ? -t : 4));
    }
    if (level != Level::run) check_sums(report);
  }
}

TEST_CASE("lanes call different functions through pointers") {
  Program p("exec_calls");
  const Address out = p.buffer("out", std::vector<int>(64, 0));
  std::vector<int> which(64);
  for (int i = 0; i < 64; ++i) which[size_t(i)] = i * 5 % 3;
  p.buffer("which", which);
  const RunReport report = p.launch("through_pointers", 1, 64);
  REQUIRE(report.status == RunStatus::ok);
  check_sums(report);
  const auto got = p.read<int>(out, 64);
  for (int t = 0; t < 64; ++t) {
    const int x = t + 10;
    CHECK(got[size_t(t)] == (which[size_t(t)] == 0 ? x + 1 : which[size_t(t)] == 1 ? 3 * x : -x));
  }
}

TEST_CASE("a call through a pointer that is none") {
  for (const long long address : {0ll, 12345ll}) {
    Program p("exec_calls");
    p.buffer("out", std::vector<int>(32, 0));
    p.value("address", address);
    const Diagnosis d = only_error(p.launch("null_function", 1, 32));
    CHECK(d.kind == (address ? "trap" : "null-pointer"));
    CHECK(d.access == "call");
    CHECK(d.line == 38);
  }
}

TEST_CASE("recursion goes as deep as the call stack allows") {
  Program p("exec_calls");
  const Address out = p.buffer("out", std::vector<int>(64, 0));
  const RunReport report = p.launch("recursion", 1, 64);
  REQUIRE(report.status == RunStatus::ok);
  check_sums(report);
  const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  const auto got = p.read<int>(out, 64);
  for (int t = 0; t < 64; ++t) CHECK(got[size_t(t)] == fibonacci[t % 12]);

  p.options.stack_bytes = 64;
  const Diagnosis d = only_error(p.launch("recursion", 1, 64));
  CHECK(d.kind == "stack-overflow");
  CHECK(d.access == "call");
}

TEST_CASE("endless recursion overflows the stack") {
  Program p("exec_calls");
  p.buffer("out", std::vector<int>(64, 0));
  const Diagnosis d = only_error(p.launch("too_deep", 2, 32));
  CHECK(d.kind == "stack-overflow");
  CHECK(d.line == 54);
  REQUIRE(d.thread);
  CHECK(*d.thread == Dim3{0, 0, 0});
  CHECK(d.count == 64);
}

TEST_CASE("threads may leave the kernel from inside a function") {
  Program p("exec_calls");
  const Address out = p.buffer("out", std::vector<int>(32, 0));
  const RunReport report = p.launch("exit_in_function", 1, 32);
  REQUIRE(report.status == RunStatus::ok);
  check_sums(report);
  const auto got = p.read<int>(out, 32);
  for (int t = 0; t < 32; ++t) CHECK(got[size_t(t)] == (t % 4 == 2 ? 0 : t + 101));
}

TEST_CASE("an assertion that fails names itself") {
  Program p("exec_calls");
  p.buffer("in", memory_tests::iota<int>(32));
  const Diagnosis d = only_error(p.launch("asserts", 1, 32));
  CHECK(d.kind == "assert");
  CHECK(d.message.find("in[threadIdx.x] < 7") != std::string::npos);
  CHECK(d.line == 77);
  REQUIRE(d.thread);
  CHECK(*d.thread == Dim3{7, 0, 0});
  CHECK(d.count == 25);
}

TEST_CASE("a trap stops its block") {
  Program p("exec_calls");
  p.value("n", 5);
  const RunReport report = p.launch("traps", 1, 32);
  CHECK(report.status == RunStatus::fault);
  const Diagnosis d = only_error(report);
  CHECK(d.kind == "trap");
  CHECK(d.line == 82);
  REQUIRE(d.thread);
  CHECK(*d.thread == Dim3{5, 0, 0});
  p.arguments.clear();
  p.value("n", 50);
  CHECK(p.launch("traps", 1, 32).status == RunStatus::ok);
}

TEST_CASE("a shuffle inside a function that lanes called at different places is one shuffle") {
  // 0..15 call from one side of a branch and 16..31 from the other; inside, each takes its partner's value.
  const std::string function =
      ".func (.param .b32 back) partner(.param .b32 value)\n{\n.reg .b32 %a<6>;\n.reg .pred %q;\n"
      "ld.param.u32 %a1, [value];\nmov.u32 %a4, %laneid;\n"
      "shfl.sync.bfly.b32 %a2|%q, %a1, 16, 31, 0xffffffff;\nadd.u32 %a3, %a2, %a4;\n"
      "st.param.b32 [back], %a3;\nret;\n}";
  const auto call = [](const std::string& argument) {
    return "{ .param .b32 in;\n.param .b32 out;\nst.param.b32 [in], " + argument +
           ";\ncall.uni (out), partner, (in);\nld.param.b32 %r6, [out];\n}\n";
  };
  memory_tests::Bench bench(memory_tests::kernel(
      1,
      "mul.lo.u32 %r5, %r0, 100;\nmov.u32 %r7, 7000;\nsetp.lt.u32 %p1, %r0, 16;\n@!%p1 bra high;\n" +
          call("%r5") + "bra.uni end;\nhigh:\n" + call("%r5") +
          "add.u32 %r7, %r7, 1;\nend:\nadd.u32 %r6, %r6, %r7;\n"
          "mul.wide.u32 %rd5, %r0, 4;\nadd.u64 %rd5, %rd5, %rd0;\nst.global.u32 [%rd5], %r6;\n",
      function));
  const auto out = bench.buffer("out", std::vector<uint32_t>(32));
  const RunReport report = bench.run(1, 32);
  for (const Diagnosis& d : report.diagnostics) UNSCOPED_INFO(d.message);
  REQUIRE(report.status == RunStatus::ok);
  const auto got = bench.read<uint32_t>(out, 32);
  for (uint32_t i = 0; i < 32; ++i) CHECK(got[i] == (i ^ 16) * 100 + i + 7000 + (i >= 16));
}

}  // namespace
}  // namespace warpbook::simt
