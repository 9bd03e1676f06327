// The end of a lesson: what was learnt, what is still open, and the way on.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "lesson/progress_report.h"
#include "ui/imgui_compat.h"
#include "ui/palette.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace warpbook::ui {

namespace {

// Where on the page the block stands that shows this question or exercise; -1 = nowhere.
int block_of(const Document& page, Block::Kind kind, const std::string& name) {
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    const Block& block = page.blocks[i];
    if (block.kind == kind && std::find(block.words.begin(), block.words.end(), name) != block.words.end())
      return int(i);
  }
  return -1;
}

struct OpenItem {
  std::string words;
  int block = -1;
};

std::vector<OpenItem> open_items(Workbook& book, const Lesson& lesson, const Document& page) {
  std::vector<OpenItem> items;
  LessonProgress& progress = book.progress.lessons[lesson.slug];
  int number = 0;
  for (const Question& question : lesson.quiz.questions) {
    ++number;
    const QuestionProgress& state = progress.questions[question.name];
    if (state.right || state.revealed) continue;
    items.push_back({fmt::format("Question {}", number), block_of(page, Block::Kind::quiz, question.name)});
  }
  for (const Exercise& exercise : lesson.exercises) {
    if (progress.exercises[exercise.name].passed) continue;
    items.push_back(
        {title_of(exercise, book.locale()), block_of(page, Block::Kind::exercise, exercise.name)});
  }
  return items;
}

void draw_end_card(Frame& frame, const Lesson& lesson, const Document* page, float width) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  const LessonTally tally = tally_of(lesson, book.progress);
  Card card(look, "lesson.end", width, look.colours.panel, look.colours.line, 20,
            tally.complete() ? look.colours.success : look.colours.accent);
  const float inner = card.inner_width();
  caption(look, "The end of this lesson", look.colours.muted);
  const int done = tally.answered + tally.passed, all = tally.questions + tally.exercises;
  const std::string headline = tally.complete() ? std::string("✓ All done")
                               : all == 0       ? std::string("Nothing to answer here")
                                          : fmt::format("{} of {} questions and exercises done", done, all);
  wrapped(look, headline, look.fonts.h3, tally.complete() ? look.colours.success : look.colours.ink, inner);
  look.marks.item("lesson.end.headline", headline);
  const std::vector<OpenItem> open = page ? open_items(book, lesson, *page) : std::vector<OpenItem>{};
  if (!open.empty()) {
    gap(look, 12);
    wrapped(look, "Still open", look.fonts.bold, look.colours.ink, inner);
    gap(look, 4);
    const float right = ImGui::GetCursorScreenPos().x + inner;
    for (size_t i = 0; i < open.size(); ++i) {
      const float needed =
          look.fonts.label->CalcTextSizeA(size_of(look.fonts.label), FLT_MAX, 0, open[i].words.c_str()).x +
          look.dp(24);
      if (i > 0) {
        ImGui::SameLine(0, look.dp(8));
        if (ImGui::GetCursorScreenPos().x + needed > right) ImGui::NewLine();
      }
      if (button(look, fmt::format("lesson.open.{}", i), open[i].words, ButtonKind::plain,
                 open[i].block >= 0))
        go_to(book, {Place::Kind::lesson, lesson.slug, {}, open[i].block});
    }
  }
  if (tally.sure_and_wrong > 0) {
    gap(look, 12);
    if (button(look, "lesson.end.review",
               fmt::format("Review {} {} that you were sure of", tally.sure_and_wrong,
                           tally.sure_and_wrong == 1 ? "answer" : "answers")))
      perform(book, Command::review);
  }
}

}  // namespace

void draw_lesson_end(Frame& frame, const Lesson& lesson, const Document* page, float width) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  gap(look, 40);
  draw_end_card(frame, lesson, page, width);
  gap(look, 24);
  if (!lesson.sources.empty()) {
    std::string sources = "Sources: ";
    for (size_t i = 0; i < lesson.sources.size(); ++i) sources += (i ? "; " : "") + lesson.sources[i];
    wrapped(look, sources, look.fonts.caption, look.colours.muted, width);
    gap(look, 16);
  }
  const auto& lessons = book.library->lessons;
  const auto here =
      std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& l) { return l.slug == lesson.slug; });
  const bool has_next = here != lessons.end() && here + 1 != lessons.end();
  if (has_next) {
    const Lesson& next = *(here + 1);
    caption(look,
            next.minutes > 0 ? fmt::format("Next, about {} minutes", next.minutes) : std::string("Next"),
            look.colours.muted);
    if (!next.summary.empty())
      wrapped(look, next.summary.in(book.locale()), look.fonts.label, look.colours.ink, width);
    gap(look, 8);
  }
  if (here != lessons.begin() && here != lessons.end()) {
    if (button(look, "page.previous", "← " + (here - 1)->title.in(book.locale()), ButtonKind::plain, true,
               "Alt+Left"))
      step_lesson(book, -1);
    ImGui::SameLine();
  }
  if (has_next) {
    if (button(look, "page.next", (here + 1)->title.in(book.locale()) + " →", ButtonKind::primary, true,
               "Alt+Right"))
      step_lesson(book, 1);
  } else if (button(look, "page.overview", "All lessons", ButtonKind::primary)) {
    perform(book, Command::overview);
  }
  gap(look, 60);
}

}  // namespace warpbook::ui
