#pragma once
// Runs kernels of tests/simt/kernels, in the way that a launch from outside does.
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "simt/memory_harness.h"

namespace warpbook::simt::exec_tests {

inline std::string kernels_text(const std::string& name) {
  std::ifstream file(std::string(WARPBOOK_SOURCE_DIR) + "/tests/simt/kernels/" + name + ".ptx");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(!text.empty());
  return text;
}

/// A module in a memory of its own, with arguments.
class Program : public memory_tests::Bench {
 public:
  explicit Program(const std::string& kernels) : Bench(kernels_text(kernels)) { options.threads = 1; }

  template <class T>
  void value(const std::string& name, T v) {
    KernelArgument a;
    a.name = name;
    a.bytes.resize(sizeof v);
    std::memcpy(a.bytes.data(), &v, sizeof v);
    arguments.push_back(a);
  }
  RunReport launch(const std::string& kernel, Dim3 grid, Dim3 block) {
    Launch how;
    how.grid = grid;
    how.block = block;
    how.shared_bytes = shared_bytes;
    how.shared_optin = shared_optin;
    return simt::run(*instance, kernel, how, arguments, gpu, options);
  }
  RunReport launch(const std::string& kernel, uint32_t grid, uint32_t block) {
    return launch(kernel, Dim3{grid, 1, 1}, Dim3{block, 1, 1});
  }
  bool shared_optin = false;
};

/// The only error of a report; a failing check when there is another number of them.
inline Diagnosis only_error(const RunReport& report) {
  Diagnosis found;
  int errors = 0;
  for (const Diagnosis& d : report.diagnostics) {
    INFO(d.kind << ": " << d.message);
    if (d.severity == Severity::error && errors++ == 0) found = d;
  }
  CHECK(errors == 1);
  return found;
}

inline const LineCounters* line(const RunReport& report, int number) {
  for (const LineCounters& l : report.lines) {
    if (l.line == number) return &l;
  }
  return nullptr;
}

/// Lines must add up to the totals, exactly.
inline void check_sums(const RunReport& report) {
  uint64_t warps = 0, threads = 0, branches = 0, divergent = 0, sectors = 0;
  for (const LineCounters& l : report.lines) {
    warps += l.warp_instructions;
    threads += l.thread_instructions;
    branches += l.branches;
    divergent += l.divergent_branches;
    sectors += l.global.sectors;
  }
  CHECK(warps == report.counters.warp_instructions);
  CHECK(threads == report.counters.thread_instructions);
  CHECK(branches == report.counters.branches);
  CHECK(divergent == report.counters.divergent_branches);
  CHECK(sectors == report.counters.global_load.sectors + report.counters.global_store.sectors +
                       report.counters.global_atomic.sectors);
  CHECK(report.warp_instructions == report.counters.warp_instructions);
}

}  // namespace warpbook::simt::exec_tests
