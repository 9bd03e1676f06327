#pragma once
// Finding what is to be checked: an exercise by SLUG[/EXERCISE], and the learner's answer to it.
#include <string>

#include "base/result.h"
#include "lab/check.h"
#include "lab/session.h"
#include "lesson/lesson.h"

namespace warpbook::cli {

struct Target {
  const Lesson* lesson = nullptr;
  const Exercise* exercise = nullptr;
};
/// The first exercise when none is named.
Result<Target> find_exercise(const Library& library, const std::string& target);

/// The file to check when none is named: the learner's own answer, or the starter while there is none.
Path default_answer(const Session& session, const Target& target);

/// Remembers that the learner's answer passed; trouble with the file is a warning, no failure.
void record_pass(const Session& session, const Target& target);

}  // namespace warpbook::cli
