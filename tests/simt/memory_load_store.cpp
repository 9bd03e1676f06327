// ld and st through run(): every width, sign, vector, space and level; full and partial warps; all ways that
// lanes' addresses can lie.
#include "memory_harness.h"

using namespace warpbook;
using namespace warpbook::simt;
using namespace warpbook::simt::memory_tests;

namespace {

/// %rd10 = p0 + thread * scale, %rd11 = p1 + thread * out_scale.
std::string indexed(int scale, int out_scale) {
  return "mul.wide.s32 %rd20, %r0, " + std::to_string(scale) + ";\nadd.s64 %rd10, %rd0, %rd20;\n" +
         "mul.wide.s32 %rd21, %r0, " + std::to_string(out_scale) + ";\nadd.s64 %rd11, %rd1, %rd21;\n";
}

template <class In, class Out>
std::vector<Out> copy_kernel(const std::string& code, const std::vector<In>& in, size_t out_count,
                             uint32_t threads, Level level, const std::string& head = "") {
  Bench bench(kernel(2, code, head));
  bench.options.level = level;
  bench.buffer("in", in);
  const Address out = bench.buffer("out", std::vector<Out>(out_count));
  const RunReport report = bench.run(1, threads);
  for (const auto& d : report.diagnostics) UNSCOPED_INFO(d.message);
  REQUIRE(report.status == RunStatus::ok);
  return bench.read<Out>(out, out_count);
}

}  // namespace

TEST_CASE("contiguous, strided, reversed, broadcast and gathered loads and stores at every level") {
  const auto in = iota<uint32_t>(4096);
  for (const Level level : all_levels) {
    for (const uint32_t threads : {32u, 64u, 20u, 1u, 45u}) {
      for (const std::string index : {"mov.u32 %r2, %r0;", "shl.b32 %r2, %r0, 1;", "mul.lo.s32 %r2, %r0, 37;",
                                      "sub.s32 %r2, 100, %r0;", "mov.u32 %r2, 7;", "and.b32 %r2, %r0, 3;"}) {
        const auto out = copy_kernel<uint32_t, uint32_t>(
            index +
                "mul.wide.s32 %rd20, %r2, 4;\nadd.s64 %rd10, %rd0, %rd20;\nmul.wide.s32 %rd21, %r0, 8;\n"
                "add.s64 %rd11, %rd1, %rd21;\nld.global.u32 %r3, [%rd10+4];\nst.global.u32 [%rd11], %r3;",
            in, 128, threads, level);
        for (uint32_t t = 0; t < 64; ++t) {
          uint32_t expected = t;
          if (index.find("shl") != std::string::npos) expected = t * 2;
          if (index.find("mul") != std::string::npos) expected = t * 37;
          if (index.find("sub") != std::string::npos) expected = 100 - t;
          if (index.find(", 7") != std::string::npos) expected = 7;
          if (index.find("and") != std::string::npos) expected = t & 3;
          INFO(index << " threads " << threads << " thread " << t);
          REQUIRE(out[t * 2] == (t < threads ? expected + 1 : 0));
          REQUIRE(out[t * 2 + 1] == 0);
        }
      }
    }
  }
}

TEST_CASE("a guard leaves the other lanes' registers and memory alone") {
  // Odd threads load; even ones keep 5; threads below 20 store.
  const std::string code =
      indexed(4, 4) +
      "mov.u32 %r3, 5;\nand.b32 %r4, %r0, 1;\nsetp.eq.u32 %p1, %r4, 1;\n"
      "setp.lt.u32 %p2, %r0, 20;\n@%p1 ld.global.u32 %r3, [%rd10];\n@%p2 st.global.u32 [%rd11], %r3;";
  for (const Level level : all_levels) {
    const auto out = copy_kernel<uint32_t, uint32_t>(code, iota<uint32_t>(64), 64, 64, level);
    for (uint32_t t = 0; t < 64; ++t) {
      REQUIRE(out[t] == (t >= 20 ? 0 : t % 2 ? t : 5));
    }
  }
}

TEST_CASE("narrow loads extend by the sign of their type, into 32 and 64 bits") {
  std::vector<uint8_t> in(256);
  for (size_t i = 0; i < in.size(); ++i) in[i] = uint8_t(i * 7 + 120);
  for (const Level level : all_levels) {
    const auto check = [&](const std::string& load, int bytes, bool wide, auto expected) {
      const std::string code =
          indexed(bytes, 8) + load +
          (wide ? "st.global.u64 [%rd11], %rd5;" : "cvt.u64.u32 %rd6, %r5;\nst.global.u64 [%rd11], %rd6;");
      const auto out = copy_kernel<uint8_t, uint64_t>(code, in, 32, 32, level);
      for (size_t t = 0; t < 32; ++t) {
        INFO(load << " thread " << t);
        REQUIRE(out[t] == expected(t * size_t(bytes)));
      }
    };
    const auto at = [&](size_t i) { return uint64_t(in[i]); };
    const auto at16 = [&](size_t i) { return at(i) | at(i + 1) << 8; };
    const auto at32 = [&](size_t i) { return at16(i) | at16(i + 2) << 16; };
    check("ld.global.u8 %r5, [%rd10];\n", 1, false, at);
    check("ld.global.s8 %r5, [%rd10];\n", 1, false,
          [&](size_t i) { return uint64_t(uint32_t(int8_t(in[i]))); });
    check("ld.global.u16 %r5, [%rd10];\n", 2, false, at16);
    check("ld.global.s16 %r5, [%rd10];\n", 2, false,
          [&](size_t i) { return uint64_t(uint32_t(int16_t(at16(i)))); });
    check("ld.global.u8 %rd5, [%rd10];\n", 1, true, at);
    check("ld.global.s8 %rd5, [%rd10];\n", 1, true,
          [&](size_t i) { return uint64_t(int64_t(int8_t(in[i]))); });
    check("ld.global.s16 %rd5, [%rd10];\n", 2, true,
          [&](size_t i) { return uint64_t(int64_t(int16_t(at16(i)))); });
    check("ld.global.u32 %rd5, [%rd10];\n", 4, true, at32);
    check("ld.global.s32 %rd5, [%rd10];\n", 4, true,
          [&](size_t i) { return uint64_t(int64_t(int32_t(at32(i)))); });
    check("ld.global.nc.L1::evict_last.u32 %r5, [%rd10];\n", 4, false, at32);
    check("ld.volatile.global.u32 %r5, [%rd10];\n", 4, false, at32);
    check("ld.relaxed.gpu.global.u64 %rd5, [%rd10];\n", 8, true,
          [&](size_t i) { return at32(i) | at32(i + 4) << 32; });
    check("ld.acquire.sys.u16 %r5, [%rd10];\n", 2, false, at16);
  }
}

TEST_CASE("narrow stores write their bytes and no more") {
  for (const Level level : all_levels) {
    const std::string code = indexed(4, 4) +
                             "ld.global.u32 %r5, [%rd10];\ncvt.u16.u32 %rs1, %r5;\ncvt.u64.u32 %rd6, %r5;\n"
                             "st.global.u8 [%rd11], %r5;\nst.global.u16 [%rd11+2], %rs1;\n"
                             "st.global.u8 [%rd11+256], %rd6;\nst.volatile.global.u8 [%rd11+259], 9;";
    auto in = iota<uint32_t>(64);
    for (auto& v : in) v = v * 0x01020304u + 0x8899aabbu;
    const auto out = copy_kernel<uint32_t, uint32_t>(code, in, 128, 64, level);
    for (uint32_t t = 0; t < 64; ++t) {
      REQUIRE(out[t] == ((in[t] & 0xff) | (in[t] & 0xffff) << 16));
      REQUIRE(out[64 + t] == ((in[t] & 0xff) | 9u << 24));
    }
  }
}

TEST_CASE("vector loads and stores") {
  for (const Level level : all_levels) {
    for (const uint32_t threads : {32u, 13u}) {
      const auto in = iota<uint32_t>(512);
      const std::string code =
          indexed(16, 16) +
          "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd10];\nst.global.v4.u32 [%rd11], {%r5, %r4, %r3, %r2};\n"
          "ld.global.v2.u64 {%rd5, %rd6}, [%rd10];\nst.global.v2.u64 [%rd11+1024], {%rd6, %rd5};\n"
          "ld.global.v2.f32 {%f1, _}, [%rd10+8];\nst.global.f32 [%rd11+512], %f1;\n"
          "ld.global.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [%rd10];\n"
          "st.global.v4.u8 [%rd11+516], {%rs4, %rs3, %rs2, %rs1};";
      const auto out = copy_kernel<uint32_t, uint32_t>(code, in, 512, threads, level);
      for (uint32_t t = 0; t < threads; ++t) {
        for (uint32_t k = 0; k < 4; ++k) {
          REQUIRE(out[t * 4 + k] == t * 4 + 3 - k);
          REQUIRE(out[256 + t * 4 + k] == t * 4 + (k ^ 2));
        }
        REQUIRE(out[128 + t * 4] == t * 4 + 2);
        REQUIRE(out[128 + t * 4 + 1] == __builtin_bswap32(t * 4));
      }
      if (threads < 32) REQUIRE(out[threads * 4] == 0);
    }
  }
}

TEST_CASE("shared memory: own and generic addresses, static and dynamic arrays") {
  const std::string head = ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 tile[256];\n";
  // tile[t] = 2t and dynamic[t] = 3t, written by own addresses; read back reversed, the latter by a generic
  // address.
  const std::string code =
      "mov.u32 %r2, tile;\nshl.b32 %r3, %r0, 2;\nadd.s32 %r4, %r2, %r3;\nshl.b32 %r5, %r0, 1;\nst.shared.u32 "
      "[%r4], %r5;\n"
      "mov.u32 %r6, dynamic;\nadd.s32 %r7, %r6, %r3;\nmul.lo.s32 %r8, %r0, 3;\nst.shared.u32 [%r7], "
      "%r8;\nbar.sync 0;\n"
      "sub.s32 %r9, 63, %r0;\nshl.b32 %r10, %r9, 2;\nadd.s32 %r11, %r2, %r10;\nld.shared.u32 %r12, [%r11];\n"
      "mov.u64 %rd5, dynamic;\ncvta.shared.u64 %rd6, %rd5;\nmul.wide.u32 %rd7, %r9, 4;\nadd.s64 %rd8, %rd6, "
      "%rd7;\n"
      "ld.u32 %r13, [%rd8];\nmul.wide.u32 %rd9, %r0, 8;\nadd.s64 %rd10, %rd0, %rd9;\n"
      "st.global.v2.u32 [%rd10], {%r12, %r13};\nld.shared.u32 %r14, [tile+4];\nst.global.u32 [%rd0+512], "
      "%r14;";
  for (const Level level : all_levels) {
    Bench bench(kernel(1, code, head));
    bench.options.level = level;
    bench.shared_bytes = 256;
    bench.options.threads =
        1;  // both blocks store the same values to `out`: a race of the kernel, not the emulator's
    const Address out = bench.buffer("out", std::vector<uint32_t>(129));
    const RunReport report = bench.run(2, 64);
    for (const auto& d : report.diagnostics) UNSCOPED_INFO(d.message);
    REQUIRE(report.status == RunStatus::ok);
    const auto values = bench.read<uint32_t>(out, 129);
    for (uint32_t t = 0; t < 64; ++t) {
      REQUIRE(values[t * 2] == 2 * (63 - t));
      REQUIRE(values[t * 2 + 1] == 3 * (63 - t));
    }
    REQUIRE(values[128] == 2);
  }
}

TEST_CASE("local memory belongs to one thread, by own and generic addresses") {
  const std::string code =
      ".local .align 8 .b8 depot[32];\nmov.u64 %rd5, depot;\ncvta.local.u64 %rd6, %rd5;\n"
      "st.local.u32 [%rd5+4], %r0;\nmul.lo.s32 %r2, %r0, 10;\nst.u32 [%rd6+8], %r2;\ncvt.u64.u32 %rd7, %r0;\n"
      "shl.b64 %rd7, %rd7, 33;\nst.local.u64 [%rd5+16], %rd7;\nst.local.u8 [%rd5+13], %r0;\n"
      // A different word in odd threads.
      "and.b32 %r3, %r0, 1;\nmul.wide.u32 %rd8, %r3, 4;\nadd.s64 %rd9, %rd5, %rd8;\nld.local.u32 %r4, "
      "[%rd9+4];\n"
      "ld.u64 %rd10, [%rd6+16];\nshr.u64 %rd10, %rd10, 33;\ncvt.u32.u64 %r5, %rd10;\nld.local.u8 %r6, "
      "[%rd5+13];\n"
      "mul.wide.u32 %rd11, %r0, 16;\nadd.s64 %rd12, %rd0, %rd11;\nst.global.v4.u32 [%rd12], {%r4, %r5, %r6, "
      "%r0};";
  for (const Level level : all_levels) {
    for (const uint32_t threads : {64u, 40u}) {
      Bench bench(kernel(1, code));
      bench.options.level = level;
      const Address out = bench.buffer("out", std::vector<uint32_t>(256));
      const RunReport report = bench.run(1, threads);
      for (const auto& d : report.diagnostics) UNSCOPED_INFO(d.message);
      REQUIRE(report.status == RunStatus::ok);
      const auto values = bench.read<uint32_t>(out, 256);
      for (uint32_t t = 0; t < threads; ++t) {
        REQUIRE(values[t * 4] == (t % 2 ? t * 10 : t));
        REQUIRE(values[t * 4 + 1] == t);
        REQUIRE(values[t * 4 + 2] == t);
        REQUIRE(values[t * 4 + 3] == t);
      }
    }
  }
}

TEST_CASE("module variables: constants, initial values, addresses in initial values") {
  const std::string head =
      ".const .align 4 .b8 table[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3};\n.global .align 4 .u32 counter = 40;\n"
      ".global .align 8 .u64 where = generic(counter);\n.global .align 4 .b8 zeros[8];\n";
  const std::string code =
      "mov.u64 %rd5, table;\nld.const.u32 %r2, [%rd5+8];\nld.const.u32 %r3, [table+12];\nld.global.u64 %rd6, "
      "[where];\n"
      "ld.u32 %r4, [%rd6];\nld.global.u32 %r5, [zeros+4];\nst.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};\n"
      "add.u32 %r6, %r4, 1;\nst.global.u32 [counter], %r6;\ncvta.const.u64 %rd7, %rd5;\nld.u32 %r7, [%rd7];\n"
      "st.global.u32 [%rd0+16], %r7;";
  Bench bench(kernel(1, code, head));
  const Address out = bench.buffer("out", std::vector<uint32_t>(5));
  REQUIRE(bench.run(1, 1).status == RunStatus::ok);
  REQUIRE(bench.read<uint32_t>(out, 5) == std::vector<uint32_t>{3, 0, 40, 0, 1});
  // A variable keeps its value from launch to launch.
  REQUIRE(bench.run(1, 1).status == RunStatus::ok);
  REQUIRE(bench.read<uint32_t>(out, 5)[2] == 41);
}

TEST_CASE("a kernel's parameters can be read through an address") {
  const std::string ptx = ptx_file(
      ".visible .entry k(.param .u64 out, .param .align 4 .b8 pair[16])\n{\n.reg .b32 %r<9>;\n.reg .b64 "
      "%rd<9>;\n"
      "ld.param.u64 %rd0, [out];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %rd1, %r0, 4;\nmov.b64 %rd2, pair;\n"
      "add.s64 %rd3, %rd2, %rd1;\nld.param.u32 %r1, [%rd3];\nadd.s64 %rd4, %rd0, %rd1;\nst.global.u32 "
      "[%rd4], %r1;\n"
      "cvta.param.u64 %rd5, %rd3;\nld.u32 %r2, [%rd5];\nst.global.u32 [%rd4+16], %r2;\nret;\n}\n");
  for (const Level level : all_levels) {
    Bench bench(ptx);
    bench.options.level = level;
    const Address out = bench.buffer("out", std::vector<uint32_t>(8));
    KernelArgument pair;
    pair.name = "pair";
    const std::vector<uint32_t> values{11, 22, 33, 44};
    pair.bytes.assign(std::as_bytes(std::span(values)).begin(), std::as_bytes(std::span(values)).end());
    bench.arguments.push_back(pair);
    const RunReport report = bench.run(1, 4);
    for (const auto& d : report.diagnostics) UNSCOPED_INFO(d.message);
    REQUIRE(report.status == RunStatus::ok);
    REQUIRE(bench.read<uint32_t>(out, 8) == std::vector<uint32_t>{11, 22, 33, 44, 11, 22, 33, 44});
  }
}

TEST_CASE("lanes of one generic load may reach global, shared, local and constant memory") {
  const std::string head = ".shared .align 4 .b8 s[4];\n.const .align 4 .u32 c = 400;\n";
  const std::string code =
      ".local .align 4 .b8 depot[4];\nmov.u64 %rd5, depot;\ncvta.local.u64 %rd6, %rd5;\nmov.u64 %rd7, s;\n"
      "cvta.shared.u64 %rd8, %rd7;\nmov.u64 %rd9, c;\ncvta.const.u64 %rd10, %rd9;\nst.local.u32 [%rd5], "
      "300;\n"
      "st.shared.u32 [s], 200;\nbar.sync 0;\nand.b32 %r2, %r0, 3;\nmov.u64 %rd11, %rd0;\nsetp.eq.u32 %p1, "
      "%r2, 1;\n@%p1 "
      "mov.u64 %rd11, %rd8;\n"
      "setp.eq.u32 %p2, %r2, 2;\n@%p2 mov.u64 %rd11, %rd6;\nsetp.eq.u32 %p3, %r2, 3;\n@%p3 mov.u64 %rd11, "
      "%rd10;\n"
      "ld.u32 %r3, [%rd11];\nmul.wide.u32 %rd12, %r0, 4;\nadd.s64 %rd13, %rd1, %rd12;\nst.global.u32 "
      "[%rd13], %r3;\n"
      "isspacep.shared %p4, %rd11;\nisspacep.local %p5, %rd11;\nisspacep.global %p6, %rd11;\nisspacep.const "
      "%p7, %rd11;\n"
      "mov.u32 %r4, 0;\n@%p6 mov.u32 %r4, 100;\n@%p4 mov.u32 %r4, 200;\n@%p5 mov.u32 %r4, 300;\n@%p7 mov.u32 "
      "%r4, 400;\n"
      "st.global.u32 [%rd13+128], %r4;";
  for (const Level level : all_levels) {
    Bench bench(kernel(2, code, head));
    bench.options.level = level;
    bench.buffer("in", std::vector<uint32_t>{100});
    const Address out = bench.buffer("out", std::vector<uint32_t>(64));
    const RunReport report = bench.run(1, 32);
    for (const auto& d : report.diagnostics) UNSCOPED_INFO(d.message);
    REQUIRE(report.status == RunStatus::ok);
    const auto values = bench.read<uint32_t>(out, 64);
    for (uint32_t t = 0; t < 32; ++t) {
      REQUIRE(values[t] == 100 * (t % 4 + 1));
      REQUIRE(values[32 + t] == values[t]);
    }
  }
}

TEST_CASE("cp.async copies, and zero-fills what it does not take") {
  const std::string head = ".shared .align 16 .b8 s[1024];\n";
  const std::string code =
      "mov.u32 %r2, s;\nshl.b32 %r3, %r0, 4;\nadd.s32 %r4, %r2, %r3;\nmul.wide.u32 %rd5, %r0, 16;\nadd.s64 "
      "%rd6, %rd0, %rd5;\n"
      "cp.async.cg.shared.global [%r4], [%rd6], 16;\nmov.u32 %r9, 4;\n"
      "cp.async.ca.shared.global [%r4+512], [%rd6], 8, %r9;\ncp.async.commit_group;\ncp.async.wait_group 0;\n"
      "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4];\nadd.s64 %rd7, %rd1, %rd5;\nst.global.v4.u32 [%rd7], "
      "{%r5, %r6, %r7, %r8};\n"
      "ld.shared.v2.u32 {%r5, %r6}, [%r4+512];\nst.global.v2.u32 [%rd7+512], {%r5, %r6};";
  for (const Level level : all_levels) {
    const auto out = copy_kernel<uint32_t, uint32_t>(code, iota<uint32_t>(128), 256, 32, level, head);
    for (uint32_t i = 0; i < 128; ++i) REQUIRE(out[i] == i);
    for (uint32_t t = 0; t < 32; ++t) {
      REQUIRE(out[128 + t * 4] == t * 4);
      REQUIRE(out[128 + t * 4 + 1] == 0);
    }
  }
}
