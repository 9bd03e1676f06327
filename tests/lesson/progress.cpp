// Progress and settings: what is written is read, what is unknown is kept, what is broken or newer is not
// lost.
#include "lesson/progress.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "folder.h"

using namespace warpbook;

namespace {

Progress some_progress() {
  Progress progress;
  progress.last_lesson = "02-hello-grid";
  LessonProgress& lesson = progress.lessons["02-hello-grid"];
  lesson.opened = true;
  lesson.scroll = 120.5f;
  lesson.questions["round-up"] = {2, true, false, true, false};
  lesson.exercises["cover-all"] = {true, 1, false, "abc"};
  lesson.predictions["cover"] = "1024";
  return progress;
}

}  // namespace

TEST_CASE("no progress file is an empty progress") {
  const TestFolder folder;
  const auto progress = load_progress(folder.path / "progress.json");
  REQUIRE(progress);
  CHECK(progress->lessons.empty());
  CHECK(progress->last_lesson.empty());
}

TEST_CASE("progress comes back as it was written") {
  const TestFolder folder;
  const Path file = folder.path / "sub" / "progress.json";
  REQUIRE(save_progress(file, some_progress()));
  const auto progress = load_progress(file);
  REQUIRE(progress);
  const LessonProgress& lesson = progress->lessons.at("02-hello-grid");
  CHECK(progress->last_lesson == "02-hello-grid");
  CHECK(lesson.scroll == 120.5f);
  CHECK(lesson.questions.at("round-up").attempts == 2);
  CHECK(lesson.questions.at("round-up").right);
  CHECK_FALSE(lesson.questions.at("round-up").first_try);
  CHECK(lesson.questions.at("round-up").sure);
  CHECK(lesson.exercises.at("cover-all").passed);
  CHECK(lesson.exercises.at("cover-all").content_hash == "abc");
  CHECK(lesson.predictions.at("cover") == "1024");
  CHECK(progress->unknown.empty());
}

TEST_CASE("what this version does not know is written back") {
  const TestFolder folder;
  folder.put("progress.json", R"({"version": 1, "badges": [1, 2], "lessons": {
    "02-hello-grid": {"opened": true, "notes": "mine", "questions": {"q": {"attempts": 1, "seconds": 9}}},
    "99-later": {"opened": false}}})");
  auto progress = load_progress(folder.path / "progress.json");
  REQUIRE(progress);
  progress->lessons["02-hello-grid"].questions["q"].attempts = 2;
  REQUIRE(save_progress(folder.path / "progress.json", *progress));
  const std::string text = folder.get("progress.json");
  CHECK(has(text, "badges"));
  CHECK(has(text, "mine"));
  CHECK(has(text, "\"seconds\": 9"));
  CHECK(has(text, "\"attempts\": 2"));
  CHECK(has(text, "99-later"));
  const auto again = load_progress(folder.path / "progress.json");
  REQUIRE(again);
  CHECK(nlohmann::json::parse(again->unknown) == nlohmann::json::parse(progress->unknown));
}

TEST_CASE("broken progress is an error, and set aside without loss") {
  const TestFolder folder;
  const Path file = folder.path / "progress.json";
  for (const char* text :
       {"", "{", "[]", "{\"version\": \"one\"}", "{\"version\": 1, \"lessons\": {\"a\": {\"opened\": 3}}}",
        "{\"version\": 1, \"lessons\": {\"a\": {\"questions\": {\"q\": {\"attempts\": -1}}}}}",
        "{\"version\": 0}", "{}", "nonsense", "\xff\xfe"}) {
    folder.put("progress.json", text);
    const auto progress = load_progress(file);
    INFO(text);
    REQUIRE_FALSE(progress);
    CHECK(progress.error().where.file == file.string());
    CHECK(progress.error().where.line == 1);
  }
  folder.put("progress.json", "broken one");
  auto aside = set_aside(file);
  REQUIRE(aside);
  CHECK(aside->filename() == "progress.json.broken-1");
  folder.put("progress.json", "broken two");
  aside = set_aside(file);
  REQUIRE(aside);
  CHECK(aside->filename() == "progress.json.broken-2");
  CHECK(folder.get("progress.json.broken-1") == "broken one");
  CHECK(folder.get("progress.json.broken-2") == "broken two");
  CHECK_FALSE(set_aside(file));
}

TEST_CASE("a newer file is neither read nor replaced") {
  const TestFolder folder;
  const std::string newer = R"({"version": 2, "lessons": "another shape"})";
  folder.put("progress.json", newer);
  const auto progress = load_progress(folder.path / "progress.json");
  REQUIRE_FALSE(progress);
  CHECK(progress.error().trouble == Trouble::unsupported);
  CHECK(has(progress.error().message, "version 2"));
  CHECK_FALSE(save_progress(folder.path / "progress.json", Progress{}));
  CHECK(folder.get("progress.json") == newer);
}

TEST_CASE("values that JSON has no word for do not make a file unreadable") {
  const TestFolder folder;
  Progress progress = some_progress();
  progress.lessons["02-hello-grid"].scroll = std::nanf("");
  progress.last_lesson = "bad \xff bytes";
  REQUIRE(save_progress(folder.path / "p.json", progress));
  const auto again = load_progress(folder.path / "p.json");
  REQUIRE(again);
  CHECK(again->lessons.at("02-hello-grid").scroll == 0);
}

TEST_CASE("settings come back, keep what is unknown, and refuse what makes no sense") {
  const TestFolder folder;
  const Path file = folder.path / "settings.json";
  CHECK(load_settings(file)->theme == "system");
  folder.put("settings.json",
             R"({"version": 1, "theme": "dark", "font_step": 2, "spectacles": true, "motion": false})");
  auto settings = load_settings(file);
  REQUIRE(settings);
  CHECK(settings->theme == "dark");
  CHECK(settings->font_step == 2);
  CHECK_FALSE(settings->motion);
  CHECK(settings->gpu == "A100 40 GB");
  settings->theme = "light";
  REQUIRE(save_settings(file, *settings));
  CHECK(has(folder.get("settings.json"), "spectacles"));
  CHECK(load_settings(file)->theme == "light");
  settings->device = "cuda:GPU-01234567";
  REQUIRE(save_settings(file, *settings));
  CHECK(load_settings(file)->device == "cuda:GPU-01234567");
  for (const char* text : {R"({"version": 1, "theme": "pink"})", R"({"version": 1, "scale": 1000})",
                           R"({"version": 1, "window_width": 1e9})", R"({"version": 1, "device": 3})",
                           R"({"version": 1, "device": "opencl"})", R"({"version": 1, "device": "cuda:"})",
                           R"({"version": 9})"}) {
    folder.put("settings.json", text);
    INFO(text);
    CHECK_FALSE(load_settings(file));
  }
}
