// The approximate functions of f32 over dense samples of all floats: the error in units of the last place of
// the exact result, which double precision gives well enough. The bounds stand on the reference page
// assets/pages/emulator-coverage.md; PTX allows more (ISA 9.7.3).
#include <cmath>

#include "ops_harness.h"

using namespace warpbook::simt::ops_test;

namespace {

struct Function {
  const char* name;
  double (*exact)(double);
  double bound;  ///< units in the last place
};
const Function functions[] = {
    {"rcp.approx.f32", [](double x) { return 1 / x; }, 0.5},
    {"sqrt.approx.f32", [](double x) { return std::sqrt(x); }, 0.5},
    {"rsqrt.approx.f32", [](double x) { return 1 / std::sqrt(x); }, 1.5},
    {"ex2.approx.f32", [](double x) { return std::exp2(x); }, 2},
    {"lg2.approx.f32", [](double x) { return std::log2(x); }, 2},
    {"sin.approx.f32", [](double x) { return std::sin(x); }, 2},
    {"cos.approx.f32", [](double x) { return std::cos(x); }, 2},
    {"tanh.approx.f32", [](double x) { return std::tanh(x); }, 3},
};

/// The distance between neighbouring floats around a finite value; that of the smallest normals below them.
double unit_at(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent, -125) - 24);
}

/// Every float whose bits are a multiple of an odd stride, of both signs: 1 in 4,099.
template <class Visit>
void each_sample(Visit visit) {
  uint32_t block[32];
  int filled = 0;
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 4099) {
    block[filled++] = uint32_t(bits);
    if (filled == 32) {
      visit(block);
      filled = 0;
    }
  }
}

}  // namespace

TEST_CASE("approximate functions stay within their stated bounds over all floats") {
  for (const std::span<const warpbook::simt::Family> families : instruction_sets()) {
    for (const Function& function : functions) {
      Frame frame;
      const uint32_t to = frame.add_register(Type::f32), from = frame.add_register(Type::f32);
      auto source = instruction(function.name);
      source.operands = {Frame::operand(to), Frame::operand(from)};
      warpbook::simt::Inst inst;
      REQUIRE(find(families, source.opcode)->decode(source, frame, inst));
      warpbook::simt::Warp warp;
      warp.frame = frame.base();
      activate(warp, ~0u);
      double worst = 0;
      float worst_at = 0;
      int wrong = 0;
      each_sample([&](const uint32_t* bits) {
        for (int lane = 0; lane < 32; ++lane) frame.set(from, lane, bits[lane]);
        inst.full(warp, inst);
        for (int lane = 0; lane < 32; ++lane) {
          const float in = as_float(bits[lane]), got = as_float(frame.get(to, lane));
          const double exact = function.exact(double(in));
          if (exact != exact || std::isinf(exact) || std::fabs(exact) > 0x1.fffffep127) {
            // NaN is the canonical one; what is beyond the largest float is infinite.
            wrong += exact != exact ? uint32_t(frame.get(to, lane)) != 0x7fffffffu
                                    : std::fabs(double(got)) < 0x1.fffffep127 ||
                                          std::signbit(got) != std::signbit(exact);
            continue;
          }
          const double error = std::fabs(double(got) - exact) / unit_at(exact);
          if (error > worst) worst = error, worst_at = in;
        }
      });
      INFO(function.name << ": " << worst << " units at " << worst_at);
      CHECK(wrong == 0);
      CHECK(worst <= function.bound);
      CHECK(worst > 0.4);  // a sample this dense meets results that lie between two floats
    }
  }
}
