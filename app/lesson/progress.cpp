// progress.json: lessons by slug, in them questions, exercises and predictions by name.
#include "lesson/progress.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lesson/kept_json.h"

namespace warpbook {

using nlohmann::ordered_json;

namespace {

constexpr int progress_version = 1;

const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> keys{
      "/version",
      "/last_lesson",
      "/lessons/*/opened",
      "/lessons/*/scroll",
      "/lessons/*/questions/*/attempts",
      "/lessons/*/questions/*/right",
      "/lessons/*/questions/*/first_try",
      "/lessons/*/questions/*/sure",
      "/lessons/*/questions/*/revealed",
      "/lessons/*/questions/*/reviewed",
      "/lessons/*/exercises/*/passed",
      "/lessons/*/exercises/*/hints_shown",
      "/lessons/*/exercises/*/solution_shown",
      "/lessons/*/exercises/*/content_hash",
      "/lessons/*/predictions/*",
  };
  return keys;
}

/// Members of an object that may be absent.
std::vector<std::pair<std::string, JsonNode>> members_of(const JsonNode& node) {
  return node.present() ? node.members() : std::vector<std::pair<std::string, JsonNode>>{};
}

LessonProgress read_lesson_progress(const JsonNode& node) {
  JsonObject object(node);
  LessonProgress lesson;
  lesson.opened = object.get("opened").boolean(false);
  lesson.scroll = float(object.get("scroll").number(0));
  for (const auto& [name, value] : members_of(object.get("questions"))) {
    JsonObject entry(value);
    QuestionProgress& question = lesson.questions[name];
    question.attempts = int(entry.get("attempts").integer(0, 0, 1000000));
    question.right = entry.get("right").boolean(false);
    question.first_try = entry.get("first_try").boolean(false);
    question.sure = entry.get("sure").boolean(false);
    question.revealed = entry.get("revealed").boolean(false);
    question.reviewed = entry.get("reviewed").boolean(false);
  }
  for (const auto& [name, value] : members_of(object.get("exercises"))) {
    JsonObject entry(value);
    ExerciseProgress& exercise = lesson.exercises[name];
    exercise.passed = entry.get("passed").boolean(false);
    exercise.hints_shown = int(entry.get("hints_shown").integer(0, 0, 1000000));
    exercise.solution_shown = entry.get("solution_shown").boolean(false);
    exercise.content_hash = entry.get("content_hash").text();
  }
  for (const auto& [name, value] : members_of(object.get("predictions")))
    lesson.predictions[name] = value.text();
  return lesson;
}

ordered_json written(const LessonProgress& lesson) {
  ordered_json json;
  json["opened"] = lesson.opened;
  json["scroll"] = std::isfinite(lesson.scroll) ? lesson.scroll : 0.0f;
  for (const auto& [name, question] : lesson.questions) {
    json["questions"][name] = {{"attempts", question.attempts},   {"right", question.right},
                               {"first_try", question.first_try}, {"sure", question.sure},
                               {"revealed", question.revealed},   {"reviewed", question.reviewed}};
  }
  for (const auto& [name, exercise] : lesson.exercises) {
    json["exercises"][name] = {{"passed", exercise.passed},
                               {"hints_shown", exercise.hints_shown},
                               {"solution_shown", exercise.solution_shown},
                               {"content_hash", exercise.content_hash}};
  }
  for (const auto& [name, text] : lesson.predictions) json["predictions"][name] = text;
  return json;
}

}  // namespace

Result<Progress> load_progress(const Path& file) {
  const auto reader = open_versioned(file, progress_version, "progress");
  if (!reader) return reader.error();
  Progress progress;
  if (!*reader) return progress;
  JsonObject root((*reader)->root());
  progress.last_lesson = root.get("last_lesson").text();
  for (const auto& [slug, node] : members_of(root.get("lessons")))
    progress.lessons[slug] = read_lesson_progress(node);
  if ((*reader)->failed()) return (*reader)->error();
  progress.unknown = unknown_parts((*reader)->root().dump(), known_keys());
  return progress;
}

Result<Done> save_progress(const Path& file, const Progress& progress) {
  ordered_json json;
  json["version"] = progress_version;
  json["last_lesson"] = progress.last_lesson;
  json["lessons"] = ordered_json::object();
  for (const auto& [slug, lesson] : progress.lessons) json["lessons"][slug] = written(lesson);
  return write_versioned(file, progress_version, "progress",
                         json.dump(-1, ' ', false, ordered_json::error_handler_t::replace), progress.unknown);
}

Result<Path> set_aside(const Path& file) {
  Error error;
  error.trouble = Trouble::io;
  error.where.file = file.string();
  for (int number = 1; number < 10000; ++number) {
    const Path aside = file.string() + ".broken-" + std::to_string(number);
    std::error_code trouble;
    if (std::filesystem::exists(aside, trouble)) continue;
    std::filesystem::rename(file, aside, trouble);
    if (!trouble) return aside;
    error.message = fmt::format("The file could not be set aside as {}: {}.", aside.filename().string(),
                                trouble.message());
    return error;
  }
  error.message = "There are thousands of broken files beside this one already.";
  error.hint = "Delete those that are not needed.";
  return error;
}

}  // namespace warpbook
