// What launches are told about their traffic: published figures through run(), write maps, the recording of
// one warp, and blocks that meet.
#include "memory_harness.h"

using namespace warpbook;
using namespace warpbook::simt;
using namespace warpbook::simt::memory_tests;

namespace {

Counters counters_of(const std::string& index, int element_bytes, uint32_t threads = 32) {
  const std::string reg = element_bytes == 8 ? "%rd5" : "%r5";
  Bench bench(kernel(1, index + "mul.wide.s32 %rd9, %r2, " + std::to_string(element_bytes) +
                            ";\nadd.s64 %rd10, %rd0, %rd9;\nld.global.b" + std::to_string(element_bytes * 8) +
                            " " + reg + ", [%rd10];"));
  bench.options.level = Level::measure;
  bench.buffer("a", std::vector<uint8_t>(1 << 20));
  const auto report = bench.run(1, threads);
  REQUIRE(report.status == RunStatus::ok);
  return report.counters;
}

Counters shared_counters(int width) {
  Bench bench(kernel(1,
                     "mov.u32 %r2, tile;\nmul.lo.s32 %r3, %r0, " + std::to_string(width * 4) +
                         ";\nadd.s32 %r4, %r2, %r3;\nst.shared.u32 [%r4], %r0;\nld.shared.u32 %r5, [%r4];\n"
                         "ld.shared.u32 %r6, [tile];",
                     ".shared .align 4 .b8 tile[4224];\n"));
  bench.options.level = Level::check;
  bench.buffer("a", std::vector<float>(1));
  return bench.run(1, 32).counters;
}

}  // namespace

TEST_CASE("sectors a request as published: contiguous 4, stride two 8, stride eight and more 32") {
  REQUIRE(counters_of("mov.u32 %r2, %r0;", 4).global_load.sectors == 4);
  REQUIRE(counters_of("shl.b32 %r2, %r0, 1;", 4).global_load.sectors == 8);
  REQUIRE(counters_of("shl.b32 %r2, %r0, 3;", 4).global_load.sectors == 32);
  REQUIRE(counters_of("shl.b32 %r2, %r0, 5;", 4).global_load.sectors == 32);
  REQUIRE(counters_of("mov.u32 %r2, 3;", 4).global_load.sectors == 1);
  // A transpose of doubles: rows 8, columns 32.
  REQUIRE(counters_of("mov.u32 %r2, %r0;", 8).global_load.sectors == 8);
  REQUIRE(counters_of("shl.b32 %r2, %r0, 7;", 8).global_load.sectors == 32);
  const auto two = counters_of("shl.b32 %r2, %r0, 1;", 4, 70);
  REQUIRE(two.global_load.requests == 3);
  REQUIRE(two.global_load.lanes == 70);
  REQUIRE(two.global_load.bytes == 280);
  REQUIRE(two.global_load.sectors == 8 + 8 + 2);
  REQUIRE(two.global_load.ideal_sectors == 4 + 4 + 1);
}

TEST_CASE("bank passes as published: a column of [32][32] 32, of [32][33] one, broadcast one") {
  const auto wide = shared_counters(32);
  REQUIRE(wide.shared_store.bank_passes == 32);
  REQUIRE(wide.shared_load.bank_passes == 32 + 1);
  REQUIRE(wide.shared_load.requests == 2);
  REQUIRE(wide.shared_load.ideal_passes == 2);
  const auto padded = shared_counters(33);
  REQUIRE(padded.shared_store.bank_passes == 1);
  REQUIRE(padded.shared_load.bank_passes == 2);
  REQUIRE(padded.global_load.requests == 0);
}

TEST_CASE("a site whose pattern changes is counted anew each time") {
  // Three rounds with strides 1, 2 and 1 again, shifted by 4 bytes in the last.
  Bench bench(kernel(
      1,
      "mov.u32 %r4, 0;\nagain:\nand.b32 %r6, %r4, 1;\nadd.s32 %r6, %r6, 1;\nmul.lo.s32 %r7, %r0, %r6;\n"
      "shr.u32 %r8, %r4, 1;\nadd.s32 %r7, %r7, %r8;\nmul.wide.s32 %rd9, %r7, 4;\nadd.s64 %rd10, %rd0, %rd9;\n"
      "ld.global.u32 %r5, [%rd10];\nadd.s32 %r4, %r4, 1;\nsetp.lt.s32 %p1, %r4, 3;\n@%p1 bra again;"));
  bench.options.level = Level::measure;
  bench.buffer("a", std::vector<uint32_t>(128));
  const auto report = bench.run(2, 32);
  REQUIRE(report.counters.global_load.requests == 6);
  REQUIRE(report.counters.global_load.sectors == 2 * (4 + 8 + 5));
}

TEST_CASE("counters do not depend on the number of workers") {
  const std::string code =
      "mad.lo.s32 %r3, %r1, 64, %r0;\nmul.lo.s32 %r4, %r3, 7;\nand.b32 %r4, %r4, 1023;\n"
      "mul.wide.s32 %rd9, %r4, 4;\nadd.s64 %rd10, %rd0, %rd9;\nld.global.u32 %r5, [%rd10];\n"
      "mul.wide.s32 %rd9, %r3, 4;\nadd.s64 %rd11, %rd1, %rd9;\nst.global.u32 [%rd11], %r5;";
  std::vector<uint64_t> seen;
  for (const unsigned threads : {1u, 2u, 5u}) {
    Bench bench(kernel(2, code));
    bench.options.threads = threads;
    bench.buffer("a", iota<uint32_t>(1024));
    bench.buffer("b", std::vector<uint32_t>(64 * 40));
    const auto report = bench.run(40, 64);
    REQUIRE(report.status == RunStatus::ok);
    REQUIRE_FALSE(report.fixed_order);
    const auto& c = report.counters;
    const std::vector<uint64_t> now{c.global_load.requests, c.global_load.sectors,
                                    c.global_load.ideal_sectors, c.global_store.sectors,
                                    c.global_store.bytes};
    if (seen.empty()) seen = now;
    REQUIRE(now == seen);
  }
}

TEST_CASE("blocks that touch each other's data run in a fixed order") {
  // Each block adds its number to element 0 without an atomic: the last block wins.
  const std::string code = "ld.global.u32 %r5, [%rd0];\nadd.u32 %r5, %r5, %r1;\nst.global.u32 [%rd0], %r5;";
  for (const unsigned threads : {1u, 4u}) {
    Bench bench(kernel(1, code));
    bench.options.threads = threads;
    const Address a = bench.buffer("a", std::vector<uint32_t>{5});
    const auto report = bench.run(64, 1);
    REQUIRE(bench.read<uint32_t>(a, 1)[0] == 5 + 63 * 64 / 2);
    REQUIRE(report.counters.global_load.requests == 64);
    if (threads > 1) REQUIRE(report.fixed_order);
  }
}

TEST_CASE("write maps: how often, by whom last, and what missed") {
  // Thread i writes element i / 2; 50 threads of one warp pair and a half; element 25 and more do not exist.
  const std::string code =
      "mad.lo.s32 %r3, %r1, 32, %r0;\nshr.u32 %r4, %r3, 1;\nmul.wide.s32 %rd9, %r4, 4;\n"
      "add.s64 %rd10, %rd0, %rd9;\nst.global.u32 [%rd10], %r3;";
  for (const unsigned threads : {1u, 3u}) {
    Bench bench(kernel(1, code));
    bench.options.threads = threads;
    bench.options.write_maps = true;
    bench.buffer("out", std::vector<uint32_t>(40));
    const auto report = bench.run(3, 32);
    REQUIRE(report.write_maps.size() == 1);
    const WriteMap& map = report.write_maps[0];
    REQUIRE(map.buffer == "out");
    REQUIRE(map.times.size() == 40);
    REQUIRE(map.times[0] == 2);
    REQUIRE(map.writer[0] == 1);
    REQUIRE(map.writer[31] == 63);
    // Block 2's warp missed with lanes 16 to 31 and wrote nothing.
    REQUIRE(map.times[32] == 0);
    REQUIRE(map.writer[32] == -1);
    REQUIRE(map.out_of_range.size() == 16);
    REQUIRE(map.out_of_range[0].thread == 80);
    REQUIRE(map.out_of_range[0].index == 40);
  }
}

TEST_CASE("the recording of one warp holds its accesses in order") {
  const std::string code =
      "mad.lo.s32 %r3, %r1, 64, %r0;\nmul.wide.s32 %rd9, %r3, 4;\nadd.s64 %rd10, %rd0, %rd9;\n"
      "ld.global.u32 %r5, [%rd10];\nmov.u32 %r6, s;\nshl.b32 %r7, %r0, 2;\nadd.s32 %r7, %r6, %r7;\n"
      "st.shared.u32 [%r7], %r5;\nadd.s64 %rd11, %rd1, %rd9;\nst.global.u32 [%rd11], %r5;";
  Bench bench(kernel(2, code, ".shared .align 4 .b8 s[256];\n"));
  bench.options.record = {Dim3{1, 0, 0}, 1};
  bench.buffer("a", iota<uint32_t>(192));
  bench.buffer("b", std::vector<uint32_t>(192));
  const auto report = bench.run(3, 64);
  REQUIRE(report.recording);
  REQUIRE(report.recording->complete);
  REQUIRE(report.recording->accesses.size() == 3);
  const auto& r = report.recording->accesses;
  REQUIRE(r[0].buffer == "a");
  REQUIRE(r[0].access == "read");
  REQUIRE(r[0].index[0] == 96);
  REQUIRE(r[0].index[31] == 127);
  REQUIRE(r[0].mask == ~0u);
  REQUIRE(r[1].buffer == "s");
  REQUIRE(r[1].space == "shared");
  REQUIRE(r[1].index[0] == 32);
  REQUIRE(r[2].access == "write");
  REQUIRE(r[2].step > r[0].step);
}
