#pragma once
// A learner's progress on paper: one HTML file without scripts or outside parts, that prints.
#include <string>

#include "lesson/lesson.h"
#include "lesson/progress.h"

namespace warpbook {

/// What of a lesson is done, counted from what the lesson asks now (not from old entries).
struct LessonTally {
  int questions = 0, answered = 0, first_try = 0;  ///< answered: right or shown
  int sure_and_wrong = 0;                          ///< wrong at the first try though sure, not yet reviewed
  int exercises = 0, passed = 0;
  bool opened = false;
  bool complete() const { return answered == questions && passed == exercises && questions + exercises > 0; }
};
LessonTally tally_of(const Lesson& lesson, const Progress& progress);
/// Whether a question comes back for review: wrong at the first try though sure, and not yet right in a
/// review.
bool due_for_review(const QuestionProgress& question);

/// `day`: as it is to be printed, "2 December 2026".
std::string progress_html(const Library& library, const Progress& progress, const std::string& locale,
                          const std::string& day);

}  // namespace warpbook
