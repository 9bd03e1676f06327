// Launches of whole programs by themselves: names by a debug build, other launches, changed code, moments.
// Where there is no nvcc, nothing is tried.
#include "lab/opened_launch.h"

#include <algorithm>

#include "base/text.h"
#include "lab/program_session.h"
#include "lab/replay.h"

using namespace warpbook;
using program_test::Bench;

namespace {

/// Two launches: the second adds to what the first made; `weights` are set by the host.
const std::string two_launches = R"(#include <cstdio>
#include <cstdlib>
struct Pair { float left, right; };
__constant__ float weights[4];
__global__ void weigh(const Pair* pairs, float* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += pairs[i].left * weights[i & 3] + pairs[i].right;
}
int main(int argc, char** argv) {
  const int n = 100, guard = argc > 1 ? atoi(argv[1]) : n;
  Pair pairs[n];
  float sums[n] = {}, factors[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; ++i) pairs[i] = {float(i), 0.5f};
  Pair* d_pairs;
  float* d_sums;
  cudaMalloc(&d_pairs, sizeof pairs);
  cudaMalloc(&d_sums, sizeof sums);
  cudaMemcpy(d_pairs, pairs, sizeof pairs, cudaMemcpyHostToDevice);
  cudaMemcpy(d_sums, sums, sizeof sums, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, factors, sizeof factors);
  weigh<<<4, 32>>>(d_pairs, d_sums, n);
  weigh<<<4, 32>>>(d_pairs, d_sums, guard);  // second
  cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
  printf("%g\n", sums[3]);
  cudaFree(d_pairs);
  cudaFree(d_sums);
}
)";

std::vector<const TapeRow*> launches_of(const RunResult& result) {
  std::vector<const TapeRow*> rows;
  for (const TapeRow& row : result.program->tape.rows)
    if (row.launch) rows.push_back(&row);
  return rows;
}

std::shared_ptr<const OpenedLaunch> opened(Bench& bench, const RunResult& result, size_t launch) {
  const auto rows = launches_of(result);
  REQUIRE(launch < rows.size());
  const ProgramLaunches& left = *program_host(*bench.session).launches;
  auto one = open_launch(left.captured, left.order, *result.program, rows[launch]->sequence);
  if (!one) FAIL(one.error().message);
  return *one;
}

double element(const RunResult& result, const std::string& name, uint64_t index) {
  const Output* output = result.output(name);
  REQUIRE(output);
  REQUIRE(index < output->count);
  return element_as_double(output->type, output->data.data(), index);
}

}  // namespace

TEST_CASE("a program's launch runs again by itself on what it found") {
  Bench bench;
  if (!bench.usable) return;
  const RunResult program = bench.run(bench.request(two_launches));
  REQUIRE(program.status == "ok");
  CHECK(program.program->out == "25\n");
  const auto second = opened(bench, program, 1);
  CHECK(second->kernel == "weigh");
  CHECK(second->line == 22);
  // 12.5 of the first launch stand there; weights came by cudaMemcpyToSymbol.
  auto again = run_opened(*bench.session, *second, {});
  REQUIRE(again.ok());
  CHECK(again->status == "ok");
  CHECK(again->diagnostics.empty());
  CHECK(element(*again, "sums", 3) == 25);
  CHECK(element(*again, "sums", 99) == 2 * (99 * 4 + 0.5));
  REQUIRE(again->counters);
  CHECK(again->counters->threads == 128);
  CHECK_FALSE(again->lines.empty());
  auto first = run_opened(*bench.session, *opened(bench, program, 0), {});
  REQUIRE(first.ok());
  CHECK(element(*first, "sums", 3) == 12.5);
}

TEST_CASE("an opened launch takes another grid and changed code") {
  Bench bench;
  if (!bench.usable) return;
  const RunResult program = bench.run(bench.request(two_launches));
  const auto second = opened(bench, program, 1);
  RunRequest fewer;
  fewer.launch = Launch{{1, 1, 1}, {8, 1, 1}, 0, false};
  auto result = run_opened(*bench.session, *second, fewer);
  REQUIRE(result.ok());
  CHECK(element(*result, "sums", 3) == 25);
  CHECK(element(*result, "sums", 9) == 9 * 2 + 0.5);  // only the first launch reached it
  RunRequest changed;
  changed.source = replace_all(second->source, "sums[i] +=", "sums[i] =");
  result = run_opened(*bench.session, *second, changed);
  REQUIRE(result.ok());
  CHECK(element(*result, "sums", 3) == 12.5);
  changed.source = replace_all(second->source, "sums[i] +=", "sumz[i] +=");
  result = run_opened(*bench.session, *second, changed);
  REQUIRE(result.ok());
  CHECK(result->status == "compile-error");
  CHECK(result->exit_code == 2);
  changed.source = replace_all(second->source, "weigh", "measure");
  result = run_opened(*bench.session, *second, changed);
  REQUIRE(result.ok());
  CHECK(result->status == "bad-arguments");
}

TEST_CASE("a kernel's fault in a program is told with the learner's own variables") {
  Bench bench;
  if (!bench.usable) return;
  RunRequest request = bench.request(two_launches);
  request.program->arguments = {"128"};
  const RunResult program = bench.run(request);
  CHECK(program.exit_code == 1);
  const auto fault = std::find_if(program.diagnostics.begin(), program.diagnostics.end(),
                                  [](const Diagnosis& d) { return d.kind == "oob-read"; });
  REQUIRE(fault != program.diagnostics.end());
  INFO(fault->message << " | " << fault->element << " | " << fault->hint);
  CHECK(fault->line == 7);
  CHECK(fault->file == "program.cu");
  const bool knows_i = std::any_of(fault->variables.begin(), fault->variables.end(),
                                   [](const auto& v) { return v.name == "i"; });
  CHECK(knows_i);
  CHECK(fault->message.find("100") != std::string::npos);
  // The block at that moment, step by step.
  const auto launch = opened(bench, program, 1);
  auto replayed = replay(*bench.session, *launch, RunRequest{}, *fault);
  REQUIRE(replayed.ok());
}

TEST_CASE("a kernel with a mistake that no GPU notices is executed once in a loop, and told once") {
  Bench bench;
  if (!bench.usable) return;
  // out gets what is in front: each thread reads what its neighbour writes, with nothing between.
  const RunResult program = bench.run(bench.request(R"(__global__ void turn(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
int main() {
  int values[64] = {}, *in, *out;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof values);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  for (int i = 0; i < 50; ++i) turn<<<1, 64>>>(in, out);
  cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
}
)"));
  CHECK(program.status == "fault");
  const auto launches = launches_of(program);
  REQUIRE(launches.size() == 50);
  CHECK(launches[0]->launch->repeats == 0);
  const auto repeated = std::count_if(launches.begin(), launches.end(),
                                      [](const TapeRow* row) { return row->launch->repeats != 0; });
  CHECK(repeated >= 48);
  for (const TapeRow* row : launches) CHECK(row->launch->status == "fault");
  std::vector<Diagnosis> errors;
  for (const Diagnosis& d : program.diagnostics)
    if (d.severity == Severity::error) errors.push_back(d);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == "race-shared");
  CHECK(errors[0].buffer == "tile");
}

TEST_CASE("a launch whose memory was not kept says so") {
  Bench bench;
  if (!bench.usable) return;
  RunRequest request = bench.request(two_launches);
  request.program->inherit_switches = true;  // as from the terminal: only faults are kept
  const RunResult program = bench.run(request);
  const ProgramLaunches& left = *program_host(*bench.session).launches;
  const auto one =
      open_launch(left.captured, left.order, *program.program, launches_of(program)[0]->sequence);
  REQUIRE_FALSE(one.ok());
  CHECK(one.error().message.find("not kept") != std::string::npos);
}
