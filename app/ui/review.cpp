// The review: questions that the learner was sure of and got wrong come back, until they are right. What one
// is sure of and wrong about is what one will not look up.
#include <fmt/format.h>
#include <imgui.h>

#include <ctime>

#include "lesson/progress_report.h"
#include "ui/exports.h"
#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/saver.h"
#include "ui/widgets.h"

namespace warpbook::ui {

std::vector<ReviewItem> review_list(const Workbook& book) {
  std::vector<ReviewItem> list;
  for (const Lesson& lesson : book.library->lessons) {
    const auto found = book.progress.lessons.find(lesson.slug);
    if (found == book.progress.lessons.end()) continue;
    for (const Question& question : lesson.quiz.questions) {
      const auto entry = found->second.questions.find(question.name);
      if (entry != found->second.questions.end() && due_for_review(entry->second))
        list.push_back({lesson.slug, question.name});
    }
  }
  return list;
}

void begin_review(Workbook& book) {
  book.review.items = review_list(book);
  book.review.states.clear();
}

void draw_review(Frame& frame, float width) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  wrapped(look, "Review", look.fonts.h1, look.colours.ink);
  gap(look, 4);
  wrapped(look,
          "Questions that you were sure of and got wrong. Those are worth a second look: nobody checks what "
          "they are sure of. A right answer here takes the question off the list.",
          look.fonts.body, look.colours.ink, width);
  const size_t due = review_list(book).size();
  gap(look, 8);
  const std::string words = due == 0
                                ? std::string("Nothing waits for a review.")
                                : fmt::format("{} {} to answer.", due, due == 1 ? "question" : "questions");
  caption(look, words, look.colours.muted);
  look.marks.item("review.count", words);
  std::string lesson_shown;
  for (const ReviewItem& item : book.review.items) {
    const Lesson* lesson = book.library->lesson(item.lesson);
    const Question* question = lesson ? lesson->quiz.question(item.question) : nullptr;
    if (!question) continue;
    if (lesson_shown != lesson->slug) {
      lesson_shown = lesson->slug;
      gap(look, 24);
      if (button(look, "review.lesson." + lesson->slug, lesson->title.in(book.locale()), ButtonKind::quiet,
                 true, "Opens the lesson")) {
        go_to(book, {Place::Kind::lesson, lesson->slug, {}, -1});
        return;
      }
    }
    gap(look, 16);
    QuizState& state = book.review.states[item.lesson + "/" + item.question];
    if (state.attempts == 0 && state.answer.chosen.empty() && question->type == Question::Type::order)
      retry(*question, state);
    draw_quiz_card(frame, *lesson, *question, width, &state);
    if (state.right) {
      QuestionProgress& progress = book.progress.lessons[item.lesson].questions[item.question];
      if (!progress.reviewed) note_progress(book);
      progress.reviewed = true;
    }
  }
  gap(look, 60);
}

void save_report(Workbook& book) {
  if (!book.saver) return;
  const std::time_t now = std::time(nullptr);
  std::tm day{};
  localtime_r(&now, &day);
  static constexpr const char* months[] = {"January",   "February", "March",    "April",
                                           "May",       "June",     "July",     "August",
                                           "September", "October",  "November", "December"};
  const std::string words = fmt::format("{} {} {}", day.tm_mday, months[day.tm_mon % 12], day.tm_year + 1900);
  const std::string html = progress_html(*book.library, book.progress, book.locale(), words);
  book.saver->submit([html, folder = export_folder(book)] {
    const Path file = fresh_name(folder, "warpbook-progress", ".html");
    const Result<Done> saved = write_file(file, html);
    return saved ? fmt::format("Saved as {}", file.string())
                 : fmt::format("The report was not saved: {}", to_string(saved.error()));
  });
}

}  // namespace warpbook::ui
