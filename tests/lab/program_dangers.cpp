// What programs do to the machine that runs them: each is held, ended and told, and its tape kept. Where
// there is no nvcc, nothing is tried.
#include <algorithm>

#include "base/files.h"
#include "base/sanitized.h"
#include "base/text.h"
#include "lab/program_session.h"

using namespace warpbook;
using program_test::Bench;

namespace {

RunRequest situation(Bench& bench, int which) {
  const Path file = Path(WARPBOOK_SOURCE_DIR) / "tests/programs/cuda/situations.cu";
  const auto text = read_file(file);
  REQUIRE(text.ok());
  RunRequest request = bench.request(*text);
  request.file = file.string();
  request.program->arguments = {std::to_string(which)};
  return request;
}

}  // namespace

TEST_CASE("a host loop without end is stopped and told") {
  Bench bench;
  if (!bench.usable) return;
  RunRequest request = situation(bench, 12);
  request.program->idle_seconds = 2;
  const RunResult result = bench.run(request);
  CHECK(result.status == "limit");
  CHECK(result.exit_code == 3);
  CHECK(result.program->stopped.find("called nothing of CUDA") != std::string::npos);
  CHECK(result.program->tape.rows.size() >= 10);  // all its calls came before
}

TEST_CASE("a kernel that waits for its host is not called endless, and the program ends") {
  Bench bench;
  if (!bench.usable) return;
  const std::string source = R"(#include <cstdio>
__global__ void wait_for(volatile unsigned* flag, unsigned* out) {
  while (flag[0] < 1) {
  }
  out[0] = 7;
}
int main() {
  unsigned *flag, *out;
  cudaMallocManaged(&flag, 4);
  cudaMallocManaged(&out, 4);
  *flag = FIRST;
  wait_for<<<1, 32>>>(flag, out);
  *flag = 1;
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%d %u\n", int(error), *out);
  cudaFree(flag);
  cudaFree(out);
  return error != cudaSuccess;
}
)";
  const RunResult waits = bench.run(bench.request(replace_all(source, "FIRST", "0")));
  CHECK(waits.status == "unsupported");
  CHECK(waits.exit_code == 1);
  CHECK(waits.program->out.find("719 ") == 0);
  const auto told = std::find_if(waits.diagnostics.begin(), waits.diagnostics.end(),
                                 [](const Diagnosis& d) { return d.kind == "unsupported"; });
  REQUIRE(told != waits.diagnostics.end());
  CHECK(told->line == 3);
  CHECK(told->message.find("the host reaches too") != std::string::npos);
  CHECK_FALSE(told->hint.empty());
  // Whose flag is set in time ends as on a GPU.
  const RunResult goes = bench.run(bench.request(replace_all(source, "FIRST", "1")));
  CHECK(goes.status == "ok");
  CHECK(goes.program->out == "0 7\n");
  // Memory that only kernels reach: nobody can help.
  std::string own = replace_all(source, "cudaMallocManaged(&flag", "cudaMalloc(&flag");
  own = replace_all(replace_all(own, "*flag = FIRST", "cudaMemset(flag, 0, 4)"), "*flag = 1;", "");
  const RunResult endless = bench.run(bench.request(own));
  CHECK(endless.status == "fault");
  CHECK(std::any_of(endless.diagnostics.begin(), endless.diagnostics.end(),
                    [](const Diagnosis& d) { return d.kind == "infinite-loop"; }));
}

TEST_CASE("a program that forks without end ends and leaves its tape") {
  Bench bench;
  if (!bench.usable) return;
  RunRequest forks = situation(bench, 20);
  forks.program->idle_seconds = 20;
  forks.max_seconds = 8;
  const RunResult forked = bench.run(forks);
  CHECK(forked.program->tape.rows.size() >= 6);
}

TEST_CASE("a program that eats memory ends and leaves its tape") {
  Bench bench;
  if (!bench.usable || sanitized) return;  // a sanitized build sets no bound
  const RunResult eater = bench.run(situation(bench, 21));
  CHECK(eater.exit_code == 1);
  CHECK(eater.program->signal != 0);
  CHECK(eater.program->tape.rows.size() >= 6);
}

TEST_CASE("a program's own crash has its signal and its line") {
  Bench bench;
  if (!bench.usable) return;
  const RunResult result = bench.run(situation(bench, 23));
  CHECK(result.exit_code == 1);
  CHECK(result.program->signal == 11);
  const auto& rows = result.program->tape.rows;
  const auto fault =
      std::find_if(rows.begin(), rows.end(), [](const TapeRow& r) { return r.fault.has_value(); });
  REQUIRE(fault != rows.end());
  CHECK(fault->fault->kind == "segmentation-fault");
}

TEST_CASE("where the sandbox works, a program writes nothing outside its folder, and the mode is shown") {
  Bench bench;
  if (!bench.usable) return;
  const Path outside = bench.folder.path() / "outside.txt";
  setenv("WARPBOOK_TEST_OUTSIDE", outside.c_str(), 1);
  const RunResult result = bench.run(situation(bench, 22));
  unsetenv("WARPBOOK_TEST_OUTSIDE");
  const bool sandboxed = !program_host(*bench.session).confinement.bubblewrap.empty();
  CHECK(result.program->mode.find(sandboxed ? "in a sandbox" : "with limits") == 0);
  if (!sandboxed) return;
  CHECK(result.program->out.find("refused\n") == 0);
  CHECK_FALSE(std::filesystem::exists(outside));
}

TEST_CASE("a disk that is full is told in a sentence") {
  Bench bench;
  if (!bench.usable) return;
  RunRequest request = bench.request("int main() { return 0; }\n");
  // A file where the folder for texts should be: nothing can be written below it.
  bench.session->folders.cache = bench.folder.path() / "full";
  REQUIRE(write_file(bench.session->folders.cache, "").ok());
  bench.session->programs.reset();
  const auto result = run(*bench.session, request);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().trouble == Trouble::io);
  CHECK_FALSE(result.error().message.empty());
}
