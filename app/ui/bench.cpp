// The column beside the page: the lesson's labs and exercises by name, one of them open.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace warpbook::ui {

void draw_bench(Frame& frame) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  const float padding = look.dp(24);
  const ImVec2 size = ImGui::GetContentRegionAvail();
  begin_region("bench.inner", size.x, size.y, false, padding, look.dp(16));
  const Lesson* lesson = book.lesson();
  if (!lesson) {
    gap(look, 12);
    caption(look, "Labs and exercises open here beside a lesson.", look.colours.muted);
    end_region();
    return;
  }
  LessonState& state = book.lesson_state();
  // All labs and exercises of the lesson, in order; the open one is lit.
  struct Entry {
    std::string title, name;
    bool exercise, passed;
  };
  std::vector<Entry> entries;
  for (const Lab& lab : lesson->labs)
    entries.push_back({title_of(*lesson, lab, book.locale()), lab.name, false, false});
  for (const Exercise& exercise : lesson->exercises) {
    entries.push_back({title_of(exercise, book.locale()), exercise.name, true,
                       book.progress.lessons[lesson->slug].exercises[exercise.name].passed});
  }
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const bool on = entry.exercise == state.bench_is_exercise && entry.name == state.bench;
    const std::string sign = entry.passed ? "✓ " : "";
    const std::string label = sign + entry.title;
    ImFont* font = look.fonts.caption_bold;
    const float width = font->CalcTextSizeA(size_of(font), FLT_MAX, 0, label.c_str()).x + look.dp(24);
    if (i > 0) {
      ImGui::SameLine(0, look.dp(6));
      if (ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
    }
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 extent(width, look.dp(28));
    ImGui::PushID(int(i));
    const bool clicked = ImGui::InvisibleButton("bench.entry", extent);
    ImGui::PopID();
    look.marks.item("bench." + entry.name, label);
    hover_text(look, entry.exercise ? "Exercise" : "Lab");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 high(corner.x + extent.x, corner.y + extent.y);
    if (on) {
      list.AddRectFilled(corner, high, look.colours.accent, look.dp(14));
    } else if (ImGui::IsItemHovered()) {
      list.AddRectFilled(corner, high, look.colours.accent_soft, look.dp(14));
    }
    if (!on)
      list.AddRect(corner, high, look.colours.line, entry.exercise ? look.dp(4) : look.dp(14), 0,
                   std::max(1.0f, look.dp(1)));
    list.AddText(font, size_of(font),
                 ImVec2(corner.x + look.dp(12), corner.y + std::floor((extent.y - size_of(font)) / 2)),
                 on ? look.colours.on_accent : look.colours.ink, label.c_str());
    if (clicked) {
      if (entry.exercise) {
        show_exercise(book, entry.name);
      } else {
        show_lab(book, entry.name);
      }
    }
  }
  gap(look, 14);
  if (state.bench_is_exercise) {
    if (const Exercise* exercise = lesson->exercise(state.bench)) draw_exercise(frame, *lesson, *exercise);
  } else if (const Lab* lab = lesson->lab(state.bench)) {
    draw_lab(frame, *lesson, *lab);
  } else {
    caption(look, "This lesson has no lab.", look.colours.muted);
  }
  end_region();
}

}  // namespace warpbook::ui
