#pragma once
// Random structured kernels: arithmetic, branches, loops whose lengths differ by thread, local and shared
// arrays, barriers, shuffles, votes, atomic sums. One tree is written as CUDA C++ or as PTX, and evaluated
// thread by thread in plain C++; all must agree, however the kernel is run. Everything is in 32-bit integers,
// so equal means equal.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace warpbook::random_kernel {

inline constexpr int values = 8;  ///< variables of a thread
inline constexpr uint32_t block_threads = 96, blocks = 5, sums = 16, local_words = 8;
/// Kernel parameters: `out` has so many words, `sums` begins as zeros.
inline constexpr uint32_t out_words = block_threads * blocks * uint32_t(values);

enum class What { compute, branch, loop, array, exchange, shuffle, vote, sum };

struct Statement {
  What what = What::compute;
  int operation = 0, to = 0, a = 0, b = 0;
  uint32_t number = 0;
  std::vector<Statement> then, otherwise;
};
using Body = std::vector<Statement>;

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  Body body(int depth = 0, int length = 14) {
    Body result;
    for (int i = 0; i < length; ++i) {
      Statement s;
      s.operation = pick(10);
      s.to = pick(values);
      s.a = pick(values);
      s.b = pick(values);
      s.number = uint32_t(random_());
      const int kind = pick(12);
      if (depth < 3 && kind < 2) {
        s.what = What::branch;
        s.then = body(depth + 1, 1 + pick(3));
        s.otherwise = body(depth + 1, pick(3));
      } else if (depth < 3 && kind == 2) {
        s.what = What::loop;
        s.then = body(depth + 1, 1 + pick(3));
      } else if (kind == 3) {
        s.what = What::sum;
      } else if (kind == 4) {
        s.what = What::array;
      } else if (depth == 0 && kind == 5) {  // all threads come here together
        s.what = What::exchange;
      } else if (depth == 0 && kind == 6) {
        s.what = What::shuffle;
      } else if (depth == 0 && kind == 7) {
        s.what = What::vote;
      }
      result.push_back(std::move(s));
    }
    return result;
  }

 private:
  int pick(int count) { return int(random_() % unsigned(count)); }
  std::mt19937 random_;
};

/// What thread `i` of all starts with in variable `k`.
inline uint32_t first_value(uint32_t i, uint32_t k) {
  return (i * (2654435761u + k * 40503u) + k * 77) >> (k * 3);
}

/// An odd number decides whether an operation's second operand is a variable or a literal.
inline bool takes_variable(const Statement& s) { return s.number & 1; }
inline uint32_t literal(const Statement& s) { return s.number % 40; }

/// All threads of all blocks, statement by statement.
class Evaluation {
 public:
  explicit Evaluation(const Body& body) : threads_(block_threads * blocks), locals_(threads_.size()) {
    for (uint32_t i = 0; i < threads_.size(); ++i) {
      for (uint32_t k = 0; k < uint32_t(values); ++k) threads_[i][k] = first_value(i, k);
      locals_[i].fill(0);
    }
    run(body);
  }
  std::vector<uint32_t> out() const {
    std::vector<uint32_t> all;
    for (const Values& thread : threads_) all.insert(all.end(), thread.begin(), thread.end());
    return all;
  }
  std::vector<uint32_t> total() const { return {sums_.begin(), sums_.end()}; }

 private:
  using Values = std::array<uint32_t, size_t(values)>;

  void run(const Body& body) {
    for (const Statement& s : body) {
      if (s.what == What::exchange || s.what == What::shuffle || s.what == What::vote) {
        together(s);
      } else {
        for (size_t i = 0; i < threads_.size(); ++i) run(s, i);
      }
    }
  }
  void together(const Statement& s) {
    const auto before = threads_;
    for (uint32_t i = 0; i < threads_.size(); ++i) {
      const uint32_t first = i / block_threads * block_threads, inside = i % block_threads;
      uint32_t& to = threads_[i][size_t(s.to)];
      if (s.what == What::exchange) {
        to = before[first + (inside + s.number % block_threads) % block_threads][size_t(s.a)];
      } else if (s.what == What::shuffle) {
        to = before[first + (inside ^ s.number % 32)][size_t(s.a)];
      } else {
        to = 0;
        for (uint32_t lane = i / 32 * 32; lane < i / 32 * 32 + 32; ++lane)
          to += int32_t(before[lane][size_t(s.a)]) < int32_t(before[lane][size_t(s.b)]);
      }
    }
  }
  static uint32_t computed(int operation, uint32_t a, uint32_t b) {
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
  void run(const Statement& s, size_t i) {
    Values& r = threads_[i];
    const uint32_t a = r[size_t(s.a)], b = r[size_t(s.b)];
    switch (s.what) {
      case What::compute:
        r[size_t(s.to)] = computed(s.operation, a, takes_variable(s) ? b : literal(s));
        break;
      case What::branch:
        for (const Statement& inner : int32_t(a) < int32_t(b) ? s.then : s.otherwise) run(inner, i);
        break;
      case What::loop:
        for (uint32_t rounds = a % 7; rounds > 0; --rounds) {
          for (const Statement& inner : s.then) run(inner, i);
        }
        break;
      case What::array:
        locals_[i][a % local_words] += b;
        r[size_t(s.to)] = locals_[i][s.number % local_words];
        break;
      case What::sum: sums_[s.number % sums] += a; break;
      default: break;
    }
  }

  std::vector<Values> threads_;
  std::vector<std::array<uint32_t, local_words>> locals_;
  std::array<uint32_t, sums> sums_{};
};

/// `extern "C" __global__ void random_kernel(unsigned* out, unsigned* sums)`.
class CudaWriter {
 public:
  static std::string source(const Body& body) {
    CudaWriter w;
    w.line("extern \"C\" __global__ void random_kernel(unsigned* out, unsigned* sums)");
    w.line("{");
    ++w.depth_;
    w.line("__shared__ unsigned shared[" + number(block_threads) + "];");
    w.line("unsigned local[" + number(local_words) + "] = {};");
    w.line("unsigned t = threadIdx.x, i = blockIdx.x * " + number(block_threads) + " + t;");
    for (uint32_t k = 0; k < uint32_t(values); ++k) {
      w.line("unsigned " + variable(int(k)) + " = (i * " + number(2654435761u + k * 40503u) + " + " +
             number(k * 77) + ") >> " + std::to_string(k * 3) + ";");
    }
    w.write(body, 0);
    for (int k = 0; k < values; ++k)
      w.line("out[i * " + number(uint32_t(values)) + " + " + number(uint32_t(k)) + "] = " + variable(k) +
             ";");
    --w.depth_;
    w.line("}");
    return w.text_;
  }

 private:
  static std::string number(uint32_t n) { return std::to_string(n) + "u"; }
  static std::string variable(int k) { return "v" + std::to_string(k); }
  void line(const std::string& text) { text_ += std::string(size_t(depth_) * 4, ' ') + text + "\n"; }
  static std::string operation(int which, const std::string& a, const std::string& b) {
    static constexpr const char* infix[] = {" + ", " - ", " * ", " & ", " | ", " ^ "};
    if (which < 6) return a + infix[which] + b;
    if (which == 6) return "unsigned(min(int(" + a + "), int(" + b + ")))";
    if (which == 7) return "max(" + a + ", " + b + ")";
    return b + " > 31u ? 0u : " + a + (which == 8 ? " << " : " >> ") +
           b;  // C++ shifts by less than the width
  }
  void write(const Body& body, int loops) {
    for (const Statement& s : body) write(s, loops);
  }
  void write(const Statement& s, int loops) {
    const std::string to = variable(s.to), a = variable(s.a), b = variable(s.b);
    const std::string less = "int(" + a + ") < int(" + b + ")";
    switch (s.what) {
      case What::compute:
        line(to + " = " + operation(s.operation, a, takes_variable(s) ? b : number(literal(s))) + ";");
        break;
      case What::branch:
        line("if (" + less + ") {");
        inner(s.then, loops);
        line("} else {");
        inner(s.otherwise, loops);
        line("}");
        break;
      case What::loop: {
        const std::string counter = "n" + std::to_string(loops);
        line("for (unsigned " + counter + " = " + a + " % 7u; " + counter + " > 0u; --" + counter + ") {");
        inner(s.then, loops + 1);
        line("}");
        break;
      }
      case What::array:
        line("local[" + a + " % " + number(local_words) + "] += " + b + ";");
        line(to + " = local[" + number(s.number % local_words) + "];");
        break;
      case What::exchange:
        line("shared[t] = " + a + ";");
        line("__syncthreads();");
        line(to + " = shared[(t + " + number(s.number % block_threads) + ") % " + number(block_threads) +
             "];");
        line("__syncthreads();");
        break;
      case What::shuffle:
        line(to + " = __shfl_xor_sync(0xffffffffu, " + a + ", " + std::to_string(s.number % 32) + ");");
        break;
      case What::vote: line(to + " = __popc(__ballot_sync(0xffffffffu, " + less + "));"); break;
      case What::sum: line("atomicAdd(&sums[" + number(s.number % sums) + "], " + a + ");"); break;
    }
  }
  void inner(const Body& body, int loops) {
    ++depth_;
    write(body, loops);
    --depth_;
  }

  std::string text_;
  int depth_ = 0;
};

/// The body of an entry in PTX. It uses %r0 = thread, %r1 = block, %rd0 = out, %rd1 = sums, the shared array
/// `s` of `block_threads` words, the local array `l` of `local_words`, and has %r4-%r39, %rd5 and %p0-%p9 for
/// itself.
class PtxWriter {
 public:
  static std::string body(const Body& tree) {
    PtxWriter w;
    std::string& code = w.text_;
    code = "mov.u32 %r4, s;\nshl.b32 %r5, %r0, 2;\nadd.u32 %r5, %r5, %r4;\nmad.lo.u32 %r7, %r1, " +
           std::to_string(block_threads) + ", %r0;\nmov.u64 %rd6, l;\nmov.u32 %r8, 0;\n";
    for (uint32_t k = 0; k < local_words; ++k)
      code += "st.local.u32 [%rd6+" + std::to_string(k * 4) + "], %r8;\n";
    for (int k = 0; k < values; ++k) {
      code += "mad.lo.u32 " + reg(k) + ", %r7, " + std::to_string(2654435761u + unsigned(k) * 40503u) + ", " +
              std::to_string(k * 77) + ";\nshr.u32 " + reg(k) + ", " + reg(k) + ", " + std::to_string(k * 3) +
              ";\n";
    }
    w.write(tree, 0);
    code += "mul.wide.u32 %rd5, %r7, " + std::to_string(values * 4) + ";\nadd.u64 %rd5, %rd5, %rd0;\n";
    for (int k = 0; k < values; ++k)
      code += "st.global.u32 [%rd5+" + std::to_string(k * 4) + "], " + reg(k) + ";\n";
    return code;
  }

 private:
  static std::string reg(int k) { return "%r" + std::to_string(10 + k); }
  std::string label() { return "L" + std::to_string(labels_++); }
  void write(const Body& body, int depth) {
    for (const Statement& s : body) write(s, depth);
  }
  void write(const Statement& s, int depth) {
    static constexpr const char* operations[] = {"add.u32", "sub.u32", "mul.lo.u32", "and.b32", "or.b32",
                                                 "xor.b32", "min.s32", "max.u32",    "shl.b32", "shr.u32"};
    const std::string counter = "%r" + std::to_string(30 + depth), predicate = "%p" + std::to_string(depth);
    const std::string less = "setp.lt.s32 " + predicate + ", " + reg(s.a) + ", " + reg(s.b) + ";\n";
    switch (s.what) {
      case What::compute:
        text_ += std::string(operations[s.operation]) + " " + reg(s.to) + ", " + reg(s.a) + ", " +
                 (takes_variable(s) ? reg(s.b) : std::to_string(literal(s))) + ";\n";
        break;
      case What::branch: {
        const std::string otherwise = label(), end = label();
        text_ += less + "@!" + predicate + " bra " + otherwise + ";\n";
        write(s.then, depth + 1);
        text_ += "bra.uni " + end + ";\n" + otherwise + ":\n";
        write(s.otherwise, depth + 1);
        text_ += end + ":\n";
        break;
      }
      case What::loop: {
        const std::string again = label(), end = label();
        text_ += "rem.u32 " + counter + ", " + reg(s.a) + ", 7;\n" + again + ":\nsetp.eq.u32 " + predicate +
                 ", " + counter + ", 0;\n@" + predicate + " bra " + end + ";\n";
        write(s.then, depth + 1);
        text_ += "sub.u32 " + counter + ", " + counter + ", 1;\nbra.uni " + again + ";\n" + end + ":\n";
        break;
      }
      case What::array:
        text_ += "and.b32 %r6, " + reg(s.a) + ", " + std::to_string(local_words - 1) +
                 ";\nmul.wide.u32 %rd5, %r6, 4;\nadd.u64 %rd5, %rd5, %rd6;\nld.local.u32 %r6, [%rd5];\n" +
                 "add.u32 %r6, %r6, " + reg(s.b) + ";\nst.local.u32 [%rd5], %r6;\nld.local.u32 " + reg(s.to) +
                 ", [%rd6+" + std::to_string(s.number % local_words * 4) + "];\n";
        break;
      case What::exchange:
        text_ += "st.shared.u32 [%r5], " + reg(s.a) + ";\nbar.sync 0;\nadd.u32 %r6, %r0, " +
                 std::to_string(s.number % block_threads) + ";\nrem.u32 %r6, %r6, " +
                 std::to_string(block_threads) +
                 ";\nshl.b32 %r6, %r6, 2;\nadd.u32 %r6, %r6, %r4;\nld.shared.u32 " + reg(s.to) +
                 ", [%r6];\nbar.sync 0;\n";
        break;
      case What::shuffle:
        text_ += "shfl.sync.bfly.b32 " + reg(s.to) + ", " + reg(s.a) + ", " + std::to_string(s.number % 32) +
                 ", 31, 0xffffffff;\n";
        break;
      case What::vote:
        text_ += less + "vote.sync.ballot.b32 %r6, " + predicate + ", 0xffffffff;\npopc.b32 " + reg(s.to) +
                 ", %r6;\n";
        break;
      case What::sum:
        text_ += "red.global.add.u32 [%rd1+" + std::to_string(s.number % sums * 4) + "], " + reg(s.a) + ";\n";
        break;
    }
  }

  std::string text_;
  int labels_ = 0;
};

}  // namespace warpbook::random_kernel
