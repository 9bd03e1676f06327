// The rooms of app/ and who may know whom (CONTRIBUTING, "The rooms"): read off the include lines of every
// file.
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "catch.h"

using namespace warpbook;

namespace {

const Path app = Path(WARPBOOK_SOURCE_DIR) / "app";

const std::map<std::string, std::set<std::string>> may_use = {
    {"base", {}},
    {"result", {"base"}},
    {"simt", {"base", "result"}},
    {"device", {"base", "result", "simt"}},
    {"model", {"base", "result"}},
    {"lesson", {"base"}},
    {"lab", {"base", "result", "device", "model", "lesson", "simt"}},  // simt: through device.h's own types
    {"view", {"base", "result"}},
    {"ui", {"base", "result", "view", "lab", "lesson", "model"}},
    {"platform", {"base", "result"}},
    {"cudart", {"base", "result", "device", "model"}},
    {"cli", {"base", "result", "lab", "lesson", "model", "device"}},
};

struct Include {
  Path file;  ///< relative to app/
  int line;
  std::string target;
};

std::string room_of(const Path& relative) { return relative.begin()->string(); }

std::vector<Include> includes_of(const Path& file) {
  std::vector<Include> found;
  auto text = read_file(file);
  REQUIRE(text.ok());
  int number = 0;
  for (std::string_view line : lines_of(*text)) {
    ++number;
    line = trim(line);
    if (!starts_with(line, "#include")) continue;
    size_t open = line.find_first_of("<\""), close = line.find_last_of(">\"");
    if (open == std::string_view::npos || close <= open) continue;
    found.push_back(
        {file.lexically_relative(app), number, std::string(line.substr(open + 1, close - open - 1))});
  }
  return found;
}

std::vector<Include> all_includes() {
  std::vector<Include> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(app)) {
    std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    for (Include& include : includes_of(entry.path())) all.push_back(std::move(include));
  }
  return all;
}

/// Empty when the include is allowed, else why it is not.
std::string objection(const Include& include) {
  const std::string room = room_of(include.file);
  const bool header = include.file.extension() == ".h";
  if (room == "main.cpp") return {};
  const std::string& to = include.target;
  if (to == "imgui.h" || starts_with(to, "imgui_internal") || starts_with(to, "backends/imgui")) {
    if (room != "view" && room != "ui" && room != "platform") return "imgui belongs to view, ui and platform";
  }
  if (to == "nlohmann/json.hpp") {
    if (header) return "json.hpp is too heavy for a header";
    if (room == "simt" || room == "result" || room == "view") return room + " knows no JSON";
  }
  if (to == "dlfcn.h" && room != "base" && room != "device" && room != "cudart") {
    return "loading libraries belongs to base, device and cudart";
  }
  size_t slash = to.find('/');
  if (slash == std::string::npos) return {};
  std::string target_room = to.substr(0, slash);
  if (!may_use.count(target_room) || target_room == room) return {};
  if (!std::filesystem::exists(app / to)) return {};  // a system header that is named alike
  if (!may_use.count(room)) return "an unknown room: add it to the table";
  if (!may_use.at(room).count(target_room)) return room + " may not know " + target_room;
  return {};
}

}  // namespace

TEST_CASE("no include goes where it must not") {
  std::vector<Include> all = all_includes();
  REQUIRE(all.size() > 200);
  for (const Include& include : all) {
    INFO("app/" << include.file.string() << ":" << include.line << " includes " << include.target << ": "
                << objection(include));
    CHECK(objection(include).empty());
  }
}

TEST_CASE("the include test sees an include that must not be") {
  CHECK_FALSE(objection({"simt/memory.cpp", 1, "device/device.h"}).empty());
  CHECK_FALSE(objection({"base/text.h", 1, "nlohmann/json.hpp"}).empty());
  CHECK_FALSE(objection({"view/view.cpp", 1, "nlohmann/json.hpp"}).empty());
  CHECK_FALSE(objection({"lab/run.cpp", 1, "imgui.h"}).empty());
  CHECK_FALSE(objection({"ui/page.cpp", 1, "dlfcn.h"}).empty());
  CHECK_FALSE(objection({"view/view.cpp", 1, "lab/run.h"}).empty());
  CHECK(objection({"lab/run.cpp", 1, "nlohmann/json.hpp"}).empty());
}
