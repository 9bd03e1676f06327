#include "cli/answers.h"

#include <fmt/format.h>

#include "base/complaint.h"
#include "base/hash.h"
#include "base/text.h"
#include "cli/console.h"

namespace warpbook::cli {

Result<Target> find_exercise(const Library& library, const std::string& target) {
  const size_t slash = target.find('/');
  const auto lesson = find_lesson(library, target.substr(0, slash));
  if (!lesson) return lesson.error();
  Target found{*lesson, nullptr};
  const std::string slug = found.lesson->slug;
  if (found.lesson->exercises.empty()) return complaint(fmt::format("lesson {} has no exercise", slug));
  if (slash == std::string::npos) {
    found.exercise = &found.lesson->exercises.front();
    return found;
  }
  const std::string name = target.substr(slash + 1);
  found.exercise = found.lesson->exercise(name);
  if (found.exercise) return found;
  std::vector<std::string> names;
  for (const Exercise& exercise : found.lesson->exercises) names.push_back(exercise.name);
  const auto close = nearest_word(name, names);
  return complaint(
      Trouble::not_found,
      fmt::format("lesson {} has no exercise called {}; it has: {}", slug, name, join(names, ", ")),
      close ? fmt::format("did you mean {}/{}?", slug, *close) : std::string{});
}

Path default_answer(const Session& session, const Target& target) {
  const Path own = answer_file(session.folders, target.lesson->slug, target.exercise->name);
  std::error_code ignored;
  if (std::filesystem::exists(own, ignored)) return own;
  return target.lesson->kernels / target.exercise->name / "exercise.cu";
}

void record_pass(const Session& session, const Target& target) {
  const Path file = progress_file(session.folders);
  auto progress = load_progress(file);
  if (!progress) {
    warn("warning: progress was not recorded: " + to_string(progress.error()));
    return;
  }
  ExerciseProgress& exercise = progress->lessons[target.lesson->slug].exercises[target.exercise->name];
  const auto starter = read_file(target.lesson->kernels / target.exercise->name / "exercise.cu");
  exercise.passed = true;
  if (starter) exercise.content_hash = content_hash(*starter);
  if (const auto saved = save_progress(file, *progress); !saved)
    warn("warning: progress was not recorded: " + to_string(saved.error()));
}

}  // namespace warpbook::cli
