// Random structured kernels: arithmetic, branches, loops whose lengths differ by thread, shared arrays with
// barriers, shuffles, atomic sums. Each is written twice from one tree, as PTX and as a plain evaluation
// thread by thread, and must agree on every order of blocks and warps, level, instruction set and number of
// workers.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <random>

#include "simt/memory_harness.h"

namespace warpbook::simt {
namespace {

constexpr int registers = 8;
constexpr uint32_t block_threads = 96, blocks = 5;

enum class What { compute, branch, loop, exchange, shuffle, sum };
constexpr const char* operations[] = {"add.u32", "sub.u32", "mul.lo.u32", "and.b32", "or.b32",
                                      "xor.b32", "min.s32", "max.u32",    "shl.b32", "shr.u32"};

struct Statement {
  What what = What::compute;
  int operation = 0, to = 0, a = 0, b = 0;
  uint32_t number = 0;
  std::vector<Statement> then, otherwise;
};
using Body = std::vector<Statement>;

uint32_t computed(int operation, uint32_t a, uint32_t b) {
  switch (operation) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a & b;
    case 4: return a | b;
    case 5: return a ^ b;
    case 6: return uint32_t(std::min(int32_t(a), int32_t(b)));
    case 7: return std::max(a, b);
    case 8: return b > 31 ? 0 : a << b;
    default: return b > 31 ? 0 : a >> b;
  }
}

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  Body body(int depth, int length) {
    Body result;
    for (int i = 0; i < length; ++i) {
      Statement s;
      s.operation = pick(10);
      s.to = pick(registers);
      s.a = pick(registers);
      s.b = pick(registers);
      s.number = uint32_t(random_());
      const int kind = pick(10);
      if (depth < 3 && kind < 2) {
        s.what = What::branch;
        s.then = body(depth + 1, 1 + pick(3));
        s.otherwise = body(depth + 1, pick(3));
      } else if (depth < 3 && kind == 2) {
        s.what = What::loop;
        s.then = body(depth + 1, 1 + pick(3));
      } else if (kind == 3) {
        s.what = What::sum;
      } else if (depth == 0 && kind == 4) {  // all threads come here together
        s.what = What::exchange;
      } else if (depth == 0 && kind == 5) {
        s.what = What::shuffle;
      }
      result.push_back(std::move(s));
    }
    return result;
  }

 private:
  int pick(int count) { return int(random_() % unsigned(count)); }
  std::mt19937 random_;
};

/// %r10.. are the registers of the tree.
class Writer {
 public:
  std::string text;

  void write(const Body& body, int depth) {
    for (const Statement& s : body) write(s, depth);
  }

 private:
  static std::string reg(int index) { return "%r" + std::to_string(10 + index); }
  std::string label() { return "L" + std::to_string(labels_++); }

  void write(const Statement& s, int depth) {
    const std::string counter = "%r" + std::to_string(30 + depth), predicate = "%p" + std::to_string(depth);
    switch (s.what) {
      case What::compute:
        // An odd number decides whether the second operand is a register or a literal.
        text += std::string(operations[s.operation]) + " " + reg(s.to) + ", " + reg(s.a) + ", " +
                (s.number & 1 ? reg(s.b) : std::to_string(s.number % 40)) + ";\n";
        break;
      case What::branch: {
        const std::string otherwise = label(), end = label();
        text += "setp.lt.s32 " + predicate + ", " + reg(s.a) + ", " + reg(s.b) + ";\n@!" + predicate +
                " bra " + otherwise + ";\n";
        write(s.then, depth + 1);
        text += "bra.uni " + end + ";\n" + otherwise + ":\n";
        write(s.otherwise, depth + 1);
        text += end + ":\n";
        break;
      }
      case What::loop: {  // 0 to 6 rounds
        const std::string again = label(), end = label();
        text += "rem.u32 " + counter + ", " + reg(s.a) + ", 7;\n" + again + ":\nsetp.eq.u32 " + predicate +
                ", " + counter + ", 0;\n@" + predicate + " bra " + end + ";\n";
        write(s.then, depth + 1);
        text += "sub.u32 " + counter + ", " + counter + ", 1;\nbra.uni " + again + ";\n" + end + ":\n";
        break;
      }
      case What::exchange:
        text += "st.shared.u32 [%r5], " + reg(s.a) + ";\nbar.sync 0;\nadd.u32 %r6, %r0, " +
                std::to_string(s.number % block_threads) + ";\nrem.u32 %r6, %r6, " +
                std::to_string(block_threads) +
                ";\nshl.b32 %r6, %r6, 2;\nadd.u32 %r6, %r6, %r4;\nld.shared.u32 " + reg(s.to) +
                ", [%r6];\nbar.sync 0;\n";
        break;
      case What::shuffle:
        text += "shfl.sync.bfly.b32 " + reg(s.to) + ", " + reg(s.a) + ", " + std::to_string(s.number % 32) +
                ", 31, 0xffffffff;\n";
        break;
      case What::sum:
        text += "red.global.add.u32 [%rd1+" + std::to_string(s.number % 16 * 4) + "], " + reg(s.a) + ";\n";
        break;
    }
  }
  int labels_ = 0;
};

/// All threads of all blocks, statement by statement.
class Evaluation {
 public:
  std::vector<std::array<uint32_t, registers>> threads;
  std::array<uint32_t, 16> sums{};

  void run(const Body& body) {
    for (const Statement& s : body) {
      if (s.what == What::exchange || s.what == What::shuffle) {
        const auto before = threads;
        for (uint32_t i = 0; i < threads.size(); ++i) {
          const uint32_t first = i / block_threads * block_threads, inside = i % block_threads;
          const uint32_t from = s.what == What::exchange
                                    ? first + (inside + s.number % block_threads) % block_threads
                                    : first + (inside ^ s.number % 32);
          threads[i][size_t(s.to)] = before[from][size_t(s.a)];
        }
      } else {
        for (auto& thread : threads) run(s, thread);
      }
    }
  }

 private:
  void run(const Statement& s, std::array<uint32_t, registers>& r) {
    const uint32_t a = r[size_t(s.a)], b = r[size_t(s.b)];
    switch (s.what) {
      case What::compute: r[size_t(s.to)] = computed(s.operation, a, s.number & 1 ? b : s.number % 40); break;
      case What::branch:
        for (const Statement& inner : int32_t(a) < int32_t(b) ? s.then : s.otherwise) run(inner, r);
        break;
      case What::loop:
        for (uint32_t i = a % 7; i > 0; --i) {
          for (const Statement& inner : s.then) run(inner, r);
        }
        break;
      case What::sum: sums[s.number % 16] += a; break;
      default: break;
    }
  }
};

std::string program(const Body& body) {
  Writer writer;
  writer.write(body, 0);
  std::string code = "mov.u32 %r4, s;\nshl.b32 %r5, %r0, 2;\nadd.u32 %r5, %r5, %r4;\nmad.lo.u32 %r7, %r1, " +
                     std::to_string(block_threads) + ", %r0;\n";
  for (int i = 0; i < registers; ++i) {
    const std::string r = "%r" + std::to_string(10 + i);
    code += "mad.lo.u32 " + r + ", %r7, " + std::to_string(2654435761u + unsigned(i) * 40503u) + ", " +
            std::to_string(i * 77) + ";\nshr.u32 " + r + ", " + r + ", " + std::to_string(i * 3) + ";\n";
  }
  code += writer.text + "mul.wide.u32 %rd5, %r7, 32;\nadd.u64 %rd5, %rd5, %rd0;\n";
  for (int i = 0; i < registers; ++i) {
    code += "st.global.u32 [%rd5+" + std::to_string(i * 4) + "], %r" + std::to_string(10 + i) + ";\n";
  }
  return memory_tests::kernel(2, code, ".shared .align 4 .b8 s[" + std::to_string(block_threads * 4) + "];");
}

TEST_CASE("random structured kernels give what a plain evaluation gives, however they are run") {
  const char* const before = std::getenv("WARPBOOK_ISA");
  const std::string isa = before ? before : "";
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Body body = Generator(seed).body(0, 14);
    Evaluation wanted;
    wanted.threads.resize(block_threads * blocks);
    for (uint32_t i = 0; i < wanted.threads.size(); ++i) {
      for (uint32_t k = 0; k < registers; ++k) {
        wanted.threads[i][k] = (i * (2654435761u + k * 40503u) + k * 77) >> (k * 3);
      }
    }
    wanted.run(body);
    const std::string text = program(body);
    struct Way {
      Level level;
      Order order;
      unsigned workers;
      const char* isa;
    };
    const Way ways[] = {{Level::run, Order::forward, 1, ""},      {Level::measure, Order::reverse, 1, ""},
                        {Level::check, Order::shuffled, 1, ""},   {Level::check, Order::forward, 3, ""},
                        {Level::run, Order::forward, 2, "plain"}, {Level::check, Order::reverse, 1, "plain"}};
    for (const Way& way : ways) {
      setenv("WARPBOOK_ISA", way.isa, 1);
      INFO("seed " << seed << " level " << int(way.level) << " order " << int(way.order) << " workers "
                   << way.workers << " " << way.isa << "\n"
                   << text);
      memory_tests::Bench bench(text);
      bench.options.level = way.level;
      bench.options.order = way.order;
      bench.options.seed = seed;
      bench.options.threads = way.workers;
      const Address out = bench.buffer("out", std::vector<uint32_t>(wanted.threads.size() * registers));
      const Address sums = bench.buffer("sums", std::vector<uint32_t>(16));
      const RunReport report = bench.run(blocks, block_threads);
      REQUIRE(report.status == RunStatus::ok);
      const auto got = bench.read<uint32_t>(out, wanted.threads.size() * registers);
      bool equal = true;
      for (size_t i = 0; i < got.size(); ++i) equal &= got[i] == wanted.threads[i / registers][i % registers];
      CHECK(equal);
      CHECK(bench.read<uint32_t>(sums, 16) == std::vector<uint32_t>(wanted.sums.begin(), wanted.sums.end()));
    }
  }
  before ? setenv("WARPBOOK_ISA", isa.c_str(), 1) : unsetenv("WARPBOOK_ISA");
}

}  // namespace
}  // namespace warpbook::simt
