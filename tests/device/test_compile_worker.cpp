// The worker: warm the second time, stopped in time, replaced when it is gone.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <thread>

#include "base/process.h"
#include "base/text.h"
#include "catch.h"
#include "device/compiler_fixture.h"

using namespace warpbook;
using namespace std::chrono_literals;

namespace {

std::string kernel(int number) {
  return "__global__ void k(int* a) { a[threadIdx.x] = " + std::to_string(number) + "; }\n";
}

/// Takes NVRTC seconds: the constexpr loop runs until its own limit on steps.
std::string slow_source(int number) {
  return "__device__ constexpr long long f(int n) { long long s = 0; for (int i = 0; i < 2000000000; ++i) s "
         "+= i + n; return "
         "s; }\ntemplate <int N> struct S { static constexpr long long value = f(N) + S<N - 1>::value; };\n"
         "template <> struct S<0> { static constexpr long long value = 0; };\n"
         "__global__ void k(long long* a) { a[0] = S<" +
         std::to_string(20 + number) + ">::value; }\n";
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// This process's children that run the tests' worker.
std::vector<pid_t> workers() {
  std::vector<pid_t> found;
  for (const std::string& entry : list_folder("/proc")) {
    const auto pid = parse_int(entry);
    if (!pid) continue;
    const auto line = read_file(Path("/proc") / entry / "cmdline");
    const auto status = read_file(Path("/proc") / entry / "stat");
    if (!line || !status || line->find("tests/compile_worker") == std::string::npos) continue;
    const auto fields = split(std::string_view(*status).substr(status->rfind(')') + 2), ' ');
    if (fields.size() > 1 && fields[0] != "Z" && parse_int(fields[1]) == int64_t(getpid()))
      found.push_back(pid_t(*pid));
  }
  return found;
}

}  // namespace

TEST_CASE("the second compile finds the worker warm") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  const auto cold = fixture.compiler->compile(request_for(kernel(1)));
  REQUIRE(cold.ok());
  const auto first = workers();
  REQUIRE(first.size() == 1);
  double best = 1e9;
  for (int i = 2; i < 6; ++i) {
    const auto warm = fixture.compiler->compile(request_for(kernel(i)));
    REQUIRE(warm.ok());
    CHECK_FALSE(warm->code->cached);
    best = std::min(best, warm->code->compile_ms);
  }
  CHECK(workers() == first);
  CHECK(best < cold->code->compile_ms);
}

TEST_CASE("a compile that takes too long is stopped and the next one works") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  REQUIRE(fixture.compiler->compile(request_for(kernel(1))).ok());
  auto slow = request_for(slow_source(1));
  slow.max_time = 400ms;
  const auto start = std::chrono::steady_clock::now();
  const auto outcome = fixture.compiler->compile(slow);
  CHECK(seconds_since(start) < 3);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().trouble == Trouble::limit);
  CHECK(workers().empty());
  CHECK(fixture.compiler->compile(request_for(kernel(2)))->code);
}

TEST_CASE("a compile is cancelled within a tenth of a second") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  REQUIRE(fixture.compiler->compile(request_for(kernel(1))).ok());
  std::atomic<bool> stop{false};
  std::chrono::steady_clock::time_point pressed;
  std::thread presses([&] {
    std::this_thread::sleep_for(300ms);
    pressed = std::chrono::steady_clock::now();
    stop = true;
  });
  const auto outcome = fixture.compiler->compile(request_for(slow_source(2)), &stop);
  presses.join();
  const double took = seconds_since(pressed);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().trouble == Trouble::cancelled);
  CHECK(took < 0.3);  // 0.1 s is meant; a busy machine gets the rest
  CHECK(fixture.compiler->compile(request_for(kernel(2)))->code);
}

TEST_CASE("a worker that was killed between compiles is replaced") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  REQUIRE(fixture.compiler->compile(request_for(kernel(1))).ok());
  const auto first = workers();
  REQUIRE(first.size() == 1);
  kill(first[0], SIGKILL);
  const auto outcome = fixture.compiler->compile(request_for(kernel(2)));
  REQUIRE(outcome.ok());
  CHECK(outcome->code);
  const auto second = workers();
  REQUIRE(second.size() == 1);
  CHECK(second != first);
}

TEST_CASE("a worker killed in the middle of a compile is replaced once") {
  CompilerFixture fixture;
  NEEDS_NVRTC(fixture);
  REQUIRE(fixture.compiler->compile(request_for(kernel(1))).ok());
  std::thread kills([&] {
    std::this_thread::sleep_for(200ms);
    for (const pid_t worker : workers()) kill(worker, SIGKILL);
  });
  auto slow = request_for(slow_source(3));
  slow.max_time = 2000ms;
  const auto start = std::chrono::steady_clock::now();
  const auto outcome = fixture.compiler->compile(slow);
  kills.join();
  CHECK(seconds_since(start) < 6);
  // The second worker runs into the time limit: the first one's death is no answer of the compiler's.
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().trouble == Trouble::limit);
}

TEST_CASE("a worker that always dies is an error and no loop") {
  const TemporaryFolder folder;
  Compiler compiler(folder.path() / "cache", 1u << 20, {"sh", "-c", "exit 3"});
  if (!compiler.place().missing.empty()) {
    WARN("not tested: " << compiler.place().missing);
    return;
  }
  const auto outcome = compiler.compile(request_for(kernel(1)));
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().message.find("exit code 3") != std::string::npos);
}

TEST_CASE("the worker ends with its compiler") {
  {
    CompilerFixture fixture;
    NEEDS_NVRTC(fixture);
    REQUIRE(fixture.compiler->compile(request_for(kernel(1))).ok());
    CHECK(workers().size() == 1);
  }
  CHECK(workers().empty());
}

TEST_CASE("the same headers again are precompiled, and the PTX stays the same") {
  CompilerFixture fixture(0);  // no cache, so that each compile is one
  NEEDS_NVRTC(fixture);
  if (fixture.compiler->place().include_folders.empty()) {
    WARN("not tested: no CUDA headers were found beside NVRTC");
    return;
  }
  const auto compile = [&](int number) {
    auto outcome = fixture.compiler->compile(
        request_for("#include <cuda/atomic>\n#include <cstdio>\n__global__ void k(int* a) {\n"
                    "  cuda::atomic_ref<int> all(*a);\n  all.fetch_add(" +
                    std::to_string(number) + ");\n}\n"));
    REQUIRE(outcome.ok());
    REQUIRE(outcome->code);
    CHECK(outcome->diagnostics.empty());
    CHECK_FALSE(outcome->code->cached);
    return *outcome->code;
  };
  const auto plain = compile(1);
  compile(2);
  const auto precompiled = compile(1);
  CHECK(precompiled.compile_ms < plain.compile_ms);
  // A precompiled header changes the order of the headers' variables and nothing else.
  const auto sorted_lines = [](const std::string& ptx) {
    const auto lines = lines_of(ptx);
    return std::multiset<std::string>(lines.begin(), lines.end());
  };
  const bool same = sorted_lines(plain.ptx) == sorted_lines(precompiled.ptx);
  CHECK(same);
  const bool made =
      std::filesystem::exists(fixture.folder.path() / "cache" / ("headers-" + std::to_string(getpid())));
  CHECK(made);
  fixture.compiler.reset();
  CHECK(list_folder(fixture.folder.path() / "cache").empty());
}
