// The page column: a lesson, a reference page or the settings, at most 72 characters wide, calm.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "base/text.h"
#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace warpbook::ui {

namespace {

constexpr float text_width_dp = 640;

std::string text_of(const std::vector<warpbook::Run>& runs) {
  std::string text;
  for (const warpbook::Run& run : runs) text += run.text;
  return text;
}

// Scrolls to what was asked for, once its place is known.
class ScrollTarget {
 public:
  explicit ScrollTarget(Workbook& book) : book_(book) {}
  void before(const Block& block, size_t index, float y) {
    if (!book_.scroll_wanted) return;
    const bool by_block = book_.place.block >= 0 && size_t(book_.place.block) == index;
    const bool by_anchor = !book_.place.anchor.empty() && block.kind == Block::Kind::heading &&
                           heading_anchor(text_of(block.runs)) == book_.place.anchor;
    if (by_block || by_anchor) found_ = y - ImGui::GetWindowPos().y + ImGui::GetScrollY();
  }
  void finish(float kept_scroll, float margin) {
    if (!book_.scroll_wanted) return;
    const bool asked = book_.place.block >= 0 || !book_.place.anchor.empty();
    if (asked && found_ >= 0) {
      ImGui::SetScrollY(std::max(0.0f, found_ - margin));
    } else {
      ImGui::SetScrollY(kept_scroll);
    }
    book_.scroll_wanted = false;
    book_.place.block = -1;
    book_.place.anchor.clear();
  }

 private:
  Workbook& book_;
  float found_ = -1;
};

void draw_lesson_head(Frame& frame, const Lesson& lesson, float width) {
  Look& look = frame.look;
  const auto [done, all] = progress_of(frame.book, lesson);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const int lit = all == 0 ? 0 : int(32.0 * done / all);
  lane_strip(look, corner.x, corner.y, width, look.dp(6), lit, look.colours.accent, look.colours.line);
  ImGui::Dummy(ImVec2(width, look.dp(6)));
  look.marks.item("lesson.lanes", fmt::format("{} of {}", done, all));
  hover_text(look, all == 0 ? "Nothing to answer here"
                            : fmt::format("{} of {} questions and exercises done", done, all));
  gap(look, 12);
  std::string facts = fmt::format("Lesson {}", lesson.slug.substr(0, lesson.slug.find('-')));
  if (lesson.minutes > 0) facts += fmt::format("  ·  about {} minutes", lesson.minutes);
  if (all > 0) facts += fmt::format("  ·  {} of {} done", done, all);
  caption(look, facts, look.colours.muted);
  gap(look, 4);
}

void draw_live(Frame& frame, const Lesson& lesson, const Block& block, float width) {
  const std::string first = block.words.empty() ? std::string() : block.words.front();
  switch (block.kind) {
    case Block::Kind::lab:
      if (const Lab* lab = lesson.lab(first)) draw_lab_card(frame, lesson, *lab, width);
      break;
    case Block::Kind::predict: draw_predict_card(frame, lesson, block, width); break;
    case Block::Kind::quiz:
      for (size_t i = 0; i < block.words.size(); ++i) {
        if (i > 0) gap(frame.look, 16);
        if (const Question* question = lesson.quiz.question(block.words[i]))
          draw_quiz_card(frame, lesson, *question, width);
      }
      break;
    case Block::Kind::exercise:
      if (const Exercise* exercise = lesson.exercise(first))
        draw_exercise_card(frame, lesson, *exercise, width);
      break;
    case Block::Kind::live_code: draw_live_code(frame, lesson, block, width); break;
    case Block::Kind::figure: draw_figure(frame, lesson.folder / first, block.runs, width); break;
    case Block::Kind::image: draw_figure(frame, lesson.folder / block.text, block.runs, width); break;
    default: break;
  }
}

void draw_lesson(Frame& frame, const Lesson& lesson, float width) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  const auto found = lesson.pages.find(book.locale());
  const auto page = found == lesson.pages.end() ? lesson.pages.find("en") : found;
  draw_lesson_head(frame, lesson, width);
  ScrollTarget target(book);
  DocumentEvents events;
  if (page != lesson.pages.end()) {
    DocumentView view;
    view.name = "page";
    view.width = width;
    view.live = [&](const Block& block, size_t) { draw_live(frame, lesson, block, width); };
    view.before = [&](const Block& block, size_t index, float y) { target.before(block, index, y); };
    draw_document(look, page->second, view, events);
  }
  draw_lesson_end(frame, lesson, page != lesson.pages.end() ? &page->second : nullptr, width);
  LessonState& state = book.lessons[lesson.slug];
  const bool restored = book.scroll_wanted;
  target.finish(look.dp(state.scroll), look.dp(24));
  if (!restored) state.scroll = ImGui::GetScrollY() / look.scale;
  LessonProgress& progress = book.progress.lessons[lesson.slug];
  if (std::abs(progress.scroll - state.scroll) > 20) {
    progress.scroll = state.scroll;
    note_progress(book);
  }
  handle(frame, events);
}

void draw_reference(Frame& frame, const ReferencePage& page, float width) {
  Look& look = frame.look;
  ScrollTarget target(frame.book);
  DocumentEvents events;
  DocumentView view;
  view.name = "page";
  view.width = width;
  view.live = [&](const Block& block, size_t) {
    const Path folder = frame.book.session->options.root / "assets" / "pages";
    if (block.kind == Block::Kind::image) draw_figure(frame, folder / block.text, block.runs, width);
  };
  view.before = [&](const Block& block, size_t index, float y) { target.before(block, index, y); };
  draw_document(look, page.document, view, events);
  gap(look, 60);
  target.finish(0, look.dp(24));
  handle(frame, events);
}

void draw_missing_compiler(Frame& frame, float width) {
  Look& look = frame.look;
  Card card(look, "banner.compiler", width, look.colours.panel, look.colours.warning, 16,
            look.colours.warning);
  wrapped(look, "Kernels cannot be compiled on this machine yet", look.fonts.bold, look.colours.ink,
          card.inner_width());
  gap(look, 4);
  wrapped(look, frame.book.compiler_missing, look.fonts.body, look.colours.ink, card.inner_width());
  caption(look, "Reading, questions and predictions work without it.", look.colours.muted);
}

void draw_nothing(Frame& frame) {
  Look& look = frame.look;
  wrapped(look, "No lesson is open", look.fonts.h1, look.colours.ink);
  gap(look, 8);
  if (frame.book.library->lessons.empty()) {
    wrapped(look,
            "No lesson was found. Lessons lie in the folder lessons/ beside kernels/ and quizzes/; --root "
            "names the place that holds them.",
            look.fonts.body, look.colours.ink);
  } else {
    wrapped(look, "Choose one in the contents.", look.fonts.body, look.colours.ink);
  }
}

}  // namespace

void draw_page(Frame& frame) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  const float room = ImGui::GetContentRegionAvail().x;
  const float margin = std::max(look.dp(24), std::min(look.dp(40), (room - look.dp(text_width_dp)) / 2));
  const float width = std::min(look.dp(text_width_dp), room - 2 * margin - look.dp(6));
  const float left = std::max(margin, std::floor((room - width) / 2));
  ImGui::SetCursorPos(ImVec2(left, look.dp(28)));
  ImGui::BeginGroup();
  if (!book.back.empty() && book.place.kind != Place::Kind::lesson) {
    if (button(look, "page.back", "← Back", ButtonKind::quiet, true, "Alt+Backspace")) {
      go_back(book);
      ImGui::EndGroup();
      return;
    }
    gap(look, 12);
  }
  if (!book.compiler_missing.empty() && book.place.kind == Place::Kind::lesson) {
    draw_missing_compiler(frame, width);
    gap(look, 24);
  }
  if (book.place.kind == Place::Kind::settings) {
    draw_settings(frame);
  } else if (book.place.kind == Place::Kind::overview) {
    draw_overview(frame, width);
  } else if (book.place.kind == Place::Kind::review) {
    draw_review(frame, width);
  } else if (book.place.kind == Place::Kind::page) {
    const auto page = std::find_if(book.pages.begin(), book.pages.end(),
                                   [&](const ReferencePage& p) { return p.name == book.place.name; });
    if (page != book.pages.end()) draw_reference(frame, *page, width);
  } else if (const Lesson* lesson = book.lesson()) {
    draw_lesson(frame, *lesson, width);
  } else {
    draw_nothing(frame);
  }
  ImGui::EndGroup();
}

}  // namespace warpbook::ui
