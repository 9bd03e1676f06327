// Adding a GPU is adding a row: one that does not exist shows up in every command, and in the app's settings
// and pictures.
#include "command.h"

using namespace command;

namespace {

constexpr const char* name = "Made Up 7000";

/// A root like the source tree's, whose table has one row more: an RTX 4090 with 12 SMs.
const Path& root() {
  static const Path made = [] {
    const Path source = WARPBOOK_SOURCE_DIR, there = folder() / "made-up-root";
    std::filesystem::create_directories(there / "assets");
    for (const char* part : {"lessons", "kernels", "quizzes"})
      std::filesystem::create_directory_symlink(source / part, there / part);
    for (const auto& entry : std::filesystem::directory_iterator(source / "assets"))
      if (entry.path().filename() != "gpus.json")
        std::filesystem::create_symlink(entry.path(), there / "assets" / entry.path().filename());
    nlohmann::ordered_json table = nlohmann::ordered_json::parse(read(source / "assets" / "gpus.json"));
    for (const auto& row : table["gpus"]) {
      if (row["name"] != "RTX 4090") continue;
      auto copy = row;
      copy["name"] = name;
      copy["figures"]["sms"]["value"] = 12;
      table["gpus"].push_back(copy);
      break;
    }
    write("made-up-root/assets/gpus.json", table.dump(2));
    return there;
  }();
  return made;
}

}  // namespace

TEST_CASE("made-up GPU: devices, occupancy and an unknown name list it") {
  const auto devices = run_warpbook({"devices", "--root", root().string()});
  CHECK(devices.out.find(name) != std::string::npos);
  const json occupancy =
      object_of(run_warpbook({"occupancy", "--gpu", name, "--block", "256", "--regs", "32", "--static", "0",
                              "--dynamic", "0", "--json", "--root", root().string()}));
  CHECK(occupancy["active_blocks"] == 6);  // 48 warps a multiprocessor, as on the RTX 4090
  const auto unknown = run_warpbook({"occupancy", "--gpu", "No Such", "--block", "256", "--regs", "32",
                                     "--static", "0", "--dynamic", "0", "--root", root().string()});
  CHECK(unknown.exit_code == 4);
  CHECK(unknown.err.find(name) != std::string::npos);
}

TEST_CASE("made-up GPU: runs and sweeps model their time on it") {
  if (!can_compile()) return;
  const std::string file = write("made_up.cu", add_one);
  const json ran = object_of(run_warpbook({"run", file, "--gpu", name, "--json", "--root", root().string()}));
  CHECK(ran["modelled"]["gpu"] == name);
  const json swept =
      object_of(run_warpbook({"sweep", file, "--over", "block=32,64", "--gpu", std::string("T4,") + name,
                              "--json", "--root", root().string()}));
  CHECK(swept["points"][1]["gpu"] == name);
  CHECK(swept["points"][1]["modelled"]["us"] > 0);
}

TEST_CASE("made-up GPU: the app offers it in its settings") {
  const std::string script = write("made_up.json", R"([
    {"click": "contents.settings"},
    {"wait": "idle"},
    {"click": "settings.gpu"},
    {"wait": 3},
    {"click": "settings.gpu.Made Up 7000"},
    {"wait": 3},
    {"expect": {"mark": "settings.gpu", "text": "Made Up 7000"}}
  ])");
  const auto ran = run_warpbook(
      {"--headless", "--root", root().string(), "--lesson", "02-hello-grid", "--script", script});
  if (ran.exit_code == 4 && ran.err.find("EGL") != std::string::npos) {
    WARN("skipped: nothing can be drawn here");
    return;
  }
  INFO(ran.err << ran.out);
  CHECK(ran.exit_code == 0);
}
