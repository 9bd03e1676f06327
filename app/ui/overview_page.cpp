// All lessons on one page: what each is about, what it needs, how long it takes, how far the learner is; and
// from here to the review and to a report that prints.
#include <fmt/format.h>
#include <imgui.h>

#include "lesson/progress_report.h"
#include "ui/imgui_compat.h"
#include "ui/palette.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace warpbook::ui {

namespace {

std::string minutes_words(int minutes) {
  if (minutes < 90) return fmt::format("about {} minutes", minutes);
  return fmt::format("about {:.2g} hours", double((minutes + 15) / 30) / 2);
}

// "needs Hello, grid ✓": a tick where the learner has done it.
void draw_needs(Frame& frame, const Lesson& lesson) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  std::string words;
  for (const std::string& slug : lesson.needs) {
    const Lesson* needed = book.library->lesson(slug);
    words += words.empty() ? "Builds on " : ", ";
    words += needed ? needed->title.in(book.locale()) : slug;
    if (needed && tally_of(*needed, book.progress).complete()) words += " ✓";
  }
  caption(look, words.empty() ? "Needs nothing before it" : words, look.colours.muted);
  look.marks.item("overview." + lesson.slug + ".needs", words);
}

void draw_lesson_entry(Frame& frame, const Lesson& lesson, float width) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  const LessonTally tally = tally_of(lesson, book.progress);
  const int done = tally.answered + tally.passed, all = tally.questions + tally.exercises;
  const std::string name = "overview." + lesson.slug;
  Card card(look, name, width, look.colours.panel, look.colours.line, 16,
            tally.complete() ? look.colours.success : 0);
  const float inner = card.inner_width();
  std::string facts = fmt::format("Lesson {}", lesson.slug.substr(0, lesson.slug.find('-')));
  if (lesson.minutes > 0) facts += "  ·  " + minutes_words(lesson.minutes);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float button_width = look.dp(96);
  ImGui::BeginGroup();
  caption(look, facts, look.colours.muted);
  wrapped(look, lesson.title.in(book.locale()), look.fonts.h3, look.colours.ink,
          inner - button_width - look.dp(16));
  ImGui::EndGroup();
  const ImVec2 below = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(ImVec2(corner.x + inner - button_width, corner.y + look.dp(4)));
  const char* label = tally.complete() ? "Read again" : done > 0 || tally.opened ? "Go on" : "Begin";
  if (button(look, name + ".open", label, tally.complete() ? ButtonKind::plain : ButtonKind::primary, true,
             "", button_width))
    go_to(book, {Place::Kind::lesson, lesson.slug, {}, -1});
  ImGui::SetCursorScreenPos(below);
  if (!lesson.summary.empty()) {
    gap(look, 2);
    wrapped(look, lesson.summary.in(book.locale()), look.fonts.label, look.colours.ink, inner);
  }
  gap(look, 2);
  draw_needs(frame, lesson);
  gap(look, 6);
  const ImVec2 strip = ImGui::GetCursorScreenPos();
  lane_strip(look, strip.x, strip.y, inner, look.dp(4), all == 0 ? 0 : 32 * done / all, look.colours.accent,
             look.colours.line);
  ImGui::Dummy(ImVec2(inner, look.dp(4)));
  const std::string progress =
      all == 0 ? std::string("Nothing to answer here")
               : fmt::format("{}{} of {} questions, {} of {} exercises", tally.complete() ? "✓ " : "",
                             tally.answered, tally.questions, tally.passed, tally.exercises);
  caption(look, progress, tally.complete() ? look.colours.success : look.colours.muted);
  look.marks.item(name + ".progress", progress);
}

}  // namespace

void draw_overview(Frame& frame, float width) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  int minutes = 0, complete = 0;
  for (const Lesson& lesson : book.library->lessons) {
    minutes += lesson.minutes;
    complete += tally_of(lesson, book.progress).complete();
  }
  wrapped(look, "All lessons", look.fonts.h1, look.colours.ink);
  gap(look, 4);
  std::string facts = fmt::format("{} of {} lessons done", complete, book.library->lessons.size());
  if (minutes > 0) facts += fmt::format("  ·  {} in all", minutes_words(minutes));
  caption(look, facts, look.colours.muted);
  look.marks.item("overview.facts", facts);
  gap(look, 12);
  const size_t due = review_list(book).size();
  if (button(look, "overview.review",
             due == 0 ? std::string("Nothing to review") : fmt::format("Review {} of your answers", due),
             due == 0 ? ButtonKind::plain : ButtonKind::primary, due > 0,
             "Questions that you were sure of and got wrong come back here"))
    perform(book, Command::review);
  ImGui::SameLine();
  if (button(look, "overview.report", "Save a report of my progress", ButtonKind::plain, true,
             "One HTML file that any browser shows and prints"))
    perform(book, Command::report);
  for (const Lesson& lesson : book.library->lessons) {
    gap(look, 16);
    draw_lesson_entry(frame, lesson, width);
  }
  gap(look, 60);
}

}  // namespace warpbook::ui
