#include "lesson/progress_report.h"

#include <fmt/format.h>

namespace warpbook {

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

// Light paper, black ink: it is meant for a printer. Marks are signs and words, so that grey prints say the
// same.
constexpr const char* style =
    "body{font:11pt/1.45 Inter,\"Segoe UI\",Helvetica,Arial,sans-serif;color:#1F2328;max-width:46em;"
    "margin:2em auto;padding:0 1.5em}"
    "h1{font-size:20pt;margin:0 0 .2em}h2{font-size:13pt;margin:1.6em 0 .3em;border-bottom:1px solid #DDDCD6}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25em .6em .25em 0;"
    "vertical-align:top}th{font-weight:600;border-bottom:1px solid #1F2328}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".quiet{color:#5C636B}section{break-inside:avoid}"
    "@media print{body{margin:0;max-width:none}@page{margin:18mm}}";

std::string title_or_name(const LocalText& title, const std::string& name, const std::string& locale) {
  if (!title.empty()) return title.in(locale);
  std::string words = name;
  for (char& c : words) c = c == '-' ? ' ' : c;
  return words;
}

const char* state_of(const LessonTally& tally) {
  if (tally.complete()) return "✓ done";
  const bool begun = tally.opened || tally.answered + tally.passed > 0;
  return begun ? "begun" : "not begun";
}

std::string question_words(const QuestionProgress& question) {
  if (question.attempts == 0) return "–";
  std::string words = question.first_try  ? "✓ right at the first try"
                      : question.right    ? "right later"
                      : question.revealed ? "answer shown"
                                          : "open";
  words += question.sure ? ", was sure" : ", was unsure";
  if (question.reviewed) words += "; reviewed";
  return words;
}

std::string exercise_words(const ExerciseProgress& exercise) {
  std::string words = exercise.passed ? "✓ passed" : "open";
  if (exercise.hints_shown > 0)
    words += fmt::format(", {} {}", exercise.hints_shown, exercise.hints_shown == 1 ? "hint" : "hints");
  if (exercise.solution_shown) words += ", solution shown";
  return words;
}

}  // namespace

bool due_for_review(const QuestionProgress& question) {
  return question.attempts > 0 && question.sure && !question.first_try && !question.reviewed;
}

LessonTally tally_of(const Lesson& lesson, const Progress& progress) {
  LessonTally tally;
  tally.questions = int(lesson.quiz.questions.size());
  tally.exercises = int(lesson.exercises.size());
  const auto found = progress.lessons.find(lesson.slug);
  if (found == progress.lessons.end()) return tally;
  tally.opened = found->second.opened;
  for (const Question& question : lesson.quiz.questions) {
    const auto entry = found->second.questions.find(question.name);
    if (entry == found->second.questions.end()) continue;
    tally.answered += entry->second.right || entry->second.revealed;
    tally.first_try += entry->second.first_try;
    tally.sure_and_wrong += due_for_review(entry->second);
  }
  for (const Exercise& exercise : lesson.exercises) {
    const auto entry = found->second.exercises.find(exercise.name);
    tally.passed += entry != found->second.exercises.end() && entry->second.passed;
  }
  return tally;
}

std::string progress_html(const Library& library, const Progress& progress, const std::string& locale,
                          const std::string& day) {
  LessonTally all;
  int complete = 0;
  std::string rows, sections;
  for (const Lesson& lesson : library.lessons) {
    const LessonTally tally = tally_of(lesson, progress);
    complete += tally.complete();
    all.questions += tally.questions;
    all.answered += tally.answered;
    all.first_try += tally.first_try;
    all.exercises += tally.exercises;
    all.passed += tally.passed;
    all.sure_and_wrong += tally.sure_and_wrong;
    const std::string title = escaped(lesson.title.in(locale));
    const std::string number = escaped(lesson.slug.substr(0, lesson.slug.find('-')));
    rows += fmt::format(
        "<tr><td class=\"n\">{}</td><td>{}</td><td>{}</td><td class=\"n\">{} of {}</td><td "
        "class=\"n\">{}</td>"
        "<td class=\"n\">{} of {}</td></tr>\n",
        number, title, state_of(tally), tally.answered, tally.questions, tally.first_try, tally.passed,
        tally.exercises);
    const auto found = progress.lessons.find(lesson.slug);
    if (found == progress.lessons.end() || (!tally.opened && tally.answered + tally.passed == 0)) continue;
    sections += fmt::format("<section><h2>{} {}</h2>\n<table>\n", number, title);
    for (const Exercise& exercise : lesson.exercises) {
      const auto entry = found->second.exercises.find(exercise.name);
      const ExerciseProgress state =
          entry == found->second.exercises.end() ? ExerciseProgress{} : entry->second;
      sections +=
          fmt::format("<tr><td>Exercise: {}</td><td>{}</td></tr>\n",
                      escaped(title_or_name(exercise.title, exercise.name, locale)), exercise_words(state));
    }
    for (const Question& question : lesson.quiz.questions) {
      const auto entry = found->second.questions.find(question.name);
      const QuestionProgress state =
          entry == found->second.questions.end() ? QuestionProgress{} : entry->second;
      sections += fmt::format("<tr><td>Question: {}</td><td>{}</td></tr>\n",
                              escaped(title_or_name({}, question.name, locale)), question_words(state));
    }
    sections += "</table></section>\n";
  }
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><title>Warpbook: my progress</title>"
      "<meta name=\"viewport\" content=\"width=device-width\"><style>{}</style></head><body>\n",
      escaped(locale), style);
  html += fmt::format("<h1>Progress in Warpbook</h1>\n<p class=\"quiet\">{}</p>\n", escaped(day));
  html += fmt::format(
      "<p>{} of {} lessons done; {} of {} questions answered, {} of them right at the first try; {} of {} "
      "exercises passed.",
      complete, library.lessons.size(), all.answered, all.questions, all.first_try, all.passed,
      all.exercises);
  if (all.sure_and_wrong > 0)
    html += fmt::format(" {} {} to look at again.", all.sure_and_wrong,
                        all.sure_and_wrong == 1 ? "question waits" : "questions wait");
  html +=
      "</p>\n<table>\n<tr><th class=\"n\">No.</th><th>Lesson</th><th>State</th><th class=\"n\">Questions</th>"
      "<th class=\"n\">First try</th><th class=\"n\">Exercises</th></tr>\n";
  html += rows + "</table>\n" + sections;
  html +=
      "<p class=\"quiet\">Checks of exercises ran on this machine. Questions count as right at the first try "
      "only when the first answer was.</p>\n</body></html>\n";
  return html;
}

}  // namespace warpbook
