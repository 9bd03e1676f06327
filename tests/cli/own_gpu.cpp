// A machine's own GPU adds its row, with what its driver tells: here the stand-in driver.
#include "command.h"
#include "device/standin.h"

using namespace command;
using warpbook::Setting;
using warpbook::standin_path;

namespace {

constexpr const char* name = "Stand-in GPU 0";

}  // namespace

TEST_CASE("own GPU: devices lists its row, occupancy knows it, and nothing does without a driver") {
  const std::vector<std::string> question = {"occupancy", "--gpu",    name, "--block",   "1024", "--regs",
                                             "32",        "--static", "0",  "--dynamic", "0",    "--json"};
  {
    const Setting none("WARPBOOK_CUDA_DRIVER", "none");
    CHECK(run_warpbook(question).exit_code == 4);
  }
  const Setting driver("WARPBOOK_CUDA_DRIVER", standin_path());
  bool listed = false;
  const json devices = object_of(run_warpbook({"devices", "--json"}));
  for (const json& row : devices["rows"]) listed = listed || (row["name"] == name && row["compute"] == "9.0");
  CHECK(listed);
  const json answer = object_of(run_warpbook(question));
  CHECK(answer["active_blocks"] == 2);
  const auto unknown = run_warpbook(
      {"occupancy", "--gpu", "No Such", "--block", "256", "--regs", "32", "--static", "0", "--dynamic", "0"});
  CHECK(unknown.exit_code == 4);
  CHECK(unknown.err.find(name) != std::string::npos);
}

TEST_CASE("own GPU: a run is measured and modelled on it, and sweeps take it") {
  const Setting driver("WARPBOOK_CUDA_DRIVER", standin_path());
  if (!can_compile()) return;
  const std::string file = write("own_gpu.cu", add_one);
  const json ran = object_of(run_warpbook({"run", file, "--json"}));
  CHECK(ran["engine"] == name);
  const double measured = ran["time"]["kernel_ms"].get<double>() * 1000;
  const double modelled = ran["gpu"]["modelled_us"].get<double>();
  CHECK(modelled > 0);
  CHECK(ran["gpu"]["modelled_over_measured"].get<double>() == Approx(modelled / measured));
  const json chosen = object_of(run_warpbook({"run", file, "--gpu", name, "--json"}));
  CHECK(chosen["modelled"]["gpu"] == name);
  CHECK(chosen["modelled"]["sms"] == 4);
  CHECK(run_warpbook({"run", file}).out.find("on the Stand-in GPU 0 itself: measured ") != std::string::npos);
  const json emulated = object_of(run_warpbook({"run", file, "--device", "emulated", "--json"}));
  CHECK(emulated["gpu"].is_null());
  const json swept = object_of(
      run_warpbook({"sweep", file, "--over", "block=32,64", "--gpu", std::string("T4,") + name, "--json"}));
  CHECK(swept["points"][1]["gpu"] == name);
  CHECK(swept["points"][1]["modelled"]["us"] > 0);
}

TEST_CASE("own GPU: the app offers it, and sets the measured time beside the modelled one") {
  const Setting driver("WARPBOOK_CUDA_DRIVER", standin_path());
  if (!can_compile()) return;
  const std::string script = write("own_gpu.json", R"([
    {"wait": "idle"},
    {"expect": {"mark": "lab.beside"}},
    {"click": "contents.settings"},
    {"wait": "idle"},
    {"click": "settings.gpu"},
    {"wait": 3},
    {"expect": {"mark": "settings.gpu.Stand-in GPU 0", "text": "Stand-in GPU 0"}}
  ])");
  const auto ran = run_warpbook(
      {"--headless", "--device", "cuda", "--gpu", name, "--lesson", "02-hello-grid", "--script", script});
  if (ran.exit_code == 4 && ran.err.find("EGL") != std::string::npos) {
    WARN("skipped: nothing can be drawn here");
    return;
  }
  INFO(ran.err << ran.out);
  CHECK(ran.exit_code == 0);
}
