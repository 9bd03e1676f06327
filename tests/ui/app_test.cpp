// What a learner does in each lesson, and what the command line of the app promises, by scripts.
#include "app_fixture.h"
#include "device/toolkit_place.h"

TEST_CASE("past a limit the lab says so in words, refuses the launch and stays editable") {
  App app;
  if (!app.usable()) return;
  const ChildOutput out =
      app.run(R"json({"wait": "idle"}, {"set": {"control": "block.x", "value": 1056}}, {"wait": "idle"},
    {"expect": {"mark": "control.block.x.limit", "text": "1,056 threads; a block holds 1,024."}},
    {"expect": {"mark": "lab.diagnosis.0", "text": "1056"}},
    {"set": {"control": "block.x", "value": 128}}, {"wait": "idle"},
    {"expect": {"mark": "control.block.x.limit", "absent": true}},
    {"expect": {"mark": "lab.diagnosis.0", "absent": true}})json",
              {"--lesson", "02-hello-grid"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("the Mandelbrot picture follows the mouse that took hold of it, and no other drag") {
  App app;
  if (!app.usable()) return;
  const ChildOutput out =
      app.run(R"json({"wait": "idle"}, {"expect": {"mark": "control.cx", "text": "-600000000"}},
    {"hover": "view.area", "at": [0, 0]}, {"drag": [300, 120]}, {"wait": "idle"},
    {"expect": {"mark": "control.cx", "text": "-600000000"}}, {"expect": {"mark": "control.cy", "text": "0"}},
    {"hover": "view.area"}, {"drag": [-40, 0]}, {"wait": "idle"}, {"expect": {"text": "-600000000", "absent": true}},
    {"wheel": 2}, {"wait": "idle"}, {"expect": {"mark": "control.span", "text": "2048000000"}})json",
              {"--lesson", "07-mandelbrot"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("a place below zero can be typed, in the control's own unit") {
  App app;
  if (!app.usable()) return;
  const ChildOutput out =
      app.run(R"json({"wait": "idle"}, {"click": "control.cx"}, {"type": "-0.25"}, {"key": "Enter"},
    {"wait": "idle"}, {"expect": {"mark": "control.cx", "text": "-250000000"}})json",
              {"--lesson", "07-mandelbrot"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("a wrong answer is refuted at its choice, shown on request, and the second wrong one reveals") {
  App app;
  if (!app.usable()) return;
  const ChildOutput out = app.run(R"json({"wait": "idle"},
    {"click": "quiz.order.choice.0"}, {"click": "quiz.order.confidence.0"}, {"click": "quiz.order.answer"},
    {"expect": {"mark": "quiz.order.choice.0.because"}}, {"expect": {"mark": "quiz.order.answer", "text": "Second try"}},
    {"click": "quiz.order.choice.0.show"}, {"wait": "idle"}, {"expect": {"mark": "lab.order", "text": "reverse"}},
    {"click": "quiz.order.choice.2"}, {"click": "quiz.order.answer"}, {"wait": 3},
    {"expect": {"mark": "quiz.order.choice.1.because"}}, {"expect": {"mark": "quiz.order.again"}},
    {"expect": {"mark": "lesson.lanes", "text": "1 of"}})json",
                                  {"--lesson", "02-hello-grid"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("a prediction is compared with the number of the current controls") {
  App app;
  if (!app.usable()) return;
  const ChildOutput out = app.run(R"json({"wait": "idle"}, {"click": "predict.cover.number"}, {"type": "7"},
    {"click": "predict.cover.answer"}, {"expect": {"mark": "predict.cover.verdict", "text": "You said 7, it is 232."}},
    {"expect": {"mark": "predict.cover.because", "text": "768 threads start"}})json",
                                  {"--lesson", "02-hello-grid"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
  // 320 µs, and a tenth more or less is as good.
  const ChildOutput near = app.run(R"json({"wait": "idle"}, {"click": "predict.race.number"}, {"type": "300"},
    {"key": "Enter"}, {"expect": {"mark": "predict.race.verdict", "text": "Near enough: it is 320 µs."}},
    {"expect": {"mark": "predict.race.because"}})json",
                                   {"--lesson", "01-why-gpu"});
  INFO(near.err);
  CHECK(near.exit_code == 0);
}

TEST_CASE("the starter fails with its reason, a right answer passes and is kept as a file") {
  App app;
  if (!app.usable()) return;
  const ChildOutput out =
      app.run(R"json({"wait": "idle"}, {"click": "bench.cover-all"}, {"click": "check.run"}, {"wait": "idle"},
    {"expect": {"mark": "check.headline", "text": "Not yet"}},
    {"click": "editor"}, {"key": "Ctrl+A"},
    {"type": "extern \"C\" __global__ void write_index(int* out, int n)"
}, {"key": "Enter"}, {"type": "{"}, {"key": "Enter"},
    {"type": "int i = blockIdx.x * blockDim.x + threadIdx.x; // não"}, {"key": "Enter"}, {"type": "if (i < n) out[i] = i;"},
    {"key": "Enter"}, {"type": "}"}, {"key": "Ctrl+S"}, {"wait": "idle"},
    {"expect": {"mark": "check.headline", "text": "Passed"}}, {"click": "code.2"}, {"wait": 3},
    {"expect": {"mark": "editor.solution", "text": "write_index"}})json",
              {"--lesson", "02-hello-grid"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
  const Result<std::string> kept = read_file(app.file("home/data/exercises/02-hello-grid/cover-all.cu"));
  REQUIRE(kept.ok());
  CHECK(kept->find("    if (i < n) out[i] = i;\n}") != std::string::npos);
  const Result<std::string> progress = read_file(app.file("home/data/progress.json"));
  REQUIRE(progress.ok());
  CHECK(progress->find("cover-all") != std::string::npos);
}

TEST_CASE("the solution opens after all hints and a reason, not before") {
  App app;
  if (!app.usable()) return;
  const ChildOutput out = app.run(R"json({"wait": "idle"}, {"click": "bench.cover-all"}, {"click": "code.2"},
    {"expect": {"mark": "solution.hint"}}, {"click": "solution.hint"}, {"click": "solution.hint"}, {"click": "solution.hint"},
    {"wait": 3}, {"click": "solution.reason"}, {"type": "I tried one thread for each element."}, {"wait": 2},
    {"click": "solution.show"}, {"wait": 3}, {"expect": {"mark": "editor.solution"}})json",
                                  {"--lesson", "02-hello-grid"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE(
    "a diagnosis opens the block at its moment, which is stepped with the keys and closed with Escape") {
  App app;
  if (!app.usable()) return;
  const ChildOutput out = app.run(
      R"json({"wait": "idle"}, {"click": "variant.1"}, {"wait": "idle"}, {"click": "lab.diagnosis.0"},
    {"wait": "idle"}, {"expect": {"mark": "moment.title", "text": "Block (0, 0, 0), blocks and warps"}},
    {"expect": {"mark": "view.area", "text": "warp 0, line 7, all 32 lanes write s[0] to s[31]"}},
    {"key": "Alt+Down"}, {"expect": {"mark": "view.area", "text": "Step 16 of"}},
    {"key": "Alt+Up"}, {"key": "Alt+Up"}, {"expect": {"mark": "view.area", "text": "Step 14 of"}},
    {"key": "Escape"}, {"expect": {"mark": "moment.title", "absent": true}},
    {"click": "lab.diagnosis.0"}, {"wait": "idle"}, {"click": "moment.line"},
    {"expect": {"mark": "lab.code.line.7"}}, {"expect": {"mark": "moment.title", "absent": true}},
    {"click": "lab.before"}, {"expect": {"mark": "lab.before"}},
    {"click": "variant.0"}, {"wait": "idle"}, {"expect": {"mark": "lab.diagnosis.0", "absent": true}})json",
      {"--lesson", "13-barriers-and-races"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("each order that a check tried can be run again, step by step") {
  App app;
  if (!app.usable()) return;
  // Its starter is right in every order and only has too many barriers.
  const ChildOutput out = app.run(
      R"json({"wait": "idle"}, {"click": "bench.fewest"}, {"click": "check.run"}, {"wait": "idle"},
    {"expect": {"mark": "check.3", "text": "The same result in 8 of 8 orders."}},
    {"click": "check.3.order.1"}, {"wait": "idle"},
    {"expect": {"mark": "moment.title", "text": "blocks and warps in reverse order"}},
    {"expect": {"mark": "view.area", "text": "Step 1 of"}}, {"click": "moment.close"},
    {"expect": {"mark": "moment.title", "absent": true}}, {"expect": {"mark": "editor"}})json",
      {"--lesson", "13-barriers-and-races"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("code that does not compile is told at its line, and the lesson's own code comes back") {
  App app;
  if (!app.usable()) return;
  const ChildOutput out =
      app.run(R"json({"wait": "idle"}, {"click": "view.Edit"}, {"click": "lab.code"}, {"key": "Ctrl+A"},
    {"type": "__global__ void write_index(int* out, int n) { nonsense }"}, {"key": "Ctrl+Enter"}, {"wait": "idle"},
    {"expect": {"mark": "lab.diagnosis.0", "text": "nonsense"}}, {"click": "lab.code.back"}, {"wait": "idle"},
    {"expect": {"mark": "lab.diagnosis.0", "absent": true}})json",
              {"--lesson", "02-hello-grid"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
  // Nothing of the learner's is lost: the experiment can be brought back, also by another start.
  const ChildOutput later =
      app.run(R"json({"wait": "idle"}, {"click": "view.Edit"}, {"click": "lab.code.mine"}, {"wait": "idle"},
    {"expect": {"mark": "lab.diagnosis.0", "text": "nonsense"}}, {"click": "variant.1"}, {"wait": "idle"},
    {"expect": {"mark": "lab.code.mine", "absent": true}}, {"click": "variant.0"}, {"wait": "idle"},
    {"expect": {"mark": "lab.code.mine"}})json",
              {"--lesson", "02-hello-grid"});
  INFO(later.err);
  CHECK(later.exit_code == 0);
}

TEST_CASE("an endless kernel ends by Escape") {
  App app;
  if (!app.usable()) return;
  const ChildOutput out =
      app.run(R"json({"wait": "idle"}, {"click": "view.Edit"}, {"click": "lab.code"}, {"key": "Ctrl+A"},
    {"type": "extern \"C\" __global__ void write_index(int* out, int n) { for (long i = 0; i < 1000000000000; ++i) out[0] += i; }"},
    {"key": "Escape"}, {"key": "Ctrl+Enter"}, {"wait": 60}, {"key": "Escape"}, {"wait": "idle"})json",
              {"--lesson", "02-hello-grid"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("search goes to a page, a link to the glossary and back") {
  App app;
  if (!app.usable()) return;
  const ChildOutput out =
      app.run(R"json({"wait": "idle"}, {"key": "Ctrl+K"}, {"wait": 4}, {"type": "mandelbrot"}, {"wait": 3},
    {"key": "Enter"}, {"wait": "idle"}, {"expect": {"mark": "control.limit"}}, {"key": "Alt+Left"}, {"wait": "idle"},
    {"expect": {"mark": "control.block.x"}}, {"key": "F1"}, {"wait": 3}, {"expect": {"mark": "keys.close"}}, {"key": "Escape"},
    {"wait": 3}, {"expect": {"mark": "keys.close", "absent": true}}, {"click": "bar.settings"}, {"wait": 3},
    {"expect": {"mark": "settings.gpu"}}, {"click": "page.back"}, {"wait": 3}, {"expect": {"mark": "control.block.x"}})json",
              {"--lesson", "02-hello-grid"},
              app.root_with({"01-why-gpu", "02-hello-grid", "07-mandelbrot", "17-matmul"}));
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("a launch of a whole program opens from its tape as a lab of its own, and closes again") {
  App app;
  if (!app.usable()) return;
  if (const std::string missing = find_toolkit().missing; !missing.empty()) {
    WARN(missing);
    return;
  }
  const std::string before = R"json({"wait": "idle"}, {"expect": {"mark": "lab.open-launch", "absent": true}},
    {"key": "Alt+Up"}, {"key": "Alt+Up"}, {"key": "Alt+Up"}, {"key": "Alt+Up"}, {"wait": 3},
    {"click": "view.Edit"}, {"wait": 3}, {"expect": {"mark": "lab.code.line.35"}}, {"click": "view.Tape"}, {"wait": 3},
    {"click": "lab.open-launch"}, {"wait": "idle"},
    {"expect": {"mark": "bench.opened-launch", "text": "add, line 35"}})json";
  const ChildOutput out = app.run(before + R"json(,
    {"expect": {"mark": "lab.stamp.counted", "text": "counted"}},
    {"set": {"control": "block.x", "value": 2000}}, {"wait": "idle"},
    {"expect": {"mark": "lab.diagnosis.0", "text": "2000"}},
    {"set": {"control": "block.x", "value": 64}}, {"wait": "idle"},
    {"expect": {"mark": "lab.diagnosis.0", "absent": true}},
    {"click": "lab.close-launch"}, {"wait": 3},
    {"expect": {"mark": "bench.opened-launch", "absent": true}},
    {"expect": {"mark": "lab.open-launch", "text": "Open"}})json",
                                  {"--lesson", "03-host-flow"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("a whole program that fails by itself says so in its lab") {
  App app;
  if (!app.usable()) return;
  if (const std::string missing = find_toolkit().missing; !missing.empty()) {
    WARN(missing);
    return;
  }
  const ChildOutput out = app.run(
      R"json({"wait": "idle"}, {"expect": {"mark": "lab.ending", "absent": true}}, {"click": "view.1"}, {"wait": 3},
    {"click": "lab.code"}, {"key": "Ctrl+A"}, {"type": "int main() { return 3; }"}, {"key": "Ctrl+Enter"}, {"wait": 5},
    {"wait": "idle"}, {"wait": 3}, {"expect": {"mark": "lab.ending", "text": "exit code 3"}})json",
      {"--lesson", "03-host-flow"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("the code view shows the kernel that ran, with its counters") {
  App app;
  if (!app.usable()) return;
  const std::string table = app.file("lines.csv").string();
  const ChildOutput out = app.run(
      R"json({"wait": "idle"}, {"click": "view.2"}, {"wait": 3}, {"export": ")json" + table + R"json("})json",
      {"--lesson", "02-hello-grid"});
  INFO(out.err);
  REQUIRE(out.exit_code == 0);
  const std::string lines = text_of(table);
  CHECK(std::count(lines.begin(), lines.end(), '\n') > 4);  // regression: the view once got no source
}

TEST_CASE("mine is compared with the starter, and with the solution once that is open") {
  App app;
  if (!app.usable(false)) return;
  const ChildOutput out =
      app.run(R"json({"wait": "idle"}, {"click": "bench.cover-all"}, {"click": "code.Compare"}, {"wait": 3},
    {"expect": {"mark": "compare.summary", "text": "No difference"}}, {"expect": {"mark": "compare.1", "absent": true}},
    {"click": "code.Mine"}, {"click": "editor"}, {"key": "Ctrl+A"}, {"type": "// nothing left"}, {"click": "code.Compare"}, {"wait": 3},
    {"expect": {"mark": "compare.summary", "text": "1 line new"}}, {"click": "code.Solution"},
    {"click": "solution.hint"}, {"click": "solution.hint"}, {"click": "solution.hint"}, {"wait": 3},
    {"click": "solution.reason"}, {"type": "I tried one thread for each element."}, {"wait": 2},
    {"click": "solution.show"}, {"wait": 3}, {"click": "code.Compare"}, {"wait": 2}, {"click": "compare.1"}, {"wait": 3},
    {"expect": {"mark": "compare.line.0", "text": "-// nothing left"}})json",
              {"--lesson", "02-hello-grid"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("starter, mine and solution are compared by what they count") {
  App app;
  if (!app.usable()) return;
  const std::string folder = (Path(WARPBOOK_SOURCE_DIR) / "kernels/11-coalescing/share-out").string();
  fs::create_directories(app.file("home/data/exercises/11-coalescing"));
  fs::copy_file(folder + "/solution.cu", app.file("home/data/exercises/11-coalescing/share-out.cu"));
  const ChildOutput out =
      app.run(R"json({"wait": "idle"}, {"click": "bench.share-out"}, {"click": "code.Compare"}, {"wait": 3},
    {"expect": {"mark": "compare.counts", "text": "Check your answer"}}, {"click": "check.run"}, {"wait": "idle"},
    {"expect": {"mark": "check.headline", "text": "Passed"}}, {"click": "code.Compare"}, {"wait": 3},
    {"expect": {"mark": "compare.counts", "text": "Sectors a request, global loads: 16 4 4"}})json",
              {"--lesson", "11-coalescing"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("what one was sure of and got wrong comes back, and a right answer takes it off the list") {
  App app;
  if (!app.usable(false)) return;
  const ChildOutput out =
      app.run(R"json({"wait": "idle"}, {"expect": {"mark": "contents.review", "absent": true}},
    {"click": "quiz.order.choice.0"}, {"click": "quiz.order.confidence.0"}, {"click": "quiz.order.answer"}, {"wait": 3},
    {"expect": {"mark": "contents.review", "text": "Review (1)"}}, {"click": "contents.overview"}, {"wait": 3},
    {"expect": {"mark": "overview.review", "text": "Review 1"}},
    {"expect": {"mark": "overview.07-mandelbrot.needs", "text": "Builds on"}},
    {"click": "overview.review"}, {"wait": 3}, {"expect": {"mark": "review.count", "text": "1 question"}},
    {"click": "review.02-hello-grid.order.choice.1"}, {"click": "review.02-hello-grid.order.confidence.0"},
    {"click": "review.02-hello-grid.order.answer"}, {"wait": 3}, {"expect": {"mark": "review.count", "text": "Nothing waits"}},
    {"click": "contents.overview"}, {"wait": 3}, {"click": "overview.report"}, {"wait": "idle"},
    {"expect": {"mark": "notice", "text": "warpbook-progress.html"}})json",
              {"--lesson", "02-hello-grid"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
  const std::string html = text_of(app.file("home/data/exports/warpbook-progress.html"));
  CHECK(html.find("right later, was sure; reviewed") != std::string::npos);
  const std::string progress = text_of(app.file("home/data/progress.json"));
  CHECK(progress.find("\"reviewed\": true") != std::string::npos);
}

TEST_CASE("the end of a lesson says what is open and leads there") {
  App app;
  if (!app.usable(false)) return;
  const ChildOutput out = app.run(R"json({"wait": "idle"}, {"scroll": "lesson.end"}, {"wait": 3},
    {"expect": {"mark": "lesson.open.0", "text": "Question 1"}}, {"click": "lesson.open.0"}, {"wait": 5},
    {"expect": {"mark": "quiz.order.answer"}}, {"click": "page.next"}, {"wait": "idle"})json",
                                  {"--lesson", "02-hello-grid"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
}

TEST_CASE("a script times a change of a control and the frames") {
  App app;
  if (!app.usable()) return;
  const ChildOutput out =
      app.run(R"json({"wait": "idle"}, {"time": {"control": "block.x", "value": 64}}, {"frames": 5})json",
              {"--lesson", "02-hello-grid"});
  INFO(out.err);
  CHECK(out.exit_code == 0);
  CHECK(out.out.find("block.x = 64: ") != std::string::npos);
  CHECK(out.out.find("5 frames: median ") != std::string::npos);
}

TEST_CASE("a failing script is exit 1, a broken one and an unknown lesson are exit 4, each with a reason") {
  App app;
  if (!app.usable(false)) return;
  const ChildOutput failing =
      app.run(R"json({"expect": {"mark": "no.such.thing"}})json", {"--lesson", "02-hello-grid"});
  CHECK(failing.exit_code == 1);
  CHECK(failing.err.find("step 1") != std::string::npos);
  const ChildOutput broken = app.run(R"json({"clik": 1})json", {"--lesson", "02-hello-grid"});
  CHECK(broken.exit_code == 4);
  CHECK(broken.err.find("click") != std::string::npos);
  const ChildOutput unknown = app.run("", {"--lesson", "99-none"});
  CHECK(unknown.exit_code == 4);
  CHECK(unknown.err.find("02-hello-grid") != std::string::npos);
}
