// The recorder in front of a runtime that is not ours to change: its tape says what our own library's tape
// says of the same program. Where there is no nvcc, nothing is tried.
#include <algorithm>
#include <cstdlib>

#include "base/process.h"
#include "base/temporary_folder.h"
#include "catch.h"
#include "device/program_build.h"
#include "result/tape.h"

using namespace warpbook;

namespace {

struct Ran {
  int exit_code = -1;
  std::string out;
  Tape tape;
};

const std::string small_program = R"(#include <cstdio>
__constant__ int factor;
__global__ void scale(int* p, int n) { if (threadIdx.x < n) p[threadIdx.x] *= factor; }
__global__ void never(int* p) { *p = 1; }
int main() {
  int host[32], two = 2, *d, *kept;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaStream_t stream;
  cudaEvent_t from, to;
  cudaStreamCreate(&stream);
  cudaEventCreate(&from);
  cudaEventCreate(&to);
  cudaMalloc(&d, sizeof host);
  cudaMalloc(&kept, 400);
  cudaMemset(kept, 0, 400);
  cudaMemcpyToSymbol(factor, &two, sizeof two);
  cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice);
  cudaEventRecord(from, stream);
  scale<<<1, 32, 0, stream>>>(d, 32);
  cudaEventRecord(to, stream);
  cudaStreamSynchronize(stream);
  scale<<<1, 2000>>>(d, 32);
  printf("%d\n", int(cudaGetLastError()));
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host[31]);
  cudaEventDestroy(from);
  cudaEventDestroy(to);
  cudaStreamDestroy(stream);
  cudaFree(d);
  cudaFree(d);
}
)";

Ran run(const Path& program, std::vector<std::string> environment) {
  Ran ran;
  ChildSetting setting;
  setting.side_channel = true;
  setting.environment = {"WARPBOOK_TAPE_FD=" + std::to_string(side_descriptor),
                         std::string("WARPBOOK_ROOT=") + WARPBOOK_SOURCE_DIR};
  setting.environment.insert(setting.environment.end(), environment.begin(), environment.end());
  TapeReader reader;
  ChildWatch watch;
  watch.out = [&](std::string_view piece) { ran.out += piece; };
  watch.err = [](std::string_view) {};
  watch.side = [&](std::string_view piece) { (void)reader.take(piece); };
  watch.go_on = [] { return true; };
  const auto end = watch_child({program.string()}, {}, setting, watch);
  REQUIRE(end.ok());
  ran.exit_code = end->exit_code;
  ran.tape = reader.tape();
  return ran;
}

/// What both tapes must agree on; addresses and times are each run's own.
std::string told(const TapeRow& row) {
  std::string text = row.call + " = " + row.code_name + ", " + std::to_string(row.bytes) + " bytes " +
                     std::string(name_of(row.direction)) + ", stream " + std::to_string(row.stream);
  for (const TapeArgument& argument : row.arguments) {
    text += " " + argument.name;
    if (argument.value.rfind("0x", 0) != 0 && argument.name != "ms") text += "=" + argument.value;
  }
  for (const TapePlace& place : row.places) {
    if (place.argument == "symbol") continue;  // only NVIDIA's library knows where its variables lie
    text += " [" + place.argument + ": ";
    text += place.kind == MemoryKind::host ? std::string("host") : std::string(name_of(place.kind));
    text += " +" + std::to_string(place.offset) + "]";
  }
  if (row.launch) text += " " + row.launch->kernel + " " + std::to_string(row.launch->launch.block.x);
  return text;
}

struct Program {
  TemporaryFolder folder;
  Path executable, runtime;
  Program() {
    ProgramBuilder builder(Path(WARPBOOK_BINARY_DIR) / "test-program-session" / "programs");
    const auto ours = find_runtime_folder();
    if (!builder.place().missing.empty() || !ours) {
      WARN(builder.place().missing);
      return;
    }
    runtime = *ours;
    REQUIRE(write_file(folder.path() / "small.cu", small_program));
    BuildRequest request;
    request.files = {{folder.path() / "small.cu", "small.cu"}};
    request.runtime_folder = runtime;
    const auto built = builder.build(request);
    REQUIRE(built.ok());
    REQUIRE(built->program);
    executable = built->program->executable;
  }
};

}  // namespace

TEST_CASE("the recorder tells of a program what our own library tells of it") {
  const Program program;
  if (program.executable.empty()) return;
  const Ran ours = run(program.executable, {});
  const std::string recorder = (program.runtime / "libwarpbook-recorder.so").string();
  const Ran recorded = run(program.executable, {"LD_PRELOAD=" + recorder, "WARPBOOK_RECORDER=1"});
  CHECK(recorded.exit_code == ours.exit_code);
  CHECK(recorded.out == ours.out);
  CHECK(ours.out == "9\n62\n");
  REQUIRE(recorded.tape.ended);
  REQUIRE(recorded.tape.rows.size() == ours.tape.rows.size());
  for (size_t i = 0; i < ours.tape.rows.size(); ++i) {
    CHECK(told(recorded.tape.rows[i]) == told(ours.tape.rows[i]));
    CHECK(recorded.tape.rows[i].kind == ours.tape.rows[i].kind);
    CHECK(recorded.tape.rows[i].waits == ours.tape.rows[i].waits);
    CHECK(recorded.tape.rows[i].frames.empty() == ours.tape.rows[i].frames.empty());
  }
  const TapeEnd &end = *recorded.tape.rows.back().end, &other = *ours.tape.rows.back().end;
  CHECK(end.never_launched == other.never_launched);
  REQUIRE(end.allocations.size() == 1);
  CHECK(end.allocations[0].bytes == 400);
}

TEST_CASE("a planned failure strikes in front of a foreign runtime too") {
  const Program program;
  if (program.executable.empty()) return;
  const std::string recorder = (program.runtime / "libwarpbook-recorder.so").string();
  const Ran ran = run(program.executable,
                      {"LD_PRELOAD=" + recorder, "WARPBOOK_RECORDER=1", "WARPBOOK_FAIL=cudaMalloc:2:2"});
  int mallocs = 0;
  for (const TapeRow& row : ran.tape.rows) {
    if (row.call != "cudaMalloc") continue;
    CHECK(row.code == (++mallocs == 2 ? 2 : 0));
    CHECK(row.injected == (mallocs == 2));
  }
  CHECK(mallocs == 2);
}

TEST_CASE("on NVIDIA's own runtime without a driver every call says so on the tape") {
  const Program program;
  if (program.executable.empty()) return;
  const auto nvidia = find_nvidia_runtime(find_toolkit());
  if (!nvidia) {
    WARN(nvidia.error().message);
    return;
  }
  const std::string recorder = (program.runtime / "libwarpbook-recorder.so").string();
  const Ran ran = run(program.executable, {"LD_PRELOAD=" + recorder, "WARPBOOK_RECORDER=1",
                                           "LD_LIBRARY_PATH=" + nvidia->parent_path().string()});
  const auto malloc = std::find_if(ran.tape.rows.begin(), ran.tape.rows.end(),
                                   [](const TapeRow& row) { return row.call == "cudaMalloc"; });
  REQUIRE(malloc != ran.tape.rows.end());
  if (malloc->code == 0) return;  // this machine has a GPU
  CHECK(malloc->code_name == "cudaErrorInsufficientDriver");
  CHECK(ran.tape.ended);
}
