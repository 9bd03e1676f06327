// The report that prints: counted from what the lessons ask, escaped, and whole in itself.
#include "lesson/progress_report.h"

#include "catch.h"

using namespace warpbook;

namespace {

Library small_library() {
  Lesson lesson;
  lesson.slug = "02-a";
  lesson.title.by_locale["en"] = "Grids & <blocks>";
  for (const char* name : {"one", "two", "three"}) {
    Question question;
    question.name = name;
    lesson.quiz.questions.push_back(question);
  }
  Exercise exercise;
  exercise.name = "cover-all";
  lesson.exercises.push_back(exercise);
  Library library;
  library.lessons.push_back(lesson);
  lesson.slug = "03-b";
  lesson.title.by_locale["en"] = "Never opened";
  library.lessons.push_back(lesson);
  return library;
}

}  // namespace

TEST_CASE("sure and wrong comes back until it is right in a review; unsure, or right at once, does not") {
  QuestionProgress question;
  CHECK_FALSE(due_for_review(question));
  question.attempts = 1;
  question.sure = true;
  CHECK(due_for_review(question));
  question.right = true;  // at the second try: still worth a look
  CHECK(due_for_review(question));
  question.reviewed = true;
  CHECK_FALSE(due_for_review(question));
  question.reviewed = false;
  question.sure = false;
  CHECK_FALSE(due_for_review(question));
  question.sure = question.first_try = true;
  CHECK_FALSE(due_for_review(question));
}

TEST_CASE("a tally counts what the lesson asks now, not what old files mention") {
  const Library library = small_library();
  Progress progress;
  LessonProgress& lesson = progress.lessons["02-a"];
  lesson.questions["one"] = {1, true, true, true, false, false};
  lesson.questions["two"] = {2, false, false, true, true, false};
  lesson.questions["gone"] = {1, true, true, true, false, false};
  LessonTally tally = tally_of(library.lessons[0], progress);
  CHECK(tally.questions == 3);
  CHECK(tally.answered == 2);
  CHECK(tally.first_try == 1);
  CHECK(tally.sure_and_wrong == 1);
  CHECK(tally.passed == 0);
  CHECK_FALSE(tally.complete());
  lesson.questions["three"].right = true;
  lesson.exercises["cover-all"].passed = true;
  CHECK(tally_of(library.lessons[0], progress).complete());
  CHECK_FALSE(tally_of(Lesson{}, progress).complete());  // nothing asked is nothing done
}

TEST_CASE("the report is one HTML file that needs nothing else, and says what was done") {
  Progress progress;
  progress.lessons["02-a"].opened = true;
  progress.lessons["02-a"].questions["one"] = {1, true, true, true, false, false};
  progress.lessons["02-a"].exercises["cover-all"] = {true, 2, false, {}};
  const std::string html = progress_html(small_library(), progress, "en", "2 December 2026");
  CHECK(html.find("<!DOCTYPE html>") == 0);
  CHECK(html.find("2 December 2026") != std::string::npos);
  CHECK(html.find("Grids &amp; &lt;blocks&gt;") != std::string::npos);
  CHECK(html.find("<blocks>") == std::string::npos);
  CHECK(html.find("✓ right at the first try, was sure") != std::string::npos);
  CHECK(html.find("✓ passed, 2 hints") != std::string::npos);
  CHECK(html.find("1 of 6 questions answered") != std::string::npos);
  CHECK(html.find("not begun") != std::string::npos);
  CHECK(html.find("@media print") != std::string::npos);
  for (const char* outside : {"http", "<script", "<link", "src="})
    CHECK(html.find(outside) == std::string::npos);
}
