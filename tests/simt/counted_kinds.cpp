// Counters beyond sectors and passes: instructions by kind, lines, L1's data path, lanes at one address,
// blocks of different length; and that the quick way of counting counts what the slow way counts.
#include <numeric>
#include <random>

#include "memory_harness.h"

using namespace warpbook;
using namespace warpbook::simt;
using namespace warpbook::simt::memory_tests;

namespace {

RunReport measured(const std::string& code, uint32_t blocks = 1, uint32_t threads = 32) {
  Bench bench(kernel(1, code));
  bench.options.level = Level::measure;
  bench.buffer("a", std::vector<uint8_t>(1 << 16));
  RunReport report = bench.run(blocks, threads);
  REQUIRE(report.status == RunStatus::ok);
  return report;
}

/// A load by every lane at `factor` words from the next.
AccessCounters strided(int factor) {
  return measured("mul.wide.u32 %rd9, %r0, " + std::to_string(4 * factor) +
                  ";\nadd.s64 %rd10, %rd0, %rd9;\nld.global.u32 %r5, [%rd10];")
      .counters.global_load;
}

bool equal(const AccessCounters& a, const AccessCounters& b) {
  return a.requests == b.requests && a.lanes == b.lanes && a.bytes == b.bytes && a.sectors == b.sectors &&
         a.ideal_sectors == b.ideal_sectors && a.lines == b.lines && a.l1_thousandths == b.l1_thousandths &&
         a.bank_passes == b.bank_passes && a.ideal_passes == b.ideal_passes &&
         a.same_address == b.same_address;
}

/// Word indices of the lanes: runs, one place, two rows of 16 in every way, and anything.
std::vector<uint32_t> patterns(unsigned seed, int rounds) {
  std::mt19937 random(seed);
  std::vector<uint32_t> words;
  const auto pick = [&](uint32_t count) { return uint32_t(random() % count); };
  for (int round = 0; round < rounds; ++round) {
    const uint32_t kind = pick(6), near = pick(40);
    const uint32_t first = pick(900), second = pick(2) ? first + near : pick(900);
    const bool same_first = pick(2), same_second = pick(2);
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const uint32_t in_row = lane % 16;
      uint32_t word = pick(1000);
      if (kind == 0) word = first + lane;
      if (kind == 1) word = first;
      if (kind >= 2 && kind < 5) {
        word = lane < 16 ? first + (same_first ? 0 : in_row) : second + (same_second ? 0 : in_row);
      }
      words.push_back(word);
    }
  }
  return words;
}

}  // namespace

TEST_CASE("lines and L1 cycles of one load: a run one and one, a column 32 and 32") {
  CHECK(strided(1).lines == 1);
  CHECK(strided(1).l1_thousandths == 1000);
  // Words of one bank of 8 bytes, since the lanes are 128 bytes apart.
  CHECK(strided(32).lines == 32);
  CHECK(strided(32).l1_thousandths == 32000);
  // Odd distances spread over the banks; the lines decide then: 33 words apart they are 0.265 * 33.
  CHECK(strided(33).lines == 32);
  CHECK(strided(33).l1_thousandths == 32 * 265);
  CHECK(strided(2).lines == 2);
}

TEST_CASE("L1 takes as long as the GPU's row says") {
  Bench bench(kernel(1, "ld.global.u32 %r5, [%rd0];"));
  bench.options.level = Level::measure;
  bench.buffer("a", std::vector<uint8_t>(64));
  bench.gpu.l1_bytes_per_clock = 64;
  CHECK(bench.run(1, 32).counters.global_load.l1_thousandths == 2000);
  bench.gpu.l1_bytes_per_clock = 96;
  CHECK(bench.run(1, 32).counters.global_load.l1_thousandths == 1333);
}

TEST_CASE("atomics count the lanes that go to one address after each other") {
  const auto turns = [](const std::string& index) {
    const RunReport report = measured("and.b32 %r5, %r0, " + index +
                                      ";\nmul.wide.u32 %rd9, %r5, 4;\nadd.s64 %rd10, %rd0, %rd9;\n"
                                      "red.global.add.u32 [%rd10], 1;");
    CHECK(report.counters.shared_atomic.same_address == 0);
    return report.counters.global_atomic.same_address;
  };
  CHECK(turns("0") == 32);
  CHECK(turns("3") == 8);
  CHECK(turns("31") == 1);
}

TEST_CASE("instructions are counted by kind, and the kinds add up") {
  const RunReport report = measured(
      "cvt.rn.f32.u32 %f1, %r0;\nfma.rn.f32 %f2, %f1, %f1, %f1;\nadd.f32 %f3, %f2, %f1;\n"
      "sqrt.approx.f32 %f4, %f3;\nmul.lo.u32 %r5, %r0, %r0;\nadd.u32 %r6, %r5, 1;\nbar.sync 0;\n"
      "mul.wide.u32 %rd9, %r0, 4;\nadd.s64 %rd10, %rd0, %rd9;\nst.global.f32 [%rd10], %f4;\n",
      2, 64);
  const auto value = [&](const char* name) { return counter_value(report.counters, name).value_or(-1); };
  CHECK(value("issued_fp32") == 4 * 2);
  CHECK(value("issued_sfu") == 4);
  CHECK(value("issued_convert") == 4);
  CHECK(value("issued_imul") == 4 * 2);
  CHECK(value("issued_store") == 4);
  CHECK(value("issued_barrier") == 4);
  CHECK(value("issued_branch") == 4);  // ret
  const auto& issued = report.counters.issued;
  CHECK(std::accumulate(issued.begin(), issued.end(), uint64_t(0)) == report.counters.warp_instructions);
}

TEST_CASE("the shortest and the longest block are told") {
  const RunReport report = measured(
      "mov.u32 %r5, %r1;\nagain:\nadd.u32 %r5, %r5, -1;\nsetp.gt.s32 %p1, %r5, 0;\n@%p1 bra again;\n", 5);
  // Block b goes round max(1, b) times, three instructions each.
  CHECK(report.counters.most_in_block - report.counters.least_in_block == 3 * 3);
  CHECK(report.counters.least_in_block > 0);
}

TEST_CASE("what is counted quickly is what is counted address by address") {
  constexpr int rounds = 400;
  for (const Level level : {Level::measure, Level::check}) {
    for (const uint32_t threads : {32u, 23u}) {
      Counters counters[2];
      for (const bool slowly : {false, true}) {
        const std::string code =
            "mov.u32 %r4, s;\nmov.u32 %r5, 0;\nshl.b32 %r6, %r0, 2;\nadd.u32 %r7, %r6, %r4;\n"
            "mov.u32 %r8, 0;\nfill:\nst.shared.u32 [%r7], %r8;\nadd.u32 %r7, %r7, 4;\n"
            "add.u32 %r8, %r8, 1;\nsetp.lt.u32 %p1, %r8, 1024;\n@%p1 bra fill;\nbar.warp.sync 0xffffffff;\n"
            "mul.wide.u32 %rd5, %r0, 4;\nadd.u64 %rd5, %rd5, %rd0;\nagain:\nld.global.u32 %r9, [%rd5];\n"
            "mul.wide.u32 %rd6, %r9, 4;\nadd.u64 %rd6, %rd6, %rd1;\nld.global.u32 %r10, [%rd6];\n"
            "shl.b32 %r11, %r9, 2;\nadd.u32 %r11, %r11, %r4;\nld.shared.u32 %r12, [%r11];\n"
            "add.u64 %rd5, %rd5, 128;\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, " +
            std::to_string(rounds) + ";\n@%p1 bra again;\n";
        Bench bench(kernel(2, code, ".shared .align 4 .b8 s[4352];"));
        bench.options.level = level;
        if (slowly) bench.options.record = {Dim3{0, 0, 0}, 0u};
        bench.buffer("index", patterns(7, rounds));
        bench.buffer("a", std::vector<uint32_t>(1024));
        const RunReport report = bench.run(1, threads);
        for (const Diagnosis& d : report.diagnostics) UNSCOPED_INFO(d.message);
        counters[slowly] = report.counters;
      }
      CHECK(equal(counters[0].global_load, counters[1].global_load));
      CHECK(equal(counters[0].shared_load, counters[1].shared_load));
      CHECK(equal(counters[0].shared_store, counters[1].shared_store));
      CHECK(counters[0].shared_load.bank_passes > rounds);
    }
  }
}
