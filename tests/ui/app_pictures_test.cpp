// Pictures of the whole app: those that it draws by a GPU, those that it keeps for the learner, and whole
// pages against recorded ones.
#include "app_fixture.h"
#include "device/standin.h"
#include "golden.h"

using namespace warpbook::ui;

namespace {

void same_as_recorded(const Path& file, const std::string& name) {
  const Result<Picture> picture = read_picture(file);
  REQUIRE(picture.ok());
  auto surface = platform::make_surface({true, 8, 8, 1, "", {}});
  REQUIRE(surface.ok());
  const GoldenResult result = against_golden(Path(WARPBOOK_SOURCE_DIR) / "tests" / "golden",
                                             WARPBOOK_BINARY_DIR, name, *picture, (*surface)->renderer());
  INFO(result.message);
  CHECK(result.outcome != GoldenOutcome::different);
}

}  // namespace

TEST_CASE("with a GPU a lesson's picture is right by every way, and the settings choose among GPUs") {
  App app;
  if (!app.usable()) return;
  const std::string report = app.file("standin.txt").string();
  const Setting driver("WARPBOOK_CUDA_DRIVER", standin_path()), two("STANDIN_DEVICES", "2"),
      kept("STANDIN_REPORT", report);
  const std::string straight = app.file("straight.png").string(), copied = app.file("copied.png").string();
  const std::string steps =
      R"json({"wait": "idle"}, {"expect": {"mark": "bar.engine", "text": "Stand-in GPU 0"}},
    {"expect": {"mark": "picture.way.words", "text": "Drawn on the GPU in"}},
    {"export": ")json" +
      straight + R"json("}, {"click": "picture.way.Through the host"}, {"wait": 3},
    {"expect": {"mark": "picture.way.words", "text": "Copied through the host in"}},
    {"export": ")json" +
      copied + R"json("}, {"set": {"control": "w", "value": 160}}, {"wait": "idle"},
    {"expect": {"mark": "picture.way.words", "text": "Copied"}}, {"click": "picture.way.On the GPU"}, {"wait": 3},
    {"expect": {"mark": "picture.way.words", "text": "Drawn on the GPU in"}},
    {"click": "bar.settings"}, {"wait": 3}, {"click": "settings.engine"}, {"wait": 3}, {"click": "settings.engine.3"},
    {"wait": "idle"}, {"expect": {"mark": "bar.engine", "text": "Stand-in GPU 1"}},
    {"open": "07-mandelbrot"}, {"wait": "idle"}, {"expect": {"mark": "picture.way.words", "text": "Drawn on the GPU in"}})json";
  const ChildOutput out = app.run(steps, {"--lesson", "07-mandelbrot"});
  INFO(out.err);
  REQUIRE(out.exit_code == 0);
  same_as_recorded(straight, "picture-on-gpu");
  same_as_recorded(copied, "picture-on-gpu");
  CHECK(text_of(report) == "");  // no misuse, nothing left behind
  const Result<std::string> settings = read_file(app.file("home/config/settings.json"));
  REQUIRE(settings.ok());
  CHECK(settings->find("cuda:GPU-") != std::string::npos);

  // Refused, and failing in the middle: the same picture, with the reason.
  for (const auto& [name, value, words] :
       {std::tuple("STANDIN_GL", "none", "not drawn by an NVIDIA GPU"),
        std::tuple("STANDIN_FAIL", "cuGraphicsMapResources:2:999", "OpenGL")}) {
    const Setting trouble(name, value);
    const std::string picture = app.file(std::string(name) + ".png").string();
    const ChildOutput refused = app.run(
        R"json({"wait": "idle"}, {"expect": {"mark": "picture.way.words", "text": "Copied through the host"}},
    {"expect": {"mark": "picture.way.words", "text": ")json" +
            std::string(words) + R"json("}},
    {"export": ")json" +
            picture + R"json("})json",
        {"--lesson", "07-mandelbrot", "--device", "cuda:0"});
    INFO(refused.err);
    CHECK(refused.exit_code == 0);
    same_as_recorded(picture, "picture-on-gpu");
  }
}

TEST_CASE("with a GPU a matrix product's result is coloured there, live, and is right by every way") {
  App app;
  if (!app.usable()) return;
  const std::string report = app.file("standin.txt").string();
  const Setting driver("WARPBOOK_CUDA_DRIVER", standin_path()), kept("STANDIN_REPORT", report);
  const std::string straight = app.file("straight.png").string(), copied = app.file("copied.png").string(),
                    host = app.file("host.png").string();
  const ChildOutput out = app.run(
      R"json({"wait": "idle"}, {"click": "view.Result"}, {"wait": 3}, {"set": {"control": "n", "value": 60}}, {"wait": "idle"},
    {"expect": {"mark": "bar.engine", "text": "Stand-in GPU 0"}},
    {"expect": {"mark": "picture.way.words", "text": "Drawn on the GPU in"}}, {"export": ")json" +
          straight + R"json("}, {"click": "picture.way.Through the host"}, {"wait": 3},
    {"expect": {"mark": "picture.way.words", "text": "Copied through the host in"}}, {"export": ")json" +
          copied + R"json("})json",
      {"--lesson", "17-matmul"});
  INFO(out.err);
  REQUIRE(out.exit_code == 0);
  same_as_recorded(straight, "product-on-gpu");
  same_as_recorded(copied, "product-on-gpu");
  CHECK(text_of(report) == "");

  const Setting trouble("STANDIN_GL", "none");
  const ChildOutput refused = app.run(
      R"json({"wait": "idle"}, {"click": "view.Result"}, {"wait": 3}, {"set": {"control": "n", "value": 60}}, {"wait": "idle"},
    {"expect": {"mark": "picture.way.words", "text": "not drawn by an NVIDIA GPU"}}, {"export": ")json" +
          host + R"json("})json",
      {"--lesson", "17-matmul", "--device", "cuda:0"});
  INFO(refused.err);
  CHECK(refused.exit_code == 0);
  same_as_recorded(host, "product-on-gpu");
}

TEST_CASE("a view is kept as a picture of what is seen and as a table, by button, by key and by script") {
  App app;
  if (!app.usable()) return;
  const std::string picture = app.file("v.png").string(), table = app.file("v.csv").string();
  const ChildOutput out =
      app.run(R"json({"wait": "idle"}, {"export": ")json" + picture + R"json("}, {"export": ")json" + table +
                  R"json("}, {"click": "export.numbers"}, {"wait": "idle"},
    {"expect": {"mark": "notice", "text": "Saved as"}}, {"key": "Ctrl+E"}, {"wait": "idle"},
    {"expect": {"mark": "notice", "text": "cover-threads.png"}}, {"click": "view.Edit"}, {"wait": 2}, {"key": "Ctrl+E"},
    {"wait": 2}, {"expect": {"mark": "notice", "text": "no picture to save"}})json",
              {"--lesson", "02-hello-grid"});
  INFO(out.err);
  REQUIRE(out.exit_code == 0);
  const Result<Picture> kept = read_picture(picture);
  REQUIRE(kept.ok());
  CHECK(kept->width > 300);
  CHECK(kept->height > 200);
  const Result<std::string> numbers = read_file(table);
  REQUIRE(numbers.ok());
  CHECK(numbers->find("element,times_written,last_thread\n0,1,0\n") == 0);
  const Path folder = app.file("home/data/exports");
  CHECK(text_of(folder / "02-hello-grid-cover-threads.csv") == *numbers);
  CHECK(read_picture(folder / "02-hello-grid-cover-threads.png").ok());
}

TEST_CASE("an export that cannot be written is told with its reason") {
  App app;
  if (!app.usable()) return;
  fs::create_directories(app.file("home/data"));
  REQUIRE(write_file(app.file("home/data/exports"), "a file where the folder should be").ok());
  const ChildOutput out = app.run(R"json({"wait": "idle"}, {"click": "export.picture"}, {"wait": "idle"},
    {"expect": {"mark": "notice", "text": "The picture was not saved"}}, {"click": "export.numbers"}, {"wait": "idle"},
    {"expect": {"mark": "notice", "text": "The table was not saved"}}, {"export": "/dev/full/x.csv"}, {"wait": 2},
    {"expect": {"mark": "notice", "text": "The table was not saved"}})json",
                                  {"--lesson", "02-hello-grid"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("whole pages look as recorded") {
  App app;
  if (!app.usable()) return;
  // Pictures must not depend on a home: without one the app keeps nothing.
  ::unsetenv("WARPBOOK_HOME");
  struct Page {
    const char* name;
    const char* lesson;
    std::vector<std::string> more;
  };
  const Page pages[] = {
      {"page-hello-grid", "02-hello-grid", {"--size", "1280x800", "--theme", "light"}},
      {"page-mandelbrot", "07-mandelbrot", {"--size", "1600x1000", "--theme", "dark"}},
      {"page-matmul", "17-matmul", {"--size", "1280x800", "--theme", "light"}},
      {"page-hello-grid-2x", "02-hello-grid", {"--size", "3200x2000", "--scale", "2", "--theme", "dark"}}};
  const std::string renderer = platform::make_surface({true, 8, 8, 1, "", {}}).value()->renderer();
  const Path root = app.root_with({"01-why-gpu", "02-hello-grid", "07-mandelbrot", "17-matmul"});
  for (const Page& page : pages) {
    const Path picture = app.file(std::string(page.name) + ".png");
    std::vector<std::string> arguments = {"--lesson", page.lesson, "--screenshot", picture.string()};
    arguments.insert(arguments.end(), page.more.begin(), page.more.end());
    const ChildOutput out = app.run("", arguments, root);
    INFO(page.name << ": " << out.err);
    REQUIRE(out.exit_code == 0);
    const GoldenResult result =
        against_golden(Path(WARPBOOK_SOURCE_DIR) / "tests" / "golden", WARPBOOK_BINARY_DIR, page.name,
                       read_picture(picture).value(), renderer);
    INFO(result.message);
    if (result.outcome == GoldenOutcome::skipped) WARN(result.message);
    CHECK(result.outcome != GoldenOutcome::different);
  }
}
