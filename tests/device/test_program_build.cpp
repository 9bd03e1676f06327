// Building whole programs: found where toolkits lie, cached by content, refused with the learner's lines.
#include "base/process.h"
#include "catch.h"
#include "device/compiler_fixture.h"
#include "device/program_build.h"

using namespace warpbook;

namespace {

void make_program(const Path& path) {
  REQUIRE(write_file(path, "#!/bin/sh\nexit 0\n"));
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

struct Bench {
  TemporaryFolder folder;
  ProgramBuilder builder{folder.path() / "cache"};
  BuildRequest request;
  bool usable = false;
  Bench() {
    const auto runtime = find_runtime_folder();
    if (!builder.place().missing.empty()) {
      WARN(builder.place().missing);
    } else if (!runtime) {
      WARN(runtime.error().message);
    } else {
      usable = true;
      request.runtime_folder = *runtime;
    }
  }
  Path write(const std::string& name, const std::string& text) {
    REQUIRE(write_file(folder.path() / name, text));
    return folder.path() / name;
  }
};

const std::string small_program = R"(#include <cstdio>
#include "answer.h"
__global__ void fill(int* out) { out[threadIdx.x] = answer; }
int more();
int main() { std::printf("%d %d\n", answer, more()); }
)";

}  // namespace

TEST_CASE("nvcc is found below CUDA_HOME, and another version is passed over with a word") {
  const TemporaryFolder folder;
  make_program(folder.path() / "bin" / "nvcc");
  REQUIRE(write_file(folder.path() / "include" / "cuda_runtime.h", ""));
  REQUIRE(write_file(folder.path() / "include" / "cuda_runtime_api.h", "#define CUDART_VERSION  13010\n"));
  const WithEnvironment home("CUDA_HOME", folder.path().c_str()), unset("NVCC", nullptr);
  const ToolkitPlace place = find_toolkit();
  CHECK(Path(place.nvcc) == std::filesystem::canonical(folder.path() / "bin" / "nvcc"));
  CHECK(place.version == "13.1");
  REQUIRE(write_file(folder.path() / "include" / "cuda_runtime_api.h", "#define CUDART_VERSION  12040\n"));
  const ToolkitPlace other = find_toolkit();
  CHECK(other.nvcc != place.nvcc);
  if (other.nvcc.empty()) CHECK(other.missing.find("12.4") != std::string::npos);
}

TEST_CASE("the wheels of app/start are a toolkit") {
  const TemporaryFolder folder;
  make_program(folder.path() / "nvidia/cu13/bin/nvcc");
  REQUIRE(write_file(folder.path() / "nvidia/cu13/include/cuda_runtime.h", ""));
  REQUIRE(write_file(folder.path() / "nvidia/cu13/include/cuda_runtime_api.h",
                     "#define CUDART_VERSION  13000\n"));
  // An empty path and a home without a toolkit: only where the system itself has none, the wheels are
  // reached.
  const WithEnvironment home("CUDA_HOME", nullptr), unset("NVCC", nullptr),
      wheels("CUDA_PATH", folder.path().c_str());
  // NVCC and CUDA_HOME come first, so both are out of the way.
  CHECK(find_toolkit().nvcc == std::filesystem::canonical(folder.path() / "nvidia/cu13/bin/nvcc"));
}

TEST_CASE("NVCC that names no program is told, and nothing else is searched") {
  const WithEnvironment nvcc("NVCC", "/nowhere/nvcc");
  const ToolkitPlace place = find_toolkit();
  CHECK(place.nvcc.empty());
  CHECK(place.missing.find("/nowhere/nvcc") != std::string::npos);
  const ProgramBuilder builder(TemporaryFolder().path());
  const auto built = builder.build({});
  REQUIRE_FALSE(built.ok());
  CHECK(built.error().trouble == Trouble::not_found);
}

TEST_CASE("a program of two files is built once and again when a header changes") {
  Bench bench;
  if (!bench.usable) return;
  bench.write("answer.h", "constexpr int answer = 42;\n");
  bench.request.files = {{bench.write("main.cu", small_program), "main.cu"},
                         {bench.write("more.cpp", "int more() { return 7; }\n"), "more.cpp"}};
  const auto first = bench.builder.build(bench.request);
  REQUIRE(first.ok());
  REQUIRE(first->program);
  CHECK_FALSE(first->program->cached);
  const auto ran = run_child({first->program->executable.string()});
  REQUIRE(ran.ok());
  CHECK(ran->out == "42 7\n");

  const auto second = bench.builder.build(bench.request);
  REQUIRE(second.ok());
  REQUIRE(second->program);
  CHECK(second->program->cached);
  CHECK(second->program->executable == first->program->executable);

  bench.write("answer.h", "constexpr int answer = 43;\n");
  const auto third = bench.builder.build(bench.request);
  REQUIRE(third.ok());
  REQUIRE(third->program);
  CHECK_FALSE(third->program->cached);
  CHECK(run_child({third->program->executable.string()})->out == "43 7\n");
}

TEST_CASE("errors of compiler and linker are diagnoses in the learner's files") {
  Bench bench;
  if (!bench.usable) return;
  bench.request.files = {{bench.write("main.cu", "int main() {\n  return missing();\n}\n"), "main.cu"}};
  const auto undeclared = bench.builder.build(bench.request);
  REQUIRE(undeclared.ok());
  CHECK_FALSE(undeclared->program);
  REQUIRE(undeclared->diagnostics.size() == 1);
  CHECK(undeclared->diagnostics[0].file == "main.cu");
  CHECK(undeclared->diagnostics[0].line == 2);

  bench.request.files = {
      {bench.write("main.cu", "int helper(int);\nint main() {\n  return helper(1);\n}\n"), "main.cu"}};
  const auto undefined = bench.builder.build(bench.request);
  REQUIRE(undefined.ok());
  CHECK_FALSE(undefined->program);
  REQUIRE(undefined->diagnostics.size() == 1);
  CHECK(undefined->diagnostics[0].kind == "compile-error");
  CHECK(undefined->diagnostics[0].line == 3);
}

TEST_CASE("a build that is cancelled says so") {
  Bench bench;
  if (!bench.usable) return;
  bench.request.files = {{bench.write("main.cu", "int main() {}\n"), "main.cu"}};
  const std::atomic<bool> stop{true};
  const auto built = bench.builder.build(bench.request, &stop);
  REQUIRE_FALSE(built.ok());
  CHECK(built.error().trouble == Trouble::cancelled);
}
