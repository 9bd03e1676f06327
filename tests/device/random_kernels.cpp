// Random structured kernels through the compiler, optimised and as debug build, on every level and several
// orders and numbers of workers: what comes out is what a plain evaluation says.
#include "compiler_fixture.h"
#include "simt/memory_harness.h"
#include "simt/random_kernel.h"

using namespace warpbook;

namespace {

struct Way {
  Level level;
  Order order;
  unsigned workers;
};

void check_all_ways(const std::string& ptx, const random_kernel::Evaluation& wanted, unsigned seed) {
  const Way ways[] = {{Level::run, Order::forward, 1},     {Level::run, Order::shuffled, 3},
                      {Level::measure, Order::reverse, 1}, {Level::measure, Order::round_robin, 2},
                      {Level::check, Order::forward, 2},   {Level::check, Order::shuffled, 1}};
  for (const Way& way : ways) {
    INFO("level " << int(way.level) << " order " << int(way.order) << " workers " << way.workers);
    simt::memory_tests::Bench bench(ptx);
    bench.options.level = way.level;
    bench.options.order = way.order;
    bench.options.seed = seed;
    bench.options.threads = way.workers;
    const auto out = bench.buffer("out", std::vector<uint32_t>(random_kernel::out_words));
    const auto sums = bench.buffer("sums", std::vector<uint32_t>(random_kernel::sums));
    const RunReport report = bench.run("random_kernel", random_kernel::blocks, random_kernel::block_threads);
    for (const Diagnosis& d : report.diagnostics) UNSCOPED_INFO(d.kind << ": " << d.message);
    REQUIRE(report.status == RunStatus::ok);
    const bool equal = bench.read<uint32_t>(out, random_kernel::out_words) == wanted.out();
    CHECK(equal);
    CHECK(bench.read<uint32_t>(sums, random_kernel::sums) == wanted.total());
  }
}

}  // namespace

TEST_CASE("random kernels: optimised and debug builds give what a plain evaluation gives") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  for (unsigned seed = 101; seed <= 106; ++seed) {
    const random_kernel::Body tree = random_kernel::Generator(seed).body();
    const random_kernel::Evaluation wanted(tree);
    CompileRequest request = request_for(random_kernel::CudaWriter::source(tree));
    request.names = {"random_kernel"};
    for (const bool debug : {false, true}) {
      request.debug = debug;
      INFO("seed " << seed << (debug ? " debug build\n" : "\n") << request.source);
      auto outcome = fixture.compiler->compile(request);
      REQUIRE(outcome.ok());
      REQUIRE(outcome->code);
      check_all_ways(outcome->code->ptx, wanted, seed);
    }
  }
}
