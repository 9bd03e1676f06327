// mma.sync against sums of the documented places of elements (PTX ISA 9.7.14.5, figures of each shape), and
// wmma from memory to memory. Inputs are small integers, so every order of the sums gives the same.
#include <cstdint>
#include <functional>
#include <random>

#include "simt/memory_harness.h"

namespace warpbook::simt {
namespace {

using memory_tests::all_levels;
using memory_tests::Bench;
using memory_tests::ptx_file;

/// Registers of A, B, C and D come from and go to memory, those of a lane side by side.
std::string mma_kernel(const std::string& name, int a, int b, int c, int d, bool wide) {
  const int size = wide ? 8 : 4;
  const std::string type = wide ? ".b64" : ".b32", reg = wide ? "%rd" : "%r";
  std::string code;
  int next = 100;
  const auto list = [&](int count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) text += (i ? ", " : "") + reg + std::to_string(next++);
    return text + "}";
  };
  const auto load = [&](int parameter, int count) {
    const std::string base = "%rd" + std::to_string(20 + parameter);
    code += "mul.wide.u32 " + base + ", %r0, " + std::to_string(count * size) + ";\n";
    code += "add.u64 " + base + ", " + base + ", %rd" + std::to_string(parameter) + ";\n";
    for (int i = 0; i < count; ++i) {
      code += "ld.global" + type + " " + reg + std::to_string(next + i) + ", [" + base + "+" +
              std::to_string(i * size) + "];\n";
    }
    return list(count);
  };
  const std::string in_a = load(0, a), in_b = load(1, b), in_c = load(2, c);
  const int first = next;
  code += name + " " + list(d) + ", " + in_a + ", " + in_b + ", " + in_c + ";\n";
  code += "mul.wide.u32 %rd30, %r0, " + std::to_string(d * size) + ";\nadd.u64 %rd30, %rd30, %rd3;\n";
  for (int i = 0; i < d; ++i) {
    code += "st.global" + type + " [%rd30+" + std::to_string(i * size) + "], " + reg +
            std::to_string(first + i) + ";\n";
  }
  return ptx_file(
      ".visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)\n{\n"
      ".reg .b32 %r<200>;\n.reg .b64 %rd<200>;\n"
      "ld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\nld.param.u64 %rd2, [p2];\nld.param.u64 %rd3, "
      "[p3];\nmov.u32 %r0, %tid.x;\n" +
      code + "ret;\n}\n");
}

/// How a small integer is written in each type.
struct Writing {
  const char* name;
  int bits;
  int low, high;  ///< range of the inputs that the tests use
  std::function<uint64_t(int)> bits_of;
};
uint64_t float_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
uint64_t double_bits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}
/// Small integers are exact in f16: sign, exponent, fraction by hand.
uint64_t narrow_float(int value, int exponent_bits, int fraction_bits) {
  if (value == 0) return 0;
  const unsigned size = unsigned(value < 0 ? -value : value);
  int top = 31 - __builtin_clz(size);
  const uint64_t bias = (uint64_t(1) << (exponent_bits - 1)) - 1;
  const uint64_t fraction = (uint64_t(size) << fraction_bits >> top) & ((uint64_t(1) << fraction_bits) - 1);
  return (value < 0 ? uint64_t(1) << (exponent_bits + fraction_bits) : 0) |
         (bias + uint64_t(top)) << fraction_bits | fraction;
}
const Writing f16{"f16", 16, -8, 8, [](int v) { return narrow_float(v, 5, 10); }};
const Writing bf16{"bf16", 16, -8, 8, [](int v) { return narrow_float(v, 8, 7); }};
const Writing tf32{"tf32", 32, -100, 100,
                   [](int v) { return float_bits(float(v)) | 0x1a5; }};  // low bits unread
const Writing f64{"f64", 64, -1000, 1000, [](int v) { return double_bits(v); }};
const Writing s8{"s8", 8, -128, 127, [](int v) { return uint64_t(v) & 0xff; }};
const Writing u8{"u8", 8, 0, 255, [](int v) { return uint64_t(v); }};
const Writing s4{"s4", 4, -8, 7, [](int v) { return uint64_t(v) & 0xf; }};
const Writing u4{"u4", 4, 0, 15, [](int v) { return uint64_t(v); }};
const Writing b1{"b1", 1, 0, 1, [](int v) { return uint64_t(v); }};
const Writing e4m3{"e4m3", 8, -12, 12, [](int v) {  // 3 bits of fraction: even numbers above 8 only
                     const int even = v > 8 || v < -8 ? v / 2 * 2 : v;
                     return narrow_float(even, 4, 3);
                   }};
const Writing e5m2{"e5m2", 8, -4, 4, [](int v) { return narrow_float(v, 5, 2); }};

struct Case {
  const char* name;
  int m, n, k;
  const Writing* a;
  const Writing* b;
  const char* sum;  ///< type of C and D
  bool conjunction = false;
};

/// The places as the ISA writes them, for registers with `per` elements: A's element i of lane l.
int a_row(const Case& c, int i, int lane, int per) {
  // "row = groupID for ai where (i / per) is even [of 16 rows], groupID + 8 otherwise"
  return lane / 4 + (c.m == 16 && i / per % 2 ? 8 : 0);
}
int a_column(const Case& c, int i, int lane, int per) {
  const int registers_a_column = c.m == 16 ? 2 : 1;
  return lane % 4 * per + i % per + i / (per * registers_a_column) * 4 * per;
}
int b_row(int i, int lane, int per) { return lane % 4 * per + i % per + i / per * 4 * per; }

void check(const Case& c, Level level) {
  INFO(c.name);
  const bool wide = c.a->bits == 64;
  const int per = wide ? 1 : 32 / c.a->bits;
  const int a_registers = c.m * c.k / 32 / per, b_registers = c.n * c.k / 32 / per, elements = c.m * c.n / 32;
  const std::string sum = c.sum;
  const bool packed = sum == "f16";
  const int sum_registers = packed ? elements / 2 : elements;
  std::mt19937 random(unsigned(c.m * 1000 + c.n * 100 + c.k));
  const auto value = [&](const Writing& w) {
    int v = w.low + int(random() % unsigned(w.high - w.low + 1));
    if (&w == &e4m3 && (v > 8 || v < -8)) v = v / 2 * 2;
    return v;
  };
  std::vector<int> a(size_t(c.m * c.k)), b(size_t(c.k * c.n)), d(size_t(c.m * c.n));
  for (int& v : a) v = value(*c.a);
  for (int& v : b) v = value(*c.b);
  for (int& v : d) v = int(random() % 17) - 8;
  const std::vector<int> first = d;
  for (int i = 0; i < c.m; ++i) {
    for (int j = 0; j < c.n; ++j) {
      int& s = d[size_t(i * c.n + j)];
      for (int k = 0; k < c.k; ++k) {
        const int x = a[size_t(i * c.k + k)], y = b[size_t(k * c.n + j)];
        s += c.a->bits != 1 ? x * y : c.conjunction ? (x & y) : (x ^ y);
      }
    }
  }

  const size_t width = wide ? 8 : 4;
  std::vector<uint8_t> in_a(32 * size_t(a_registers) * width), in_b(32 * size_t(b_registers) * width),
      in_c(32 * size_t(sum_registers) * width), out(in_c.size());
  const auto put = [&](std::vector<uint8_t>& to, int lane, int registers, int index, int bits,
                       uint64_t what) {
    const size_t at = (size_t(lane * registers) * width * 8 + size_t(index * bits));
    for (int bit = 0; bit < bits; ++bit) {
      if (what >> bit & 1) to[(at + size_t(bit)) / 8] |= uint8_t(1u << (at + size_t(bit)) % 8);
    }
  };
  const auto sum_bits = [&](int v) -> uint64_t {
    if (sum == "f16") return f16.bits_of(v);
    if (sum == "f32") return float_bits(float(v));
    if (sum == "f64") return double_bits(v);
    return uint32_t(v);
  };
  const int sum_width = packed ? 16 : wide ? 64 : 32;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < a_registers * per; ++i) {
      const int row = a_row(c, i, lane, per), column = a_column(c, i, lane, per);
      put(in_a, lane, a_registers, i, c.a->bits, c.a->bits_of(a[size_t(row * c.k + column)]));
    }
    for (int i = 0; i < b_registers * per; ++i) {
      put(in_b, lane, b_registers, i, c.b->bits,
          c.b->bits_of(b[size_t(b_row(i, lane, per) * c.n + lane / 4)]));
    }
    for (int i = 0; i < elements; ++i) {
      const int row = lane / 4 + (i >= 2 ? 8 : 0), column = lane % 4 * 2 + i % 2;
      put(in_c, lane, sum_registers, i, sum_width, sum_bits(first[size_t(row * c.n + column)]));
    }
  }
  Bench bench(mma_kernel(c.name, a_registers, b_registers, sum_registers, sum_registers, wide));
  bench.options.level = level;
  bench.buffer("a", in_a);
  bench.buffer("b", in_b);
  bench.buffer("c", in_c);
  const Address to = bench.buffer("d", out);
  const RunReport report = bench.run(1, 32);
  for (const Diagnosis& diagnosis : report.diagnostics)
    UNSCOPED_INFO(diagnosis.kind << ": " << diagnosis.message);
  REQUIRE(report.status == RunStatus::ok);
  std::vector<uint8_t> wanted(out.size());
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < elements; ++i) {
      const int row = lane / 4 + (i >= 2 ? 8 : 0), column = lane % 4 * 2 + i % 2;
      put(wanted, lane, sum_registers, i, sum_width, sum_bits(d[size_t(row * c.n + column)]));
    }
  }
  CHECK(bench.read<uint8_t>(to, out.size()) == wanted);
}

TEST_CASE("mma multiplies every shape and type of element") {
  const Case cases[] = {
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 8, &f16, &f16, "f32"},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, &f16, &f16, "f32"},
      {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 16, 8, 16, &f16, &f16, "f16"},
      {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 8, &bf16, &bf16, "f32"},
      {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, &bf16, &bf16, "f32"},
      {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 16, 8, 4, &tf32, &tf32, "f32"},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, &tf32, &tf32, "f32"},
      {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", 16, 8, 32, &e4m3, &e5m2, "f32"},
      {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4, &f64, &f64, "f64"},
      {"mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", 16, 8, 4, &f64, &f64, "f64"},
      {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 16, 8, 16, &f64, &f64, "f64"},
      {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", 8, 8, 16, &s8, &s8, "s32"},
      {"mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32", 16, 8, 16, &u8, &s8, "s32"},
      {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32", 16, 8, 32, &s8, &u8, "s32"},
      {"mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32", 8, 8, 32, &s4, &s4, "s32"},
      {"mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32", 16, 8, 64, &u4, &s4, "s32"},
      {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 8, 8, 128, &b1, &b1, "s32"},
      {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", 16, 8, 256, &b1, &b1, "s32", true},
  };
  for (const Case& c : cases) {
    for (const Level level : all_levels) check(c, level);
  }
}

// Whole programs of wmma: load A, B and C from matrices with rows longer than the tile, store D.

struct Tile {
  const char* shape;
  int m, n, k;
  const Writing* element;
  const char* type;  ///< in wmma.load.a
  int a_registers, b_registers, sum_registers;
  const char* sum;
  const char* multiply;  ///< behind the shape in wmma.mma
  const char* before = "";
};

void check_tile(const Tile& t, const char* a_layout, const char* b_layout, const char* c_layout,
                bool shared) {
  INFO(t.shape << " " << t.type << " " << a_layout << " " << b_layout << " " << c_layout
               << (shared ? " shared" : ""));
  const bool wide = t.element->bits == 64;
  const std::string sum = t.sum, shape = t.shape;
  const int sum_bytes = sum == "f16" ? 2 : sum == "f64" ? 8 : 4;
  const std::string reg = wide ? "%rd" : "%r";
  const bool a_rows = std::string(a_layout) == "row", b_rows = std::string(b_layout) == "row",
             c_rows = std::string(c_layout) == "row";
  // Rows (or columns) with 16 bytes to spare.
  const int spare = 128 / t.element->bits;
  const int a_leading = (a_rows ? t.k : t.m) + spare, b_leading = (b_rows ? t.n : t.k) + spare;
  const int c_leading = (c_rows ? t.n : t.m) + 16 / sum_bytes;
  const auto list = [&](int first, int count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) text += (i ? ", " : "") + reg + std::to_string(first + i);
    return text + "}";
  };
  const auto stride = [](int leading) { return std::to_string(leading); };
  const std::string space = shared ? ".shared" : ".global";
  std::string code;
  if (shared) {  // A and B by way of shared memory
    code +=
        "mov.u32 %r20, s;\nmov.u32 %r21, 0;\nL1:\nadd.u32 %r22, %r21, %r0;\nshl.b32 %r23, %r22, 2;\n"
        "cvt.u64.u32 %rd20, %r23;\nadd.u64 %rd21, %rd0, %rd20;\nld.global.b32 %r24, [%rd21];\n"
        "add.u32 %r25, %r20, %r23;\nst.shared.b32 [%r25], %r24;\nadd.u64 %rd21, %rd1, %rd20;\n"
        "ld.global.b32 %r24, [%rd21];\nst.shared.b32 [%r25+8192], %r24;\nadd.u32 %r21, %r21, 32;\n"
        "setp.lt.u32 %p0, %r21, 2048;\n@%p0 bra L1;\nbar.sync 0;\nadd.u32 %r26, %r20, 8192;\n";
  }
  const std::string from_a = shared ? "[%r20]" : "[%rd0]", from_b = shared ? "[%r26]" : "[%rd1]";
  code += std::string("wmma.load.a.sync.aligned.") + a_layout + "." + shape + space + "." + t.type + " " +
          list(100, t.a_registers) + ", " + from_a + ", " + stride(a_leading) + ";\n";
  code += std::string("wmma.load.b.sync.aligned.") + b_layout + "." + shape + space + "." + t.type + " " +
          list(120, t.b_registers) + ", " + from_b + ", " + stride(b_leading) + ";\n";
  code += std::string("wmma.load.c.sync.aligned.") + c_layout + "." + shape + ".global." + sum + " " +
          list(140, t.sum_registers) + ", [%rd2], " + stride(c_leading) + ";\n";
  code += std::string("wmma.mma") + t.before + ".sync.aligned." + a_layout + "." + b_layout + "." + shape +
          "." + t.multiply + " " + list(160, t.sum_registers) + ", " + list(100, t.a_registers) + ", " +
          list(120, t.b_registers) + ", " + list(140, t.sum_registers) + ";\n";
  code += std::string("wmma.store.d.sync.aligned.") + c_layout + "." + shape + ".global." + sum +
          " [%rd3], " + list(160, t.sum_registers) + ", " + stride(c_leading) + ";\n";
  const std::string text = ptx_file(
      ".shared .align 32 .b8 s[16384];\n"
      ".visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)\n{\n"
      ".reg .b32 %r<200>;\n.reg .b64 %rd<200>;\n.reg .pred %p<2>;\n"
      "ld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\nld.param.u64 %rd2, [p2];\nld.param.u64 %rd3, "
      "[p3];\nmov.u32 %r0, %tid.x;\n" +
      code + "ret;\n}\n");

  std::mt19937 random(77);
  const auto value = [&](const Writing& w) { return w.low + int(random() % unsigned(w.high - w.low + 1)); };
  std::vector<uint8_t> in_a(8192), in_b(8192);
  std::vector<int> a(size_t(t.m * t.k)), b(size_t(t.k * t.n)), d(size_t(t.m * t.n));
  const auto put = [](std::vector<uint8_t>& to, int index, int bits, uint64_t what) {
    for (int bit = 0; bit < bits; ++bit) {
      const size_t at = size_t(index) * size_t(bits) + size_t(bit);
      to[at / 8] = uint8_t((to[at / 8] & ~(1u << at % 8)) | unsigned(what >> bit & 1) << at % 8);
    }
  };
  for (int i = 0; i < t.m; ++i) {
    for (int k = 0; k < t.k; ++k) {
      const int v = value(*t.element);
      a[size_t(i * t.k + k)] = v;
      put(in_a, a_rows ? i * a_leading + k : k * a_leading + i, t.element->bits, t.element->bits_of(v));
    }
  }
  for (int k = 0; k < t.k; ++k) {
    for (int j = 0; j < t.n; ++j) {
      const int v = value(*t.element);
      b[size_t(k * t.n + j)] = v;
      put(in_b, b_rows ? k * b_leading + j : j * b_leading + k, t.element->bits, t.element->bits_of(v));
    }
  }
  const auto sum_bits = [&](int v) -> uint64_t {
    if (sum == "f16") return f16.bits_of(v);
    if (sum == "f32") return float_bits(float(v));
    if (sum == "f64") return double_bits(v);
    return uint32_t(v);
  };
  const int c_elements = (c_rows ? t.m : t.n) * c_leading;
  std::vector<uint8_t> in_c(size_t(c_elements * sum_bytes), 0xee), wanted(in_c.size(), 0xee);
  for (int i = 0; i < t.m; ++i) {
    for (int j = 0; j < t.n; ++j) {
      int s = int(random() % 9) - 4;
      const int at = c_rows ? i * c_leading + j : j * c_leading + i;
      put(in_c, at, sum_bytes * 8, sum_bits(s));
      for (int k = 0; k < t.k; ++k) {
        const int x = a[size_t(i * t.k + k)], y = b[size_t(k * t.n + j)];
        s += t.element->bits == 1 ? (x ^ y) : x * y;
      }
      put(wanted, at, sum_bytes * 8, sum_bits(s));
    }
  }
  for (const Level level : all_levels) {
    Bench bench(text);
    bench.options.level = level;
    bench.buffer("a", in_a);
    bench.buffer("b", in_b);
    bench.buffer("c", in_c);
    const Address to = bench.buffer("d", std::vector<uint8_t>(in_c.size(), 0xee));
    const RunReport report = bench.run(1, 32);
    for (const Diagnosis& diagnosis : report.diagnostics)
      UNSCOPED_INFO(diagnosis.kind << ": " << diagnosis.message);
    REQUIRE(report.status == RunStatus::ok);
    CHECK(bench.read<uint8_t>(to, in_c.size()) == wanted);
  }
}

TEST_CASE("wmma multiplies tiles of every shape, by rows and by columns") {
  const Tile tiles[] = {
      {"m16n16k16", 16, 16, 16, &f16, "f16", 8, 8, 8, "f32", "f32.f32"},
      {"m32n8k16", 32, 8, 16, &f16, "f16", 8, 8, 8, "f32", "f32.f32"},
      {"m8n32k16", 8, 32, 16, &f16, "f16", 8, 8, 4, "f16", "f16.f16"},
      {"m16n16k16", 16, 16, 16, &bf16, "bf16", 4, 4, 8, "f32", "f32.bf16.bf16.f32"},
      {"m8n32k16", 8, 32, 16, &bf16, "bf16", 2, 8, 8, "f32", "f32.bf16.bf16.f32"},
      {"m16n16k16", 16, 16, 16, &s8, "s8", 2, 2, 8, "s32", "s32.s8.s8.s32"},
      {"m32n8k16", 32, 8, 16, &u8, "u8", 4, 1, 8, "s32", "s32.u8.u8.s32"},
      {"m16n16k8", 16, 16, 8, &tf32, "tf32", 4, 4, 8, "f32", "f32.tf32.tf32.f32"},
      {"m8n8k4", 8, 8, 4, &f64, "f64", 1, 1, 2, "f64", "rn.f64.f64.f64.f64"},
  };
  for (const Tile& t : tiles) {
    for (const char* a : {"row", "col"}) {
      for (const char* b : {"row", "col"}) {
        check_tile(t, a, b, std::string(a) == std::string(b) ? "row" : "col", std::string(a) == "row");
      }
    }
  }
  check_tile({"m8n8k32", 8, 8, 32, &s4, "s4", 1, 1, 2, "s32", "s32.s4.s4.s32"}, "row", "col", "row", false);
  check_tile({"m8n8k128", 8, 8, 128, &b1, "b1", 1, 1, 2, "s32", "s32.b1.b1.s32", ".xor.popc"}, "row", "col",
             "col", false);
}

TEST_CASE("ldmatrix, stmatrix and movmatrix move 8 x 8 matrices") {
  for (const bool transposed : {false, true}) {
    const std::string trans = transposed ? ".trans" : "";
    const std::string text = ptx_file(
        ".shared .align 16 .b8 s[1024];\n.visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
        ".reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n"
        "ld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\nmov.u32 %r0, %tid.x;\nshl.b32 %r1, %r0, 4;\n"
        "cvt.u64.u32 %rd2, %r1;\nadd.u64 %rd3, %rd0, %rd2;\nadd.u64 %rd4, %rd1, %rd2;\nmov.u32 %r2, s;\n"
        "add.u32 %r3, %r2, %r1;\nld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd3];\n"
        "st.shared.v4.b32 [%r3], {%r4, %r5, %r6, %r7};\nbar.sync 0;\n"
        "ldmatrix.sync.aligned.m8n8.x4" +
        trans +
        ".shared.b16 {%r8, %r9, %r10, %r11}, [%r3];\n"
        "st.global.v4.b32 [%rd4], {%r8, %r9, %r10, %r11};\n"
        "movmatrix.sync.aligned.m8n8.trans.b16 %r12, %r8;\nst.global.b32 [%rd4+512], %r12;\n"
        "stmatrix.sync.aligned.m8n8.x4" +
        trans +
        ".shared.b16 [%r3], {%r8, %r9, %r10, %r11};\nbar.sync 0;\n"
        "ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r3];\nst.global.v4.b32 [%rd4+1024], {%r4, %r5, %r6, %r7};\n"
        "ret;\n}\n");
    for (const Level level : all_levels) {
      Bench bench(text);
      bench.options.level = level;
      const auto in = memory_tests::iota<uint16_t>(256);  // matrix m, row r, column c: 64 m + 8 r + c
      bench.buffer("in", in);
      const Address out = bench.buffer("out", std::vector<uint16_t>(768));
      REQUIRE(bench.run(1, 32).status == RunStatus::ok);
      const auto got = bench.read<uint16_t>(out, 768);
      for (int lane = 0; lane < 32; ++lane) {
        for (int m = 0; m < 4; ++m) {
          for (int half = 0; half < 2; ++half) {
            const int first = lane / 4, second = lane % 4 * 2 + half;
            const int wanted = 64 * m + (transposed ? 8 * second + first : 8 * first + second);
            CHECK(int(got[size_t(lane * 8 + m * 2 + half)]) == wanted);
          }
        }
        // The transpose of what the lanes hold; a word each, 16 bytes apart.
        for (int half = 0; half < 2; ++half) {
          const int first = lane / 4, second = lane % 4 * 2 + half;
          CHECK(int(got[size_t(256 + lane * 8 + half)]) ==
                (transposed ? 8 * first + second : 8 * second + first));
        }
      }
      for (size_t i = 0; i < 256; ++i) CHECK(got[512 + i] == in[i]);
    }
  }
}

TEST_CASE("ldmatrix counts a pass over the banks for each matrix when rows do not collide") {
  for (const int row_bytes : {16, 32, 128}) {
    const std::string text = ptx_file(
        ".shared .align 16 .b8 s[4096];\n.visible .entry k()\n{\n.reg .b32 %r<20>;\n"
        "mov.u32 %r0, %tid.x;\nmul.lo.u32 %r1, %r0, " +
        std::to_string(row_bytes) +
        ";\nmov.u32 %r2, s;\nadd.u32 %r3, %r2, %r1;\nmov.u32 %r4, 7;\n"
        "st.shared.v4.b32 [%r3], {%r4, %r4, %r4, %r4};\nbar.sync 0;\n"
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r8, %r9, %r10, %r11}, [%r3];\nret;\n}\n");
    Bench bench(text);
    bench.options.level = Level::measure;
    const RunReport report = bench.run(1, 32);
    REQUIRE(report.status == RunStatus::ok);
    CHECK(report.counters.shared_load.requests == 1);
    CHECK(report.counters.shared_load.ideal_passes == 4);
    // 8 rows of one matrix: side by side they fill the 32 banks once; 32 bytes apart they take turns in twos.
    CHECK(report.counters.shared_load.bank_passes == (row_bytes == 16 ? 4u : row_bytes == 32 ? 8u : 32u));
  }
}

TEST_CASE("a matrix instruction without all lanes of the warp says so") {
  const std::string text = mma_kernel("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 2, 1, 4, 4, false);
  Bench bench(text);
  for (const char* name : {"a", "b", "c", "d"}) bench.buffer(name, std::vector<uint32_t>(256));
  const RunReport report = bench.run(1, 20);
  REQUIRE(report.status == RunStatus::fault);
  REQUIRE(report.diagnostics.size() == 1);
  CHECK(report.diagnostics[0].kind == "warp-mask");
  CHECK(report.diagnostics[0].message.find("20..31") != std::string::npos);
}

}  // namespace
}  // namespace warpbook::simt
