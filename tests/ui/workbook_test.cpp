// The workbook without a window: opening, going back, links, the learner's files, broken files.
#include "ui/workbook.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "catch.h"

using namespace warpbook;
using namespace warpbook::ui;
namespace fs = std::filesystem;

namespace {

void put(const Path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

// A root with one small lesson and a home of its own.
struct Desk {
  Path folder = fs::temp_directory_path() /
                ("warpbook-desk-" + std::to_string(::getpid()) + "-" + std::to_string(++count()));
  Session session;
  Workbook book;

  static int& count() {
    static int made = 0;
    return made;
  }
  Desk() {
    const Path root = folder / "root";
    put(root / "lessons/01-one/lesson.md",
        "# One\n\nSee [two](../02-two/lesson.md#part-b) and "
        "[warp](../../assets/pages/glossary.md#warp).\n\n```lab l\n```\n\n```exercise e\n```\n");
    put(root / "lessons/01-one/lesson.json",
        R"({"title": "One", "summary": "First.", "labs": {"l": {"kernel": "k.cu", "args": ["n=i32:{n}"],
      "controls": {"n": {"label": "N", "min": 1, "max": 10, "value": 3}}, "views": []}},
      "exercises": {"e": {"kernel": "k", "task": "Do it.", "launch": {"grid": ["1"], "block": [1]}, "args": ["n=i32:{n}"],
      "sizes": {"n": [1]}, "checks": [{"check": "no-diagnoses"}], "hints": ["a", "b"]}}})");
    put(root / "kernels/01-one/k.cu", "__global__ void k(int n) {}\n");
    put(root / "kernels/01-one/e/exercise.cu", "// starter\n__global__ void k(int n) {}\n");
    put(root / "kernels/01-one/e/solution.cu", "// solution\n__global__ void k(int n) {}\n");
    put(root / "lessons/02-two/lesson.md", "# Two\n\n## Part A\n\nText.\n\n## Part B\n\nMore.\n");
    put(root / "lessons/02-two/lesson.json", R"({"title": "Two", "summary": "Second."})");
    put(root / "assets/pages/glossary.md", "# Glossary\n\n## warp\n\nThirty-two threads.\n");
    session.options.root = root;
    session.folders = {folder / "data", folder / "config", folder / "cache"};
    GpuRow gpu;
    gpu.name = default_gpu_name;
    session.gpus = {gpu};
    session.gpu = gpu;
  }
  ~Desk() {
    std::error_code failed;
    fs::remove_all(folder, failed);
  }
  void load() {
    load_workbook(book, session, false);
    for (const Error& error : book.troubles) UNSCOPED_INFO(to_string(error));
  }
  ExerciseState& exercise() {
    const Lesson& lesson = *book.library->lesson("01-one");
    return exercise_state(book, lesson, lesson.exercises.front());
  }
  Path answer() const { return folder / "data/exercises/01-one/e.cu"; }
};

std::string content(const Path& file) { return read_file(file).value(); }

// File times are coarse on some systems: the change must be seen as one.
void change_outside(const Path& file, const std::string& text) {
  const auto before = fs::last_write_time(file);
  put(file, text);
  fs::last_write_time(file, before + std::chrono::seconds(2));
}

}  // namespace

TEST_CASE("links go to lessons, headings and reference pages, and back") {
  Desk desk;
  desk.load();
  REQUIRE(desk.book.library->lessons.size() == 2);
  go_to(desk.book, {Place::Kind::lesson, "01-one", {}, -1});
  follow_link(desk.book, "../02-two/lesson.md#part-b");
  CHECK(desk.book.place.name == "02-two");
  CHECK(desk.book.place.anchor == "part-b");
  follow_link(desk.book, "../../assets/pages/glossary.md#warp");
  CHECK(desk.book.place.kind == Place::Kind::page);
  go_back(desk.book);
  CHECK(desk.book.place.name == "02-two");
  go_back(desk.book);
  CHECK(desk.book.place.name == "01-one");
  go_back(desk.book);
  CHECK(desk.book.place.name == "01-one");
  follow_link(desk.book, "nowhere.md");
  CHECK(desk.book.place.name == "01-one");
  CHECK_FALSE(desk.book.notice.empty());
}

TEST_CASE("headings become anchors as other viewers make them") {
  CHECK(heading_anchor("What a warp pays for") == "what-a-warp-pays-for");
  CHECK(heading_anchor("A/B, (ção)") == "ab-ção");
}

TEST_CASE("an answer is saved by itself after a pause, and found again") {
  Desk desk;
  desk.load();
  go_to(desk.book, {Place::Kind::lesson, "01-one", {}, -1});
  ExerciseState& state = desk.exercise();
  CHECK(state.mine.text == state.starter.text);
  keep_files(desk.book, false);
  CHECK_FALSE(fs::exists(desk.answer()));  // nothing was written yet, so nothing is kept
  state.mine.set("// mine\n");
  state.unsaved = true;
  state.edited_at = desk.book.now = 10;
  keep_files(desk.book, false);
  CHECK_FALSE(fs::exists(desk.answer()));
  desk.book.now = 12;
  keep_files(desk.book, false);
  REQUIRE(fs::exists(desk.answer()));
  CHECK(content(desk.answer()) == "// mine\n");
  Workbook again;
  load_workbook(again, desk.session, false);
  const Lesson& lesson = *again.library->lesson("01-one");
  CHECK(exercise_state(again, lesson, lesson.exercises.front()).mine.text == "// mine\n");
}

TEST_CASE("a change from outside is taken when nothing was typed here, else asked about") {
  Desk desk;
  put(desk.answer(), "// first\n");
  desk.load();
  go_to(desk.book, {Place::Kind::lesson, "01-one", {}, -1});
  ExerciseState& state = desk.exercise();
  CHECK(state.mine.text == "// first\n");
  change_outside(desk.answer(), "// outside\r\n");
  keep_files(desk.book, false);
  CHECK(state.mine.text == "// outside\n");
  state.mine.set("// typed\n");
  state.unsaved = true;
  state.edited_at = desk.book.now = 5;
  change_outside(desk.answer(), "// both\n");
  keep_files(desk.book, false);
  CHECK(state.changed_outside);
  desk.book.now = 50;
  keep_files(desk.book, false);
  CHECK(content(desk.answer()) == "// both\n");  // not overwritten without a word
  reload_exercise(state);
  CHECK(state.mine.text == "// both\n");
  CHECK_FALSE(state.changed_outside);
}

TEST_CASE("an answer file that is no text is left alone") {
  for (const std::string& bytes :
       {std::string("a\0b", 3), std::string("\xff\xfe\x00x", 4), std::string(2u << 20, 'x')}) {
    Desk desk;
    put(desk.answer(), bytes);
    desk.load();
    go_to(desk.book, {Place::Kind::lesson, "01-one", {}, -1});
    ExerciseState& state = desk.exercise();
    CHECK_FALSE(state.save_problem.empty());
    keep_files(desk.book, true);
    CHECK(content(desk.answer()) == bytes);
  }
}

TEST_CASE("broken progress and settings are set aside, never lost, and the app still opens") {
  Desk desk;
  put(desk.folder / "data/progress.json", "{ broken");
  put(desk.folder / "config/settings.json", "[]");
  load_workbook(desk.book, desk.session, false);
  CHECK(desk.book.troubles.size() == 2);
  CHECK(desk.book.library->lessons.size() == 2);
  int kept = 0;
  for (const Path& folder : {desk.folder / "data", desk.folder / "config"}) {
    for (const std::string& name : list_folder(folder)) kept += name.find("broken") != std::string::npos;
  }
  CHECK(kept == 2);
}

TEST_CASE("a broken lesson is told with its file and costs only itself") {
  Desk desk;
  put(desk.session.options.root / "lessons/03-bad/lesson.json", "{\n  \"title\": 7\n}");
  put(desk.session.options.root / "lessons/03-bad/lesson.md", "# Bad\n");
  load_workbook(desk.book, desk.session, false);
  CHECK(desk.book.library->lessons.size() == 2);
  REQUIRE(desk.book.troubles.size() == 1);
  CHECK(desk.book.troubles[0].where.file.find("03-bad") != std::string::npos);
  CHECK(desk.book.troubles[0].where.line == 2);
}

TEST_CASE("a session that keeps nothing writes nothing") {
  Desk desk;
  load_workbook(desk.book, desk.session, true);
  go_to(desk.book, {Place::Kind::lesson, "01-one", {}, -1});
  ExerciseState& state = desk.exercise();
  state.mine.set("x");
  state.unsaved = true;
  keep_files(desk.book, true);
  CHECK_FALSE(fs::exists(desk.folder / "data"));
  CHECK_FALSE(fs::exists(desk.folder / "config"));
}

TEST_CASE("a folder that cannot be written is told, and typing goes on") {
  if (::geteuid() == 0) {
    WARN("as root every folder can be written: a file in the folder's place stands for it");
  }
  Desk desk;
  put(desk.folder / "data", "a file where a folder should be");
  desk.load();
  go_to(desk.book, {Place::Kind::lesson, "01-one", {}, -1});
  ExerciseState& state = desk.exercise();
  state.mine.set("// mine\n");
  state.unsaved = true;
  desk.book.now = 100;
  keep_files(desk.book, false);
  CHECK_FALSE(state.save_problem.empty());
  CHECK(state.unsaved);
  CHECK(state.mine.text == "// mine\n");
}

TEST_CASE("progress counts questions and exercises") {
  Desk desk;
  desk.load();
  const Lesson& lesson = *desk.book.library->lesson("01-one");
  CHECK(progress_of(desk.book, lesson) == std::pair{0, 1});
  desk.book.progress.lessons["01-one"].exercises["e"].passed = true;
  CHECK(progress_of(desk.book, lesson) == std::pair{1, 1});
}

TEST_CASE("show me sets controls by expression, order and lab") {
  Desk desk;
  desk.load();
  go_to(desk.book, {Place::Kind::lesson, "01-one", {}, -1});
  const Lesson& lesson = *desk.book.library->lesson("01-one");
  ShowMe show;
  show.lab = "l";
  show.set = {{"n", "n * 3"}};
  show.schedule = "reverse";
  desk.book.lesson_state().bench_is_exercise = true;
  apply_show(desk.book, lesson, show, values_of(desk.book, lesson, "l"));
  const LabState& state = lab_state(desk.book, lesson, lesson.labs.front());
  CHECK(state.controls.at("n") == 9);
  CHECK(state.order == Order::reverse);
  CHECK_FALSE(desk.book.lesson_state().bench_is_exercise);
}
