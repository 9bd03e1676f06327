// Random structured kernels, written as PTX, must give what a plain evaluation gives on every order of blocks
// and warps, level, instruction set and number of workers.
#include <cstdlib>

#include "simt/memory_harness.h"
#include "simt/random_kernel.h"

namespace warpbook::simt {
namespace {

std::string program(const random_kernel::Body& tree) {
  const std::string arrays =
      ".shared .align 4 .b8 s[" + std::to_string(random_kernel::block_threads * 4) + "];";
  const std::string local =
      ".local .align 4 .b8 l[" + std::to_string(random_kernel::local_words * 4) + "];\n";
  return memory_tests::kernel(2, local + random_kernel::PtxWriter::body(tree), arrays);
}

TEST_CASE("random structured kernels give what a plain evaluation gives, however they are run") {
  const char* const before = std::getenv("WARPBOOK_ISA");
  const std::string isa = before ? before : "";
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const random_kernel::Body tree = random_kernel::Generator(seed).body();
    const random_kernel::Evaluation wanted(tree);
    const std::string text = program(tree);
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
      const Address out = bench.buffer("out", std::vector<uint32_t>(random_kernel::out_words));
      const Address sums = bench.buffer("sums", std::vector<uint32_t>(random_kernel::sums));
      const RunReport report = bench.run(random_kernel::blocks, random_kernel::block_threads);
      REQUIRE(report.status == RunStatus::ok);
      const bool equal = bench.read<uint32_t>(out, random_kernel::out_words) == wanted.out();
      CHECK(equal);
      CHECK(bench.read<uint32_t>(sums, random_kernel::sums) == wanted.total());
    }
  }
  before ? setenv("WARPBOOK_ISA", isa.c_str(), 1) : unsetenv("WARPBOOK_ISA");
}

}  // namespace
}  // namespace warpbook::simt
