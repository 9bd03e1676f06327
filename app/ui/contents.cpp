// The contents: lessons with their progress as lanes, reference pages, and what could not be loaded with its
// place.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "base/text.h"
#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace warpbook::ui {

namespace {

std::string number_of(const Lesson& lesson) { return lesson.slug.substr(0, lesson.slug.find('-')); }

void draw_lesson_row(Frame& frame, const Lesson& lesson, bool folded) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  const bool here = book.place.kind == Place::Kind::lesson && book.place.name == lesson.slug;
  const auto [done, all] = progress_of(book, lesson);
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string title = lesson.title.in(book.locale());
  ImFont* font = here ? look.fonts.label_bold : look.fonts.label;
  const float number_width = look.dp(34);
  const float text_width = width - number_width - look.dp(20);
  const float text_height =
      folded ? 0 : font->CalcTextSizeA(size_of(font), FLT_MAX, text_width, title.c_str()).y;
  const float height = folded ? look.dp(44) : text_height + look.dp(26);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::PushID(lesson.slug.c_str());
  const bool clicked = ImGui::InvisibleButton("lesson", ImVec2(width, height));
  ImGui::PopID();
  look.marks.item("contents." + lesson.slug, title);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 high(corner.x + width, corner.y + height);
  if (here) {
    list.AddRectFilled(corner, high, look.colours.accent_soft, look.dp(8));
  } else if (ImGui::IsItemHovered()) {
    list.AddRectFilled(corner, high, faded(look.colours.accent_soft, 0.6f), look.dp(8));
  }
  const std::string number = number_of(lesson);
  const Colour number_colour = here ? look.colours.accent : look.colours.muted;
  const int lit = all == 0 ? 0 : int(32.0 * done / all);
  if (folded) {
    ImFont* bold = look.fonts.label_bold;
    const float w = bold->CalcTextSizeA(size_of(bold), FLT_MAX, 0, number.c_str()).x;
    list.AddText(bold, size_of(bold), ImVec2(corner.x + std::floor((width - w) / 2), corner.y + look.dp(9)),
                 here ? look.colours.accent : look.colours.ink, number.c_str());
    lane_strip(look, corner.x + look.dp(6), high.y - look.dp(9), width - look.dp(12), look.dp(3), lit,
               look.colours.accent, look.colours.line);
    hover_text(look, all == 0 ? title : fmt::format("{}\n{} of {} done", title, done, all));
  } else {
    list.AddText(
        look.fonts.mono_small, size_of(look.fonts.mono_small),
        ImVec2(corner.x + look.dp(10),
               corner.y + look.dp(8) + std::floor((size_of(font) - size_of(look.fonts.mono_small)) / 2)),
        number_colour, number.c_str());
    list.AddText(font, size_of(font), ImVec2(corner.x + number_width, corner.y + look.dp(8)),
                 look.colours.ink, title.c_str(), nullptr, text_width);
    if (all > 0) {
      lane_strip(look, corner.x + number_width, corner.y + look.dp(8) + text_height + look.dp(6), text_width,
                 look.dp(3), lit, look.colours.accent, look.colours.line);
    }
    if (all > 0 && done == all)
      list.AddText(look.fonts.label_bold, size_of(look.fonts.label_bold),
                   ImVec2(high.x - look.dp(22), corner.y + look.dp(8)), look.colours.success, "✓");
    if (!lesson.summary.empty()) hover_text(look, lesson.summary.in(book.locale()));
  }
  if (clicked) go_to(book, {Place::Kind::lesson, lesson.slug, {}, -1});
}

/// A reference page in one word, for the folded column: pages cannot be told apart by their letters.
std::string short_name(const ReferencePage& page) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {{"emulator-coverage", "PTX"},
                                                                     {"emulator-speed", "Speed"},
                                                                     {"glossary", "Terms"},
                                                                     {"how-numbers-are-made", "Count"},
                                                                     {"how-time-is-modelled", "Model"},
                                                                     {"keys", "Keys"},
                                                                     {"with-a-gpu", "GPU"}};
  for (const auto& [file, name] : names)
    if (file == page.name) return std::string(name);
  return page.title.substr(0, page.title.find(' '));
}

void draw_page_row(Frame& frame, const Place& place, const std::string& title, const std::string& sign,
                   bool folded) {
  Look& look = frame.look;
  const bool here = frame.book.place == place;
  const float width = ImGui::GetContentRegionAvail().x;
  // A title that is wider than the column goes on in a second line.
  ImFont* font = look.fonts.label;
  const float text_width = width - look.dp(34 + 8);
  const float text_height =
      folded ? size_of(font) : font->CalcTextSizeA(size_of(font), FLT_MAX, text_width, title.c_str()).y;
  const float height = std::max(look.dp(34), text_height + look.dp(16));
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::PushID((place.name + sign).c_str());
  const bool clicked = ImGui::InvisibleButton("page", ImVec2(width, height));
  ImGui::PopID();
  look.marks.item("contents." + place.name, title);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (here || ImGui::IsItemHovered())
    list.AddRectFilled(corner, ImVec2(corner.x + width, corner.y + height),
                       faded(look.colours.accent_soft, here ? 1.0f : 0.6f), look.dp(8));
  const float y = corner.y + std::floor((height - text_height) / 2);
  if (folded) {
    // A word stands in smaller letters than a sign, and may reach into the column's edges.
    ImFont* face = decode_utf8(sign).size() > 1 ? look.fonts.caption : look.fonts.label;
    const std::string shown = fitted(face, sign, width + look.dp(6));
    const float w = face->CalcTextSizeA(size_of(face), FLT_MAX, 0, shown.c_str()).x;
    list.AddText(
        face, size_of(face),
        ImVec2(corner.x + std::floor((width - w) / 2), corner.y + std::floor((height - size_of(face)) / 2)),
        here ? look.colours.accent : look.colours.muted, shown.c_str());
    hover_text(look, title);
  } else {
    list.AddText(look.fonts.label, size_of(look.fonts.label), ImVec2(corner.x + look.dp(10), y),
                 look.colours.muted, sign.c_str());
    list.AddText(font, size_of(font), ImVec2(corner.x + look.dp(34), y),
                 here ? look.colours.accent : look.colours.ink, title.c_str(), nullptr, text_width);
  }
  if (clicked) go_to(frame.book, place);
}

void draw_troubles(Frame& frame) {
  Look& look = frame.look;
  gap(look, 16);
  caption(look, "Could not be loaded", look.colours.error);
  for (size_t i = 0; i < frame.book.troubles.size(); ++i) {
    const Error& error = frame.book.troubles[i];
    Card card(look, fmt::format("trouble.{}", i), ImGui::GetContentRegionAvail().x, look.colours.panel,
              look.colours.error, 10);
    std::string place = Path(error.where.file).filename().string();
    const std::string folder = Path(error.where.file).parent_path().filename().string();
    if (!folder.empty()) place = folder + "/" + place;
    if (error.where.line > 0) place += fmt::format(":{}", error.where.line);
    if (error.where.line > 0 && error.where.column > 0) place += fmt::format(":{}", error.where.column);
    if (!error.where.file.empty())
      wrapped(look, place, look.fonts.caption_bold, look.colours.error, card.inner_width());
    wrapped(look, error.message, look.fonts.caption, look.colours.ink, card.inner_width());
    if (!error.hint.empty())
      wrapped(look, error.hint, look.fonts.caption, look.colours.muted, card.inner_width());
  }
}

}  // namespace

void draw_contents(Frame& frame, bool folded) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  const ImVec2 size = ImGui::GetContentRegionAvail();
  // Folded, a word fills the column: the bar beside it is a mere line.
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, folded ? 1.0f : ImGui::GetStyle().ScrollbarSize);
  begin_region("contents.inner", size.x, size.y, true, look.dp(folded ? 8 : 12), look.dp(16));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look.dp(4), look.dp(4)));
  draw_page_row(frame, {Place::Kind::overview, "overview", {}, -1}, "All lessons", "⌂", folded);
  if (const size_t due = review_list(book).size(); due > 0 || book.place.kind == Place::Kind::review)
    draw_page_row(frame, {Place::Kind::review, "review", {}, -1}, fmt::format("Review ({})", due), "↺",
                  folded);
  gap(look, 12);
  if (!folded) caption(look, "Lessons", look.colours.muted);
  for (const Lesson& lesson : book.library->lessons) draw_lesson_row(frame, lesson, folded);
  if (!book.pages.empty()) {
    gap(look, 16);
    if (!folded) caption(look, "Reference", look.colours.muted);
    for (const ReferencePage& page : book.pages)
      draw_page_row(frame, {Place::Kind::page, page.name, {}, -1}, page.title,
                    folded ? short_name(page) : "·", folded);
  }
  gap(look, 16);
  draw_page_row(frame, {Place::Kind::settings, "settings", {}, -1}, "Settings", "⚙", folded);
  if (!book.troubles.empty()) {
    if (folded) {
      const std::string count =
          fmt::format("{} files could not be loaded: unfold the contents to see them", book.troubles.size());
      plain_chip(look, "contents.troubles", fmt::format("✗ {}", book.troubles.size()), look.colours.error,
                 look.colours.panel, count);
    } else {
      draw_troubles(frame);
    }
  }
  ImGui::PopStyleVar();
  end_region();
  ImGui::PopStyleVar();
}

}  // namespace warpbook::ui
