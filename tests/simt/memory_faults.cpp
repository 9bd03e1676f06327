// What a learner is told about a bad address: kind, buffer, element, thread, and that nothing reaches the
// host.
#include "memory_harness.h"

using namespace warpbook;
using namespace warpbook::simt;
using namespace warpbook::simt::memory_tests;

namespace {

const Diagnosis& only(const RunReport& report, const std::string& kind) {
  for (const auto& d : report.diagnostics) UNSCOPED_INFO(d.kind << ": " << d.message);
  REQUIRE(report.status == RunStatus::fault);
  REQUIRE(report.diagnostics.size() == 1);
  REQUIRE(report.diagnostics[0].kind == kind);
  REQUIRE_FALSE(report.diagnostics[0].hint.empty());
  REQUIRE(report.diagnostics[0].severity == Severity::error);
  return report.diagnostics[0];
}

/// %r3 = global thread number + shift, %rd10 = p0 + 4 * %r3.
std::string global_index(int shift) {
  return "mov.u32 %r2, %ntid.x;\nmad.lo.s32 %r3, %r1, %r2, %r0;\nadd.s32 %r3, %r3, " + std::to_string(shift) +
         ";\nmul.wide.s32 %rd9, %r3, 4;\nadd.s64 %rd10, %rd0, %rd9;\n";
}

}  // namespace

TEST_CASE("past the end: the first thread of the first block at fault, and how many lanes") {
  for (const Level level : all_levels) {
    Bench bench(kernel(1, global_index(0) + "ld.global.f32 %f1, [%rd10];"));
    bench.options.level = level;
    bench.buffer("a", std::vector<float>(100));
    const auto report = bench.run(5, 32);
    const Diagnosis& d = only(report, "oob-read");
    REQUIRE(d.message == "Thread (4,0,0) of block (3,0,0) reads a[100], but a has 100 elements.");
    REQUIRE(d.buffer == "a");
    REQUIRE(d.space == "global");
    REQUIRE(d.access == "read");
    REQUIRE(d.index == 100);
    REQUIRE(d.bytes == 4);
    REQUIRE(*d.block == Dim3{3, 0, 0});
    REQUIRE(*d.thread == Dim3{4, 0, 0});
    REQUIRE(d.count == 28 + 32);
  }
}

TEST_CASE("before the start: a negative index") {
  for (const Level level : all_levels) {
    Bench bench(kernel(1, global_index(-1) + "st.global.f32 [%rd10], 0f3F800000;"));
    bench.options.level = level;
    bench.buffer("in", std::vector<float>(64));
    const auto report = bench.run(2, 32);
    const Diagnosis& d = only(report, "oob-write");
    REQUIRE(d.message == "Thread (0,0,0) of block (0,0,0) writes in[-1], but in has 64 elements.");
    REQUIRE(d.index == -1);
    REQUIRE(d.count == 1);
  }
}

TEST_CASE("far misses are charged to the buffer that they were computed from") {
  Bench bench(kernel(
      2, "mul.wide.u32 %rd9, 3000000000, 4;\nadd.s64 %rd10, %rd0, %rd9;\nld.global.u32 %r3, [%rd10];"));
  bench.buffer("first", std::vector<float>(8));
  bench.buffer("second", std::vector<float>(8));
  const auto report = bench.run(1, 1);
  REQUIRE(only(report, "oob-read").buffer == "first");
  REQUIRE(report.diagnostics[0].index == 3000000000);
}

TEST_CASE("a null argument is named") {
  for (const Level level : all_levels) {
    Bench bench(
        kernel(2, "mul.wide.u32 %rd9, %r0, 4;\nadd.s64 %rd10, %rd1, %rd9;\nld.global.f32 %f1, [%rd10];"));
    bench.options.level = level;
    bench.buffer("x", std::vector<float>(32));
    bench.argument("w", 0);
    const auto report = bench.run(2, 32);
    const Diagnosis& d = only(report, "null-pointer");
    REQUIRE(d.buffer == "w");
    REQUIRE(d.index == 0);
    REQUIRE(d.bytes == 4);
    REQUIRE(d.space == "global");
    REQUIRE(d.message == "Thread (0,0,0) of block (0,0,0) reads w[0], but w was given as null.");
  }
}

TEST_CASE("a freed buffer is named") {
  Bench bench(kernel(1, "ld.global.f32 %f1, [%rd0+8];"));
  const Address a = bench.buffer("gone", std::vector<float>(32));
  REQUIRE(bench.memory.free(a).ok());
  const auto report = bench.run(1, 1);
  const Diagnosis& d = only(report, "use-after-free");
  REQUIRE(d.buffer == "gone");
  REQUIRE(d.index == 2);
}

TEST_CASE("a vector access from an odd element") {
  for (const Level level : all_levels) {
    Bench bench(kernel(1, "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd0+4];"));
    bench.options.level = level;
    bench.buffer("a", std::vector<float>(32));
    const auto report = bench.run(1, 1);
    const Diagnosis& d = only(report, "misaligned-read");
    REQUIRE(d.buffer == "a");
    REQUIRE(d.index == 1);
    REQUIRE(d.bytes == 16);
    REQUIRE(d.message ==
            "Thread (0,0,0) of block (0,0,0) reads 16 bytes at a[1], whose address is no multiple of 16.");
  }
  Bench bench(kernel(1, "st.global.u32 [%rd0+2], 1;"));
  bench.buffer("a", std::vector<float>(32));
  REQUIRE(only(bench.run(1, 1), "misaligned-write").index == 0);
}

TEST_CASE("shared arrays: each has its own bounds") {
  const std::string head = ".shared .align 4 .b8 part[16];\n.shared .align 4 .b8 other[256];\n";
  for (const Level level : all_levels) {
    Bench bench(
        kernel(1,
               "mov.u32 %r2, part;\nshl.b32 %r3, %r0, 2;\nadd.s32 %r4, %r2, %r3;\nsetp.eq.u32 %p1, %r0, 0;\n"
               "@%p1 st.shared.u32 [other], %r0;\nst.shared.u32 [%r4], %r0;",
               head));
    bench.options.level = level;
    bench.buffer("a", std::vector<float>(32));
    const auto report = bench.run(1, 32);
    const Diagnosis& d = only(report, "oob-write");
    REQUIRE(d.buffer == "part");
    REQUIRE(d.space == "shared");
    REQUIRE(d.index == 4);
    REQUIRE(*d.thread == Dim3{4, 0, 0});
    REQUIRE(d.count == 28);
    REQUIRE(d.message == "Thread (4,0,0) of block (0,0,0) writes part[4], but part has 4 elements.");
  }
}

TEST_CASE("past dynamic shared memory, and dynamic memory that was not asked for") {
  const std::string head = ".extern .shared .align 16 .b8 buf[];\n";
  const std::string code =
      "mov.u32 %r2, buf;\nshl.b32 %r3, %r0, 2;\nadd.s32 %r4, %r2, %r3;\nst.shared.u32 [%r4], %r0;";
  Bench bench(kernel(1, code, head));
  bench.buffer("a", std::vector<float>(32));
  bench.shared_bytes = 64;
  auto report = bench.run(1, 32);
  REQUIRE(only(report, "oob-write").index == 16);
  REQUIRE(report.diagnostics[0].buffer == "buf");
  REQUIRE(report.diagnostics[0].message.find("buf has 16 elements") != std::string::npos);
  bench.shared_bytes = 0;
  report = bench.run(1, 32);
  REQUIRE(only(report, "oob-write").index == 0);
}

TEST_CASE("constant tables and local arrays") {
  Bench table(
      kernel(1, "mov.u64 %rd5, taps;\nld.const.f32 %f1, [%rd5+20];", ".const .align 4 .b8 taps[20];\n"));
  table.buffer("a", std::vector<float>(1));
  auto report = table.run(1, 1);
  REQUIRE(only(report, "oob-read").space == "const");
  REQUIRE(report.diagnostics[0].buffer == "taps");
  REQUIRE(report.diagnostics[0].index == 5);

  Bench write(
      kernel(1, "mov.u64 %rd5, taps;\nst.f32 [%rd5+4], 0f3F800000;", ".const .align 4 .b8 taps[20];\n"));
  write.buffer("a", std::vector<float>(1));
  report = write.run(1, 1);
  REQUIRE(only(report, "oob-write").message.find("constant memory") != std::string::npos);

  for (const std::string at : {"-4", "4096"}) {
    Bench local(kernel(1,
                       ".local .align 4 .b8 depot[16];\nmov.u64 %rd5, depot;\ncvta.local.u64 %rd6, %rd5;\n"
                       "st.u32 [%rd6+" +
                           at + "], 1;"));
    local.buffer("a", std::vector<float>(1));
    report = local.run(1, 32);
    REQUIRE(only(report, "oob-write").space == "local");
    REQUIRE(report.diagnostics[0].count == 32);
  }
}

TEST_CASE("wild addresses of every range fault and never crash") {
  for (const Level level : all_levels) {
    for (const char* address :
         {"1", "0x7fffffffffff", "0x800000000000", "0xffffffffffffffff", "0xffffffffffff0000",
          "0x600000000000", "0x680000000000", "0x6fffffffffff", "0x700000000000", "0x77ffffffffff",
          "0x780000000000", "0x100000000000", "0x4fffffffffff", "0x500000000000", "0x5fffffffffff"}) {
      for (const char* access :
           {"ld.u8 %r5, [%rd5];", "st.u8 [%rd5], 1;", "ld.global.u8 %r5, [%rd5];",
            "ld.shared.u8 %r5, [%rd5];", "ld.local.u8 %r5, [%rd5];", "ld.const.u8 %r5, [%rd5];"}) {
        Bench bench(kernel(1, std::string("mov.u64 %rd5, ") + address + ";\n" + access));
        bench.options.level = level;
        bench.buffer("a", std::vector<float>(4));
        const auto report = bench.run(1, 32);
        INFO(address << " " << access);
        // The kernel has parameters, so their block may be read.
        const bool parameters =
            std::string(address) == "0x680000000000" && std::string(access).find("ld.u8") == 0;
        if (!parameters && std::string(access).find(".global") == std::string::npos &&
            std::string(access).find(".const") == std::string::npos) {
          REQUIRE(report.status == RunStatus::fault);
          REQUIRE_FALSE(report.diagnostics.empty());
          REQUIRE(report.diagnostics[0].message.back() == '.');
        }
      }
    }
  }
}

TEST_CASE("memory that nothing wrote: reported once a place, the block goes on") {
  Bench bench(
      kernel(2, global_index(0) +
                    "ld.global.u32 %r5, [%rd10];\nadd.s64 %rd11, %rd1, %rd9;\nst.global.u32 [%rd11], %r5;"));
  bench.empty_buffer("never", 64 * 4, 4);
  const Address out = bench.buffer("out", std::vector<uint32_t>(64));
  const auto report = bench.run(2, 32);
  const Diagnosis& d = only(report, "uninit-read");
  REQUIRE(d.buffer == "never");
  REQUIRE(d.index == 0);
  REQUIRE(d.count == 64);
  REQUIRE(d.message == "Thread (0,0,0) of block (0,0,0) reads never[0], which nothing has written yet.");
  REQUIRE(bench.read<uint32_t>(out, 64)[63] == 0xCDCDCDCD);
}

TEST_CASE("what one launch wrote is written for the next, at any level") {
  for (const Level first : all_levels) {
    Bench bench(kernel(1, global_index(0) + "st.global.u32 [%rd10], 1;"));
    const Address a = bench.empty_buffer("a", 64 * 4, 4);
    bench.options.level = first;
    REQUIRE(bench.run(2, 32).status == RunStatus::ok);
    auto module = load_module(kernel(1, global_index(0) + "ld.global.u32 %r5, [%rd10];"));
    auto reader = instantiate(*module, bench.memory);
    Launch launch;
    launch.grid = {2, 1, 1};
    launch.block = {32, 1, 1};
    RunOptions options;
    REQUIRE(run(**reader, "k", launch, bench.arguments, bench.gpu, options).status == RunStatus::ok);
    REQUIRE(bench.read<uint32_t>(a, 1)[0] == 1);
  }
}

TEST_CASE("part of a buffer that nothing wrote, in shared memory too") {
  // Threads below 20 write; thread t reads element t + 1.
  const std::string code =
      "mov.u32 %r2, s;\nshl.b32 %r3, %r0, 2;\nadd.s32 %r4, %r2, %r3;\nsetp.lt.u32 %p1, %r0, 20;\n"
      "@%p1 st.shared.u32 [%r4], %r0;\nbar.sync 0;\nld.shared.u32 %r5, [%r4+4];";
  Bench bench(kernel(1, code, ".shared .align 4 .b8 s[132];\n"));
  bench.buffer("a", std::vector<float>(1));
  const auto report = bench.run(3, 32);
  const Diagnosis& d = only(report, "uninit-read");
  REQUIRE(d.buffer == "s");
  REQUIRE(d.space == "shared");
  REQUIRE(d.index == 20);
  REQUIRE(*d.thread == Dim3{19, 0, 0});
  REQUIRE(d.count == 3 * 13);
}

TEST_CASE("single bytes of a word count as written by themselves") {
  // Byte 0 of each word is written: a byte load of it is fine, one of byte 1 and the whole word are not.
  const auto run_with = [](const std::string& load) {
    Bench bench(kernel(1, global_index(0) + "st.global.u8 [%rd10], 1;\n" + load));
    bench.empty_buffer("a", 32 * 4, 4);
    return bench.run(1, 32).status;
  };
  REQUIRE(run_with("ld.global.u8 %r5, [%rd10];") == RunStatus::ok);
  REQUIRE(run_with("ld.global.u8 %r5, [%rd10+1];") == RunStatus::fault);
  REQUIRE(run_with("ld.global.u32 %r5, [%rd10];") == RunStatus::fault);
}

TEST_CASE("local memory that nothing wrote, and atomics on unwritten memory") {
  Bench local(kernel(1,
                     ".local .align 4 .b8 depot[16];\nmov.u64 %rd5, depot;\nst.local.u32 [%rd5+4], 1;\n"
                     "ld.local.u32 %r5, [%rd5+4];\nld.local.u32 %r5, [%rd5+8];"));
  local.buffer("a", std::vector<float>(1));
  auto report = local.run(1, 32);
  REQUIRE(only(report, "uninit-read").space == "local");
  REQUIRE(report.diagnostics[0].count == 32);

  Bench atomic(kernel(1, "atom.global.add.u32 %r5, [%rd0], 1;"));
  atomic.empty_buffer("count", 4, 4);
  report = atomic.run(1, 32);
  REQUIRE(only(report, "uninit-read").count == 1);
}

TEST_CASE("the block at fault stops, the others go on") {
  Bench bench(
      kernel(1, global_index(0) +
                    "setp.eq.u32 %p1, %r1, 1;\n@%p1 add.s64 %rd10, %rd10, 4096;\nst.global.u32 [%rd10], 7;"));
  const Address a = bench.buffer("a", std::vector<uint32_t>(96));
  const auto report = bench.run(3, 32);
  REQUIRE(only(report, "oob-write").count == 32);
  const auto got = bench.read<uint32_t>(a, 96);
  REQUIRE(got[0] == 7);
  REQUIRE(got[32] == 0);
  REQUIRE(got[64] == 7);
}
