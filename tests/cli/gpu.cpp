// The program with and without a GPU, seen through the stand-in driver: devices, run, conform.
#include <chrono>

#include "command.h"
#include "device/standin.h"

using namespace command;
using warpbook::Setting;
using warpbook::standin_path;

namespace {

const char* const kernel =
    "// launch: grid=(4,1,1) block=(64,1,1)\n"
    "// args: out=buf:f32[256]:zeros; in=buf:f32[256]:iota; n=i32:256\n"
    "extern \"C\" __global__ void twice(float* out, const float* in, int n)\n{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out[i] = 2.0f * in[i];\n}\n";

json parsed(const ChildOutput& ran) {
  INFO(ran.out << ran.err);
  return json::parse(ran.out);
}

}  // namespace

TEST_CASE("devices tells of each GPU what it is, what is available and why not") {
  const Setting driver("WARPBOOK_CUDA_DRIVER", standin_path()), two("STANDIN_DEVICES", "2");
  const auto ran = run_warpbook({"devices", "--json"});
  CHECK(ran.exit_code == 0);
  const json told = parsed(ran);
  REQUIRE(told["gpus"].size() == 2);
  const json& gpu = told["gpus"][1];
  CHECK(gpu["name"] == "Stand-in GPU 1");
  CHECK(gpu["number"] == 1);
  CHECK(gpu["uuid"].get<std::string>().substr(0, 12) == "GPU-20212223");
  CHECK(gpu["compute"] == "9.0");
  CHECK(gpu["cuda"] == "13.0");
  CHECK(gpu["interop"]["available"] == true);
  CHECK(gpu["interop"]["why_not"].is_null());
  CHECK(gpu["counters"]["available"] == false);
  CHECK(gpu["counters"]["why_not"].is_string());
  CHECK(gpu["attributes"]["l2_bytes"] == 1 << 20);
  CHECK(run_warpbook({"devices"}).out.find("pictures without a copy: yes") != std::string::npos);
}

TEST_CASE("run chooses the engine: auto takes a GPU that is there, cuda insists, emulated never") {
  const std::string file = write("twice.cu", kernel);
  {
    const Setting none("WARPBOOK_CUDA_DRIVER", "none");
    const auto insisted = run_warpbook({"run", file, "--device", "cuda", "--json"});
    CHECK(insisted.exit_code == 4);
    CHECK(insisted.out.find("No NVIDIA driver is installed") != std::string::npos);
    const auto without = run_warpbook({"run", file, "--device", "auto", "--json"});
    if (without.exit_code == 4) {
      WARN("no NVRTC here");
      return;
    }
    CHECK(parsed(without)["engine"] == "emulator");
    CHECK(parsed(without)["gpu"].is_null());
    const auto conform = run_warpbook({"conform", "--json"});
    CHECK(conform.exit_code == 4);
    CHECK(conform.out.find("no usable GPU") != std::string::npos);
  }
  const Setting driver("WARPBOOK_CUDA_DRIVER", standin_path()), two("STANDIN_DEVICES", "2");
  const json automatic = parsed(run_warpbook({"run", file, "--json"}));
  CHECK(automatic["engine"] == "Stand-in GPU 0");
  CHECK(automatic["gpu"]["own_process"] == true);
  CHECK(automatic["gpu"]["same_as_emulator"] == true);
  CHECK(automatic["time"]["stamp"] == "measured (Stand-in GPU 0)");
  CHECK(automatic["gpu"]["measured"]["repeats"].get<int>() > 1);
  const json second = parsed(run_warpbook({"run", file, "--device", "cuda:1", "--cold-l2", "--json"}));
  CHECK(second["engine"] == "Stand-in GPU 1");
  CHECK(second["gpu"]["measured"]["cold_l2"] == true);
  CHECK(parsed(run_warpbook({"run", file, "--device", "emulated", "--json"}))["engine"] == "emulator");
  CHECK(run_warpbook({"run", file, "--device", "cuda:7"}).exit_code == 4);
}

TEST_CASE("conform exits 0 when all agree and 1 at the first wrong bit") {
  const Setting driver("WARPBOOK_CUDA_DRIVER", standin_path());
  const auto good = run_warpbook({"conform", "--generated", "3", "--no-lessons", "--json"});
  CHECK(good.exit_code == 0);
  const json report = parsed(good);
  CHECK(report["passed"] == true);
  CHECK(report["counts"]["different"] == 0);
  CHECK(report["counts"]["same"].get<int>() > 150);
  const Setting corrupt("STANDIN_CORRUPT", "k");
  const auto bad = run_warpbook({"conform", "--generated", "2", "--no-lessons", "--no-instructions"});
  CHECK(bad.exit_code == 1);
  CHECK(bad.out.find("different: generated seed") != std::string::npos);
}

TEST_CASE("an answer is also run on the GPU when that is asked for") {
  const Setting driver("WARPBOOK_CUDA_DRIVER", standin_path());
  if (!can_compile()) return;
  const std::string solution =
      std::string(WARPBOOK_SOURCE_DIR) + "/kernels/02-hello-grid/cover-all/solution.cu";
  const std::vector<std::string> check = {"check", "02-hello-grid/cover-all", solution, "--format", "json"};
  const auto with = [&](const char* device) {
    auto words = check;
    words.insert(words.end(), {"--device", device});
    return run_warpbook(words);
  };
  CHECK(with("emulated").out.find("\"gpu\"") == std::string::npos);
  const auto passed = with("cuda");
  CHECK(passed.exit_code == 0);
  CHECK(passed.out.find("The same results on the Stand-in GPU 0") != std::string::npos);
  const Setting corrupt("STANDIN_CORRUPT", "write_index");
  const auto wrong = with("cuda");
  INFO(wrong.out);
  CHECK(wrong.exit_code == 1);
  CHECK(wrong.out.find("On the GPU ") != std::string::npos);
}

TEST_CASE("a GPU is measured with kernels that are checked first, down to an empty one") {
  const Setting driver("WARPBOOK_CUDA_DRIVER", standin_path());
  if (!can_compile()) return;
  const auto ran = run_warpbook({"bench", "--device", "cuda", "--group", "micro", "--small", "--json"});
  CHECK(ran.exit_code == 0);
  const json told = object_of(ran);
  CHECK(told["device"] == "Stand-in GPU 0");
  CHECK(told["results"].size() > 60);
  for (const json& row : told["results"]) {
    INFO(row.dump());
    CHECK(row["trouble"].is_null());
  }
}
