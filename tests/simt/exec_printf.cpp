// printf: the conversions of C, the order of the output, its bound.
#include <algorithm>
#include <cstdio>
#include <set>

#include "simt/exec_harness.h"

namespace warpbook::simt {
namespace {

using exec_tests::Program;

TEST_CASE("printf converts as C does") {
  for (const double x : {3.14159, -1e30, 0.0}) {
    Program p("exec_printf");
    const long long big = 123456789012345ll;
    p.value("big", big);
    p.value("x", x);
    p.value("nothing", 0ull);
    const RunReport report = p.launch("formats", 1, 1);
    REQUIRE(report.status == RunStatus::ok);
    char expected[2000];
    int n = std::snprintf(expected, sizeof expected, "%d %i %u %x %X %o|", -5, 42, 7u, 0xbeef, 0xbeef, 8);
    n += std::snprintf(expected + n, sizeof expected - size_t(n), "%5d|%-5d|%05d|%+d|% d|%.3d|", 42, 42, 42,
                       42, 42, 7);
    n += std::snprintf(expected + n, sizeof expected - size_t(n), "%c%c %s %10s|%-10s|%.2s|", 'o', 'k',
                       "text", "right", "left", "cut");
    n += std::snprintf(expected + n, sizeof expected - size_t(n), "%f %.2f %e %g %a|", x, x, x, x, 1.0);
    n += std::snprintf(expected + n, sizeof expected - size_t(n), "%lld %lld %llu %llx %hd %hhd|", big, big,
                       static_cast<unsigned long long>(big), static_cast<unsigned long long>(big), short(-3),
                       static_cast<signed char>(-4));
    std::snprintf(expected + n, sizeof expected - size_t(n), "%*d|%-*d|%.*f|%%|0x10\n", 6, 1, 4, 2, 1, x);
    CHECK(report.printf == expected);
  }
}

TEST_CASE("printf is ordered by block, then warp, then time") {
  std::string expected;
  for (int b = 0; b < 7; ++b) {
    for (int w = 0; w < 2; ++w) {
      for (int k = 0; k < 3; ++k) {
        for (int t = 32 * w; t < std::min(40, 32 * w + 32); ++t) {
          expected += "b" + std::to_string(b) + " t" + std::to_string(t) + " k" + std::to_string(k) + "\n";
        }
      }
    }
  }
  for (const unsigned threads : {1u, 4u}) {
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
      Program p("exec_printf");
      p.options.threads = threads;
      p.options.order = order;
      p.value("rounds", 3);
      CHECK(p.launch("in_order", 7, 40).printf == expected);
    }
  }
}

TEST_CASE("printf keeps the first bytes when there are too many") {
  std::set<std::string> seen;
  for (const unsigned threads : {1u, 4u}) {
    for (const Order order : {Order::forward, Order::reverse}) {
      Program p("exec_printf");
      p.options.threads = threads;
      p.options.order = order;
      p.options.max_printf_bytes = 1000;
      p.value("rounds", 20);
      const RunReport report = p.launch("in_order", 50, 64);
      CHECK(report.status == RunStatus::ok);
      CHECK(report.printf.size() == 1000);
      CHECK(report.printf.substr(0, 20) == "b0 t0 k0\nb0 t1 k0\nb0");
      seen.insert(report.printf);
    }
  }
  CHECK(seen.size() == 1);
}

TEST_CASE("printf gives back the number of arguments") {
  Program p("exec_printf");
  const Address out = p.buffer("out", std::vector<int>(2, -1));
  const RunReport report = p.launch("no_arguments", 1, 2);
  CHECK(report.printf == "hello\nhello\n1 2\n1 2\n");
  CHECK(p.read<int>(out, 2) == std::vector<int>{2, 2});
}

}  // namespace
}  // namespace warpbook::simt
