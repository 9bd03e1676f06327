// atom and red: every operation and type against what lane order gives; global, shared, local and generic;
// blocks on several workers.
#include <functional>

#include "memory_harness.h"

using namespace warpbook;
using namespace warpbook::simt;
using namespace warpbook::simt::memory_tests;

namespace {

/// Thread t applies `op` with operand b(t) [and c(t)] to one word; gives the old values seen and the final
/// word.
template <class T>
struct Outcome {
  std::vector<T> seen;
  T last;
};

std::string addressed(const std::string& op, const std::string& type, const std::string& place, int bytes,
                      const std::string& extra) {
  const std::string reg = bytes == 8 ? "%rd" : "%r";
  // %rd20 or %r20 = b from p0, old value to p1, the word is at p2 or in shared memory.
  return "mul.wide.u32 %rd10, %r0, " + std::to_string(bytes) +
         ";\nadd.s64 %rd11, %rd0, %rd10;\nadd.s64 %rd12, %rd1, %rd10;\n" + "ld.global.b" +
         std::to_string(bytes * 8) + " " + reg + "20, [%rd11];\n" +
         (place == "shared"
              ? "ld.global.b" + std::to_string(bytes * 8) + " " + reg + "22, [%rd2];\nst.shared.b" +
                    std::to_string(bytes * 8) + " [word], " + reg + "22;\nbar.sync 0;\n"
              : std::string()) +
         "atom." + (place.empty() ? std::string() : place + ".") + op + "." + type + " " + reg + "21, " +
         (place == "shared" ? "[word]" : "[%rd2]") + ", " + extra + reg + "20;\n" + "st.global.b" +
         std::to_string(bytes * 8) + " [%rd12], " + reg + "21;\n" +
         (place == "shared"
              ? "bar.sync 0;\nld.shared.b" + std::to_string(bytes * 8) + " " + reg +
                    "23, [word];\nst.global.b" + std::to_string(bytes * 8) + " [%rd2], " + reg + "23;\n"
              : std::string());
}

template <class T>
void expect(const std::string& op, const std::string& type, T start, const std::vector<T>& b,
            const std::function<T(T, T)>& apply, const std::string& extra = "") {
  for (const std::string place : {"global", "shared", ""}) {
    for (const Level level : all_levels) {
      Bench bench(
          kernel(3, addressed(op, type, place, int(sizeof(T)), extra), ".shared .align 8 .b8 word[8];\n"));
      bench.options.level = level;
      bench.buffer("b", b);
      const Address seen = bench.buffer("seen", std::vector<T>(b.size()));
      const Address word = bench.buffer("word", std::vector<T>{start});
      const RunReport report = bench.run(1, uint32_t(b.size()));
      for (const auto& d : report.diagnostics) UNSCOPED_INFO(d.message);
      INFO("atom." << place << "." << op << "." << type);
      REQUIRE(report.status == RunStatus::ok);
      const auto got = bench.read<T>(seen, b.size());
      T value = start;
      for (size_t t = 0; t < b.size(); ++t) {
        REQUIRE(std::memcmp(&got[t], &value, sizeof(T)) == 0);
        value = apply(value, b[t]);
      }
      REQUIRE(bench.read<T>(word, 1)[0] == value);
    }
  }
}

template <class T>
std::vector<T> mixed(size_t count) {
  std::vector<T> values(count);
  uint64_t x = 12345;
  for (auto& v : values) {
    x = x * 6364136223846793005ull + 1442695040888963407ull;
    v = T(x >> 20);
  }
  return values;
}

}  // namespace

TEST_CASE("integer atomics of every kind, in the order of lanes") {
  const auto all = [](auto start, const std::string& u, const std::string& s, const std::string& b) {
    using U = decltype(start);
    using S = std::make_signed_t<U>;
    const auto operands = mixed<U>(32);
    expect<U>("add", u, start, operands, [](U o, U v) { return U(o + v); });
    expect<U>("min", u, ~U(0), operands, [](U o, U v) { return v < o ? v : o; });
    expect<U>("max", u, 0, operands, [](U o, U v) { return v > o ? v : o; });
    expect<S>("min", s, 0, mixed<S>(20), [](S o, S v) { return v < o ? v : o; });
    expect<S>("max", s, -1000, mixed<S>(20), [](S o, S v) { return v > o ? v : o; });
    expect<U>("and", b, ~U(0), operands, [](U o, U v) { return U(o & v); });
    expect<U>("or", b, 0, operands, [](U o, U v) { return U(o | v); });
    expect<U>("xor", b, start, operands, [](U o, U v) { return U(o ^ v); });
    expect<U>("exch", b, start, operands, [](U, U v) { return v; });
  };
  all(uint32_t(7), "u32", "s32", "b32");
  all(uint64_t(7), "u64", "s64", "b64");
  const std::vector<uint32_t> limit(32, 5);
  expect<uint32_t>("inc", "u32", 3, limit, [](uint32_t o, uint32_t v) { return o >= v ? 0 : o + 1; });
  expect<uint32_t>("dec", "u32", 3, limit,
                   [](uint32_t o, uint32_t v) { return o == 0 || o > v ? v : o - 1; });
  // Only the first lane finds 7.
  expect<uint32_t>(
      "cas", "b32", 7, iota<uint32_t>(32), [](uint32_t o, uint32_t v) { return o == 7 ? v : o; }, "7, ");
  expect<uint64_t>(
      "cas", "b64", 7, iota<uint64_t>(32), [](uint64_t o, uint64_t v) { return o == 7 ? v : o; }, "7, ");
}

TEST_CASE("float atomics add in the order of lanes, bit for bit") {
  std::vector<float> f(32);
  std::vector<double> d(32);
  for (size_t i = 0; i < 32; ++i) {
    f[i] = 1.0f / float(i + 3);
    d[i] = 1.0 / double(i + 3);
  }
  expect<float>("add", "f32", 0.1f, f, [](float o, float v) { return o + v; });
  expect<double>("add", "f64", 0.1, d, [](double o, double v) { return o + v; });
}

TEST_CASE("f32 addition flushes subnormals on global memory and keeps them on shared memory") {
  const float tiny = 1e-40f;
  const std::string code =
      "mov.u32 %r2, 0;\nst.shared.u32 [word], %r2;\nld.global.f32 %f1, [%rd0];\natom.global.add.f32 %f2, "
      "[%rd0+4], %f1;\n"
      "atom.shared.add.f32 %f3, [word], %f1;\nld.shared.f32 %f4, [word];\nst.global.f32 [%rd0+8], %f4;";
  Bench bench(kernel(1, code, ".shared .align 4 .f32 word;\n"));
  const Address a = bench.buffer("a", std::vector<float>{tiny, 0, 0});
  REQUIRE(bench.run(1, 1).status == RunStatus::ok);
  const auto got = bench.read<float>(a, 3);
  REQUIRE(got[1] == 0.0f);
  REQUIRE(got[2] == tiny);
}

TEST_CASE("pairs of halves add each by itself") {
  // 32 lanes add (1, 2) to (1, 1): 33 and 65, in f16 and in bf16 (PTX writes the pair's second half above).
  const auto sum = [](const std::string& type, uint32_t start, uint32_t operand) {
    Bench bench(kernel(1, "mov.u32 %r2, " + std::to_string(operand) + ";\natom.global.add.noftz." + type +
                              " %r3, [%rd0], %r2;"));
    const Address a = bench.buffer("a", std::vector<uint32_t>{start});
    REQUIRE(bench.run(1, 32).status == RunStatus::ok);
    return bench.read<uint32_t>(a, 1)[0];
  };
  REQUIRE(sum("f16x2", 0x3c003c00, 0x3c004000) == 0x50205410);
  REQUIRE(sum("bf16x2", 0x3f803f80, 0x3f804000) == 0x42044282);
}

TEST_CASE("red and atomics on local memory") {
  const std::string code =
      ".local .align 8 .b8 depot[16];\nmov.u64 %rd5, depot;\ncvta.local.u64 %rd6, %rd5;\nst.local.u64 "
      "[%rd5+8], 5;\n"
      "cvt.u64.u32 %rd7, %r0;\natom.add.u64 %rd8, [%rd6+8], %rd7;\nld.local.u64 %rd9, [%rd5+8];\n"
      "mul.wide.u32 %rd10, %r0, 8;\nadd.s64 %rd11, %rd0, %rd10;\nst.global.u64 [%rd11], "
      "%rd9;\nred.global.add.u32 [%rd1], 1;";
  for (const Level level : all_levels) {
    Bench bench(kernel(2, code));
    bench.options.level = level;
    const Address out = bench.buffer("out", std::vector<uint64_t>(40));
    const Address count = bench.buffer("count", std::vector<uint32_t>{0});
    REQUIRE(bench.run(1, 40).status == RunStatus::ok);
    const auto got = bench.read<uint64_t>(out, 40);
    for (uint64_t t = 0; t < 40; ++t) REQUIRE(got[t] == t + 5);
    REQUIRE(bench.read<uint32_t>(count, 1)[0] == 40);
  }
}

TEST_CASE("blocks on several workers lose no update") {
  const std::string code =
      "and.b32 %r2, %r0, 7;\nmul.wide.u32 %rd5, %r2, 4;\nadd.s64 %rd6, %rd0, %rd5;\n"
      "atom.global.add.u32 %r3, [%rd6], 1;";
  for (const Level level : all_levels) {
    Bench bench(kernel(1, code));
    bench.options.level = level;
    bench.options.threads = 4;
    const Address bins = bench.buffer("bins", std::vector<uint32_t>(8));
    REQUIRE(bench.run(256, 64).status == RunStatus::ok);
    REQUIRE(bench.read<uint32_t>(bins, 8) == std::vector<uint32_t>(8, 256 * 8));
  }
}
