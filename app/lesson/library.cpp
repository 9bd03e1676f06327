// Finding lessons by folder. A broken one costs only itself.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.h"
#include "lesson/lesson.h"
#include "lesson/lesson_loader.h"
#include "lesson/quiz_loader.h"
#include "lesson/reading.h"

namespace warpbook {

namespace {

constexpr uint64_t max_json_bytes = 4u << 20;

bool is_there(const Path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

Result<std::unique_ptr<JsonReader>> open_json(const Path& path) {
  auto text = read_file(path, max_json_bytes);
  if (!text) return text.error();
  return JsonReader::parse(std::move(*text), path.string());
}

Result<Done> read_pages(Lesson& lesson) {
  for (const std::string& name : list_folder(lesson.folder)) {
    const bool plain = name == "lesson.md";
    const bool translated =
        starts_with(name, "lesson.") && name.size() > 10 && name.substr(name.size() - 3) == ".md";
    if (!plain && !translated) continue;
    const Path path = lesson.folder / name;
    const auto text = read_file(path, max_json_bytes);
    if (!text) return text.error();
    auto page = parse_document(*text, path.string());
    if (!page) return page.error();
    lesson.pages.emplace(plain ? "en" : name.substr(7, name.size() - 10), std::move(*page));
  }
  if (!lesson.pages.count("en")) {
    return Error{fmt::format("The lesson {} has no lesson.md.", lesson.slug),
                 Trouble::not_found,
                 {(lesson.folder / "lesson.md").string(), 0, 0},
                 {}};
  }
  return Done{};
}

Error taken_already(const Path& root, const std::string& slug) {
  Error error;
  error.message = fmt::format("There is a lesson \"{}\" already.", slug);
  error.where.file = (root / "lessons" / slug).string();
  error.hint = "Give one of them another name.";
  return error;
}

/// The error of a need that no lesson answers, at its place in lesson.json.
Error missing_need(const Lesson& lesson, size_t index, const std::vector<std::string>& known) {
  const Path path = lesson.folder / "lesson.json";
  const auto near = nearest_word(lesson.needs[index], known);
  const std::string message = fmt::format("there is no lesson \"{}\"{}", lesson.needs[index],
                                          near ? fmt::format("; did you mean \"{}\"?", *near) : ".");
  const std::string pointer = fmt::format("/needs/{}", index);
  auto reader = open_json(path);
  if (!reader)
    return {fmt::format("{}: {}", pointer, message), Trouble::bad_input, {path.string(), 0, 0}, {}};
  (*reader)->fail(pointer, message);
  return (*reader)->error();
}

}  // namespace

Result<Lesson> load_lesson(const Path& root, const std::string& slug) {
  if (!is_slug(slug)) {
    return Error{
        fmt::format("\"{}\" is no lesson's name; expected lower-case letters, digits and hyphens.", slug),
        Trouble::bad_input,
        {(root / "lessons" / slug).string(), 0, 0},
        {}};
  }
  Lesson lesson;
  lesson.slug = slug;
  lesson.folder = root / "lessons" / slug;
  lesson.kernels = root / "kernels" / slug;
  const auto reader = open_json(lesson.folder / "lesson.json");
  if (!reader) return reader.error();
  read_lesson(**reader, lesson);
  if ((*reader)->failed()) return (*reader)->error();

  const Path quiz_file = root / "quizzes" / (slug + ".json");
  std::unique_ptr<JsonReader> quiz_reader;
  if (is_there(quiz_file)) {
    auto opened = open_json(quiz_file);
    if (!opened) return opened.error();
    quiz_reader = std::move(*opened);
    lesson.quiz = read_quiz(*quiz_reader);
    if (quiz_reader->failed()) return quiz_reader->error();
  }
  if (const auto done = read_pages(lesson); !done) return done.error();
  if (const auto done = check_references(lesson, **reader, quiz_reader.get()); !done) return done.error();
  return lesson;
}

Library load_library(const std::vector<Path>& roots) {
  Library library;
  std::set<std::string> taken;
  for (const Path& root : roots) {
    for (const std::string& slug : list_folder(root / "lessons")) {
      std::error_code ignored;
      if (slug[0] == '.' || !std::filesystem::is_directory(root / "lessons" / slug, ignored)) continue;
      if (!taken.insert(slug).second) {
        library.broken.push_back(taken_already(root, slug));
        continue;
      }
      auto lesson = load_lesson(root, slug);
      if (lesson)
        library.lessons.push_back(std::move(*lesson));
      else
        library.broken.push_back(lesson.error());
    }
  }
  // A need may name a lesson that is broken itself: it is there, and its own error is told.
  const std::vector<std::string> known(taken.begin(), taken.end());
  const auto needs_nothing_missing = [&](const Lesson& lesson) {
    for (size_t i = 0; i < lesson.needs.size(); ++i) {
      if (taken.count(lesson.needs[i])) continue;
      library.broken.push_back(missing_need(lesson, i, known));
      return false;
    }
    return true;
  };
  std::vector<Lesson> whole;
  for (Lesson& lesson : library.lessons) {
    if (needs_nothing_missing(lesson)) whole.push_back(std::move(lesson));
  }
  library.lessons = std::move(whole);
  std::sort(library.lessons.begin(), library.lessons.end(),
            [](const Lesson& a, const Lesson& b) { return a.slug < b.slug; });
  return library;
}

}  // namespace warpbook
