// Scripts: what they may say, and how they fail.
#include "ui/script.h"

#include "catch.h"
#include "gui.h"
#include "ui/widgets.h"

using namespace warpbook;
using namespace warpbook::ui;

namespace {

std::string problem_of(const std::string& json) {
  const auto steps = parse_script(json, "s.json");
  return steps ? std::string() : to_string(steps.error());
}

ScriptActions no_actions() {
  return {[](const std::string&) { return false; },
          [](const std::string&, int64_t) { return false; },
          [](const std::string&) {},
          [](const std::string&) {},
          [] { return std::optional<double>(); },
          [] { return 0.0; },
          [](const std::string&) {}};
}

}  // namespace

TEST_CASE("a script with every step parses") {
  const auto steps =
      parse_script(R"({"steps": [{"open": "x"}, {"click": "a", "at": [0.1, 0.9]}, {"double_click": "a"},
    {"hover": "a"}, {"set": {"control": "n", "value": 3}}, {"type": "x"}, {"key": "Ctrl+Shift+K"}, {"scroll": "a"},
    {"wheel": -2}, {"wait": "idle"}, {"wait": 3}, {"expect": {"mark": "a", "text": "b"}}, {"screenshot": "a.png"},
    {"theme": "dark"}, {"drag": [-30, 12.5]}]})",
                   "s.json");
  REQUIRE(steps.ok());
  REQUIRE(steps->size() == 15);
  CHECK((*steps)[1].y == Approx(0.9));
  CHECK((*steps)[6].modifiers == Modifiers{true, true, false});
  CHECK(int((*steps)[6].key) == 'K');
  CHECK((*steps)[14].x == Approx(-30));
}

TEST_CASE("broken scripts say where and what") {
  CHECK(problem_of("{\"steps\": [\n  {\"click\": }]}").find("s.json:2:") == 0);
  CHECK(problem_of("{}").find("steps") != std::string::npos);
  CHECK(problem_of(R"([{"clik": "a"}])").find("did you mean \"click\"") != std::string::npos);
  CHECK(problem_of(R"([{"wait": 1}, {"click": 7}])").find("step 2") != std::string::npos);
  CHECK(problem_of(R"([{"key": "Hyper+X"}])").find("Hyper") != std::string::npos);
  CHECK(problem_of(R"([{"key": "Ctrl+Nothing"}])").find("Nothing") != std::string::npos);
  CHECK(problem_of(R"([{"expect": {}}])").find("expect") != std::string::npos);
  CHECK(problem_of(R"([{"set": {"control": "n"}}])").find("set") != std::string::npos);
  CHECK(problem_of(R"([{"theme": "pink"}])").find("light or dark") != std::string::npos);
  CHECK(problem_of(R"([{"drag": [1]}])").find("two numbers") != std::string::npos);
  CHECK(problem_of(R"([17])").find("step 1") != std::string::npos);
}

TEST_CASE("keys have names") {
  CHECK(parse_key("F5").value().first == Key(int(Key::f1) + 4));
  CHECK(parse_key("alt+Left").value().second.alt);
  CHECK_FALSE(parse_key("F13").ok());
  CHECK_FALSE(parse_key("").ok());
}

TEST_CASE("the driver clicks a widget by its name") {
  Gui gui;
  int clicks = 0;
  const auto draw = [&] {
    if (button(gui.look, "run", "Run")) ++clicks;
  };
  ScriptDriver driver(*parse_script(R"([{"click": "run"}, {"expect": {"mark": "run", "text": "Run"}}])", "s"),
                      no_actions());
  for (int i = 0; i < 60 && !driver.finished(); ++i) {
    driver.before_frame(gui.input, gui.look.marks, true);
    gui.frame(draw);
  }
  CHECK(driver.failure() == "");
  CHECK(clicks == 1);
}

TEST_CASE("a widget below the fold is scrolled into sight before the click") {
  Gui gui;
  int clicks = 0;
  const auto draw = [&] {
    begin_region("list", 400, 300);
    ImGui::Dummy(ImVec2(10, 2000));
    if (button(gui.look, "deep", "Deep")) ++clicks;
    end_region();
  };
  ScriptDriver driver(*parse_script(R"([{"click": "deep"}])", "s"), no_actions());
  for (int i = 0; i < 60 && !driver.finished(); ++i) {
    driver.before_frame(gui.input, gui.look.marks, true);
    gui.frame(draw);
  }
  CHECK(driver.failure() == "");
  CHECK(clicks == 1);
}

TEST_CASE("what is missing, disabled or says something else fails the script with its step") {
  Gui gui;
  const auto draw = [&] {
    button(gui.look, "run", "Run");
    button(gui.look, "off", "Off", ButtonKind::plain, false);
  };
  const auto failure_of = [&](const std::string& json) {
    ScriptDriver driver(*parse_script(json, "s"), no_actions());
    for (int i = 0; i < 400 && !driver.finished(); ++i) {
      driver.before_frame(gui.input, gui.look.marks, true);
      gui.frame(draw);
    }
    return driver.failure();
  };
  CHECK(failure_of(R"([{"click": "rum"}])").find("did you mean run") != std::string::npos);
  CHECK(failure_of(R"([{"wait": 1}, {"click": "off"}])").find("step 2: off is not enabled") == 0);
  CHECK(failure_of(R"([{"expect": {"mark": "run", "text": "Stop"}}])").find("it says: Run") !=
        std::string::npos);
  CHECK(failure_of(R"([{"expect": {"mark": "run", "absent": true}}])").find("it is there") !=
        std::string::npos);
  CHECK(failure_of(R"([{"open": "99-none"}])").find("99-none") != std::string::npos);
}
