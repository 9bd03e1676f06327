// Programs that somebody built with nvcc themselves: those that run here, and those that are told how to be
// built. Where there is no nvcc, nothing is tried.
#include "base/text.h"
#include "command.h"
#include "device/program_build.h"

using namespace command;
using namespace warpbook;

namespace {

const std::string source = R"(#include <cstdio>
__device__ int twice(int x) { return 2 * x; }
__global__ void fill(int* out) { out[threadIdx.x] = twice(threadIdx.x); }
int main() {
  int host[32] = {}, *d = nullptr;
  cudaMalloc(&d, sizeof host);
  fill<<<1, 32>>>(d);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    printf("%s\n", cudaGetErrorName(error));
    return 1;
  }
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host[31]);
  cudaFree(d);
}
)";

/// Built as a user builds it; empty when there is no nvcc, or it cannot link (NVIDIA's wheels do not).
std::string built(const std::string& name, const std::vector<std::string>& options) {
  const ToolkitPlace place = find_toolkit();
  if (!place.missing.empty() || !find_runtime_folder()) {
    WARN(place.missing);
    return {};
  }
  const std::string file = write("binaries/mine.cu", source),
                    program = (folder() / "binaries" / name).string();
  std::vector<std::string> command = {place.nvcc, "-ccbin", place.host_compiler, "-g", file, "-o", program};
  command.insert(command.end(), options.begin(), options.end());
  const auto ran = run_child(command, {}, std::chrono::seconds(200));
  if (!ran || ran->exit_code != 0) {
    WARN("nvcc does not link here: " << (ran ? ran->err : std::string()));
    return {};
  }
  return program;
}

json run_binary(const std::string& program, int exit_code) {
  const auto ran = run_warpbook({"run", program, "--json"});
  INFO(ran.out.substr(0, 3000) << ran.err);
  CHECK(ran.exit_code == exit_code);
  const json result = json::parse(ran.out, nullptr, false);
  return result.is_object() ? result : json::object();
}

/// The first diagnosis and its hint, as one text.
std::string words(const json& result) {
  if (!result.contains("diagnostics") || result["diagnostics"].empty()) return {};
  const json& first = result["diagnostics"][0];
  return first.value("message", "") + " " +
         (first["hint"].is_string() ? first["hint"].get<std::string>() : "");
}

}  // namespace

TEST_CASE("a program that the user built with a shared runtime runs, with the lines of its calls") {
  const std::string program =
      built("shared", {"-cudart", "shared", "-gencode", "arch=compute_80,code=compute_80"});
  if (program.empty()) return;
  const json result = run_binary(program, 0);
  CHECK(result["program"]["stdout"] == "62\n");
  REQUIRE(result["tape"].size() >= 4);
  CHECK(result["tape"][0]["call"] == "cudaMalloc");
  CHECK(result["tape"][0]["line"] == 6);
  CHECK(result["tape"][1]["line"] == 7);
}

TEST_CASE("a program with NVIDIA's runtime inside is told how to be built") {
  const std::string program = built("static", {"-arch=compute_80"});
  if (program.empty()) return;
  const auto ran = run_warpbook({"run", program});
  CHECK(ran.exit_code == 4);
  CHECK(ran.err.find("-cudart shared") != std::string::npos);
}

TEST_CASE("machine code without PTX, packed and relocatable device code are told by name") {
  struct Case {
    const char* name;
    std::vector<std::string> options;
    const char* message;
  };
  for (const Case& one :
       {Case{"cubin", {"-gencode", "arch=compute_80,code=sm_80"}, "machine code only (sm_80)"},
        Case{"packed",
             {"-gencode", "arch=compute_80,code=compute_80", "--compress-mode=speed"},
             "--compress-mode=none"},
        Case{"linked", {"-rdc=true", "-gencode", "arch=compute_80,code=compute_80"}, "-rdc=true"}}) {
    std::vector<std::string> options = one.options;
    options.insert(options.end(), {"-cudart", "shared"});
    const std::string program = built(one.name, options);
    if (program.empty()) return;
    const json result = run_binary(program, 1);
    INFO(one.name << ": " << result.dump(1).substr(0, 3000));
    CHECK(words(result).find(one.message) != std::string::npos);
  }
}

TEST_CASE("a program of several files with headers elsewhere") {
  if (!find_toolkit().missing.empty() || !find_runtime_folder()) return;
  write("several/include/answer.h", "#pragma once\nint more(int x);\nvoid launch(int* out);\n");
  const std::string first =
      write("several/first.cu",
            "#include <cstdio>\n#include \"answer.h\"\n"
            "int main() {\n  int* d, h = 0;\n  cudaMalloc(&d, 4);\n  launch(d);\n"
            "  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n  printf(\"%d\\n\", more(h));\n"
            "  cudaFree(d);\n}\n");
  const std::string second = write("several/second.cu",
                                   "#include \"answer.h\"\n__global__ void set(int* out) { *out = 40; }\n"
                                   "void launch(int* out) { set<<<1, 1>>>(out); }\n");
  const std::string third =
      write("several/third.cpp", "#include \"answer.h\"\nint more(int x) { return x + 2; }\n");
  const auto ran = run_warpbook(
      {"run", first, second, third, "--include", (folder() / "several/include").string(), "--json"}, {}, 300);
  INFO(ran.out.substr(0, 3000) << ran.err);
  CHECK(ran.exit_code == 0);
  const json result = json::parse(ran.out, nullptr, false);
  REQUIRE(result.is_object());
  CHECK(result["program"]["stdout"] == "42\n");
  const auto launch = std::find_if(result["tape"].begin(), result["tape"].end(),
                                   [](const json& row) { return !row["launch"].is_null(); });
  REQUIRE(launch != result["tape"].end());
  CHECK((*launch)["line"] == 3);
  CHECK((*launch)["file"].get<std::string>().find("second.cu") != std::string::npos);
}

TEST_CASE("a program with --device cuda and no GPU gives one message and exit 4") {
  const std::string file = write("binaries/mine.cu", source);
  setenv("WARPBOOK_CUDA_DRIVER", "none", 1);
  const auto ran = run_warpbook({"run", file, "--device", "cuda"});
  CHECK(ran.exit_code == 4);
  CHECK(ran.err.find("no usable GPU") != std::string::npos);
  CHECK(ran.out.empty());
}
