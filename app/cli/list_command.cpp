// warpbook list: lessons, their kernels and exercises, and how far the learner has come.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/console.h"

namespace warpbook::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Kernel names as `run SLUG/KERNEL` takes them.
std::vector<std::string> kernels_of(const Lesson& lesson) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& file) {
    const std::string stem = Path(file).stem().string();
    if (std::find(names.begin(), names.end(), stem) == names.end()) names.push_back(stem);
  };
  for (const Lab& lab : lesson.labs) {
    add(lab.kernel);
    for (const auto& [label, file] : lab.variants) add(file);
  }
  return names;
}

struct Score {
  int right = 0, questions = 0, passed = 0, exercises = 0;
};

Score score_of(const Lesson& lesson, const Progress& progress) {
  Score score;
  score.questions = int(lesson.quiz.questions.size());
  score.exercises = int(lesson.exercises.size());
  const auto found = progress.lessons.find(lesson.slug);
  if (found == progress.lessons.end()) return score;
  for (const Question& question : lesson.quiz.questions) {
    const auto one = found->second.questions.find(question.name);
    score.right += one != found->second.questions.end() && one->second.right;
  }
  for (const Exercise& exercise : lesson.exercises) {
    const auto one = found->second.exercises.find(exercise.name);
    score.passed += one != found->second.exercises.end() && one->second.passed;
  }
  return score;
}

bool passed(const Progress& progress, const Lesson& lesson, const std::string& exercise) {
  const auto found = progress.lessons.find(lesson.slug);
  if (found == progress.lessons.end()) return false;
  const auto one = found->second.exercises.find(exercise);
  return one != found->second.exercises.end() && one->second.passed;
}

std::string as_json(const Library& library, const Progress& progress) {
  Json out;
  out["lessons"] = Json::array();
  for (const Lesson& lesson : library.lessons) {
    Json one;
    one["slug"] = lesson.slug;
    one["title"] = lesson.title.in("en");
    one["summary"] = lesson.summary.in("en");
    one["minutes"] = lesson.minutes;
    one["needs"] = lesson.needs;
    one["kernels"] = kernels_of(lesson);
    one["exercises"] = Json::array();
    for (const Exercise& exercise : lesson.exercises)
      one["exercises"].push_back(
          {{"name", exercise.name}, {"passed", passed(progress, lesson, exercise.name)}});
    const Score score = score_of(lesson, progress);
    one["questions"] = {{"count", score.questions}, {"right", score.right}};
    const auto found = progress.lessons.find(lesson.slug);
    one["opened"] = found != progress.lessons.end() && found->second.opened;
    out["lessons"].push_back(std::move(one));
  }
  out["broken"] = Json::array();
  for (const Error& error : library.broken)
    out["broken"].push_back(
        {{"file", error.where.file}, {"line", error.where.line}, {"message", error.message}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_text(const Library& library, const Progress& progress) {
  std::string text;
  for (const Lesson& lesson : library.lessons) {
    const Score score = score_of(lesson, progress);
    text += fmt::format("{}  {} ({} min)\n", lesson.slug, lesson.title.in("en"), lesson.minutes);
    text += fmt::format("    kernels    {}\n", fmt::join(kernels_of(lesson), ", "));
    text += "    exercises ";
    for (const Exercise& exercise : lesson.exercises)
      text += fmt::format(" {}{}", exercise.name, passed(progress, lesson, exercise.name) ? " (passed)" : "");
    text += fmt::format("\n    progress   {} of {} questions right, {} of {} exercises passed\n", score.right,
                        score.questions, score.passed, score.exercises);
  }
  if (library.lessons.empty()) text += "There are no lessons.\n";
  return text;
}

int perform(bool json, const Invocation& invocation) {
  const auto options = session_options(invocation);
  if (!options) return complain(options.error(), json);
  const Library library = open_library(*options);
  Progress progress;
  if (auto loaded = load_progress(progress_file(user_folders()))) {
    progress = std::move(*loaded);
  } else {
    warn("warning: progress could not be read: " + to_string(loaded.error()));
  }
  for (const Error& error : library.broken) warn("warning: a lesson did not load: " + to_string(error));
  return print(json ? as_json(library, progress) : as_text(library, progress));
}

}  // namespace

void add_list(CLI::App& app, Invocation& invocation) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "Prints one JSON object");
  app.callback([json, &invocation] {
    invocation.action = [json, &invocation] { return perform(*json, invocation); };
  });
}

}  // namespace warpbook::cli
