// warpbook sweep, as a person runs it.
#include "command.h"

using namespace command;

namespace {

const char* scale =
    "// launch: grid=(64,1,1) block=(128,1,1)\n"
    "// args: out=buf:f32[8192]:zeros; n=i32:8192\n"
    "#ifndef T\n"
    "#define T 1\n"
    "#endif\n"
    "extern \"C\" __global__ void scale(float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = i * T;\n"
    "}\n";

}  // namespace

TEST_CASE("sweep: block sizes, a macro and two GPUs make a point each") {
  if (!can_compile()) return;
  const auto ran = run_warpbook({"sweep", write("sweep.cu", scale), "--over", "block=64,2048", "--define",
                                 "T=1,2", "--gpu", "T4,RTX 4090", "--json"});
  INFO(ran.err);
  CHECK(ran.exit_code == 0);
  const json out = json::parse(ran.out);
  CHECK(out["complete"] == true);
  REQUIRE(out["points"].size() == 8);
  const json& first = out["points"][0];
  CHECK(first["setting"] == json{{"block", 64}, {"T", 1}});
  CHECK(first["launch"]["grid"][0] == 128);
  CHECK(first["gpu"] == "T4");
  CHECK(first["modelled"]["us"] > 1);
  CHECK(out["points"][1]["gpu"] == "RTX 4090");
  const json& refused = out["points"][4];  // a block of 2,048
  CHECK(refused["status"] == "launch-error");
  CHECK(refused["modelled"].is_null());
  CHECK(ran.err.find("4 of 4: block=2048 T=2") != std::string::npos);
}

TEST_CASE("sweep: what means nothing is refused") {
  const std::string file = write("sweep.cu", scale);
  CHECK(run_warpbook({"sweep", file}).exit_code == 4);
  CHECK(run_warpbook({"sweep", file, "--over", "block"}).exit_code == 4);
  CHECK(run_warpbook({"sweep", file, "--over", "block=32", "--gpu", "GTX 1"}).exit_code == 4);
  CHECK(run_warpbook({"sweep", file, "--over", "colour=32"}).exit_code == 4);
  CHECK(run_warpbook({"sweep", "no-such-lesson", "--over", "block=32"}).exit_code == 4);
}

TEST_CASE("sweep: a table of values for a program that reads it") {
  if (!can_compile()) return;
  const auto ran =
      run_warpbook({"sweep", write("sweep.cu", scale), "--over", "block=64..256", "--csv", "--quiet"});
  CHECK(ran.exit_code == 0);
  CHECK(ran.err.empty());
  CHECK(std::count(ran.out.begin(), ran.out.end(), '\n') == 4);
  CHECK(ran.out.find("block,gpu,status") == 0);
}

TEST_CASE("sweep: --png draws the times, and says why where it cannot") {
  if (!can_compile()) return;
  const std::string file = write("sweep.cu", scale), picture = (folder() / "sweep.png").string();
  const auto ran = run_warpbook(
      {"sweep", file, "--over", "block=64..512", "--gpu", "T4,RTX 4090", "--png", picture, "--quiet"});
  if (ran.exit_code != 0 && ran.err.find("EGL") != std::string::npos) {
    WARN("skipped: nothing can be drawn here");
    return;
  }
  INFO(ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(read(picture).substr(1, 3) == "PNG");
  CHECK(read(picture).size() > 5000);
  const auto nothing = run_warpbook(
      {"sweep", file, "--over", "block=2048", "--png", (folder() / "none.png").string(), "--quiet"});
  CHECK(nothing.exit_code != 0);
  CHECK(nothing.err.find("nothing to draw") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder() / "none.png"));
}
