#include "ui/shell.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "ui/imgui_compat.h"
#include "ui/keys.h"
#include "ui/palette.h"
#include "ui/widgets.h"

namespace warpbook::ui {

namespace {

constexpr float bar_height = 52, contents_width = 240, folded_width = 56, least_lab = 420, least_page = 420;

void draw_bar(Frame& frame, float width) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float height = look.dp(bar_height);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, ImVec2(corner.x + width, corner.y + height), look.colours.panel);
  list.AddRectFilled(ImVec2(corner.x, corner.y + height - look.dp(1)),
                     ImVec2(corner.x + width, corner.y + height), look.colours.line);
  ImGui::SetCursorScreenPos(ImVec2(corner.x + look.dp(12), corner.y + look.dp(10)));
  if (icon_button(look, "bar.contents", "☰", "Fold or unfold the contents"))
    perform(book, Command::fold_contents);
  const float name_x = corner.x + look.dp(56);
  ImFont* bold = look.fonts.h3;
  list.AddText(bold, size_of(bold),
               ImVec2(name_x, corner.y + std::floor((height - size_of(bold)) / 2) - look.dp(3)),
               look.colours.ink, "Warpbook");
  const float name_width = bold->CalcTextSizeA(size_of(bold), FLT_MAX, 0, "Warpbook").x;
  lane_strip(look, name_x, corner.y + height - look.dp(15), name_width, look.dp(4), 32, look.colours.accent,
             look.colours.line);

  // From the right: settings, engine.
  const std::string engine = book.engine == "emulator" ? "Emulator" : book.engine;
  const float chip_width =
      look.fonts.caption->CalcTextSizeA(size_of(look.fonts.caption), FLT_MAX, 0, engine.c_str()).x +
      look.dp(16);
  float right = corner.x + width - look.dp(12) - look.dp(32);
  ImGui::SetCursorScreenPos(ImVec2(right, corner.y + look.dp(10)));
  if (icon_button(look, "bar.settings", "⚙", "Settings")) perform(book, Command::settings);
  right -= look.dp(40);
  ImGui::SetCursorScreenPos(ImVec2(right, corner.y + look.dp(10)));
  if (icon_button(look, "bar.theme", look.colours.dark ? "☼" : "☾",
                  look.colours.dark ? "Light colours" : "Dark colours")) {
    book.settings.theme = look.colours.dark ? "light" : "dark";
    book.settings_changed = book.look_changed = true;
  }
  right -= chip_width + look.dp(12);
  ImGui::SetCursorScreenPos(ImVec2(right, corner.y + look.dp(15)));
  plain_chip(look, "bar.engine", engine, look.colours.accent_soft, look.colours.accent,
             book.engine == "emulator"
                 ? fmt::format("Kernels run on the built-in emulator, with the limits of {}", book.gpu.name)
                 : fmt::format("Kernels run on {}", book.engine));
  // The search field takes the middle; it is a button that opens the palette.
  const float search_width = std::min(look.dp(360), right - name_x - name_width - look.dp(64));
  if (search_width > look.dp(120)) {
    const ImVec2 at(std::floor(name_x + name_width + (right - name_x - name_width - search_width) / 2),
                    corner.y + look.dp(10));
    const ImVec2 size(search_width, look.dp(32));
    ImGui::SetCursorScreenPos(at);
    if (ImGui::InvisibleButton("bar.search", size)) book.palette_open = true;
    const bool hovered = ImGui::IsItemHovered();
    look.marks.item("bar.search", "Search");
    list.AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y),
                       hovered ? look.colours.accent_soft : look.colours.sunken, look.dp(8));
    ImFont* body = look.fonts.label;
    const float y = at.y + std::floor((size.y - size_of(body)) / 2);
    list.AddText(body, size_of(body), ImVec2(at.x + look.dp(12), y), look.colours.muted, "Search");
    const float keys = look.fonts.caption->CalcTextSizeA(size_of(look.fonts.caption), FLT_MAX, 0, "Ctrl+K").x;
    list.AddText(look.fonts.caption, size_of(look.fonts.caption),
                 ImVec2(at.x + size.x - look.dp(12) - keys,
                        at.y + std::floor((size.y - size_of(look.fonts.caption)) / 2)),
                 look.colours.muted, "Ctrl+K");
  }
}

void vertical_line(Look& look, float x, float y0, float y1) {
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, y0), ImVec2(x + std::max(1.0f, look.dp(1)), y1),
                                            look.colours.line);
}

// Between page and lab: a line that can be dragged; the width is kept in the settings.
void draw_splitter(Frame& frame, float x, float y, float height, float page_dp) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  const float grip = look.dp(8);
  ImGui::SetCursorScreenPos(ImVec2(x - grip / 2, y));
  ImGui::InvisibleButton("splitter", ImVec2(grip, height));
  look.marks.item("splitter");
  const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  if (active || hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (active && ImGui::GetIO().MouseDelta.x != 0) {
    book.settings.page_width =
        std::clamp(page_dp + ImGui::GetIO().MouseDelta.x / look.scale, least_page, 4000.0f);
    book.settings_changed = true;
    book.changed_at = book.now;
  }
  if (hovered && ImGui::IsMouseDoubleClicked(0)) book.settings.page_width = 0;
  if (active || hovered) {
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x - look.dp(1), y), ImVec2(x + look.dp(1), y + height),
                                              look.colours.accent);
  } else {
    vertical_line(look, x, y, y + height);
  }
}

void take_keys(Frame& frame) {
  Workbook& book = frame.book;
  const bool sheet = book.palette_open || book.keys_open;
  Marks& marks = frame.look.marks;
  if (pressed(Key::tab, {}, true)) marks.step_focus(1);
  if (pressed(Key::tab, {false, true}, true)) marks.step_focus(-1);
  for (const Shortcut& one : shortcuts()) {
    if (sheet && !one.over_sheets) continue;
    if (!pressed(one.key, one.with, one.repeats)) continue;
    keep_focus();  // Alt and an arrow key would move the focus as well
    perform(book, one.command);
  }
  if (!sheet && pressed(Key::enter) && !ImGui::GetIO().WantTextInput) press_focused();
}

void draw_notice(Frame& frame) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  if (book.notice.empty() || book.now > book.notice_until || look.bare) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImFont* font = look.fonts.label;
  const float most = std::min(look.dp(640), display.x - look.dp(80));
  const ImVec2 extent = font->CalcTextSizeA(size_of(font), FLT_MAX, most, book.notice.c_str());
  const ImVec2 low(std::floor((display.x - extent.x) / 2) - look.dp(16), display.y - extent.y - look.dp(44));
  const ImVec2 high(low.x + extent.x + look.dp(32), low.y + extent.y + look.dp(20));
  look.marks.area("notice", low.x, low.y, high.x, high.y, book.notice);
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(low, high, look.colours.ink, look.dp(8));
  list.AddText(font, size_of(font), ImVec2(low.x + look.dp(16), low.y + look.dp(10)), look.colours.paper,
               book.notice.c_str(), nullptr, most);
}

}  // namespace

Columns columns_of(float width, bool fold_wanted, float page_wanted, bool has_bench) {
  Columns columns;
  columns.contents_folded = fold_wanted || width < 1320;
  columns.contents = columns.contents_folded ? folded_width : contents_width;
  columns.bench = has_bench;
  const float room = std::max(0.0f, width - columns.contents);
  columns.tabs = has_bench && width < 1100;
  if (!has_bench || columns.tabs) {
    columns.page = columns.lab = room;
    return columns;
  }
  const float page = page_wanted > 0 ? page_wanted : std::min(720.0f, room * 0.54f);
  columns.page = std::clamp(page, std::min(least_page, room / 2), std::max(room - least_lab, room / 2));
  columns.lab = room - columns.page;
  return columns;
}

void draw_shell(Frame& frame) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(display);
  ImGui::Begin("shell", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
  take_keys(frame);
  ImGui::PushFont(look.fonts.label);
  draw_bar(frame, display.x);
  const float top = look.dp(bar_height), height = display.y - top;
  const Columns columns = columns_of(display.x / look.scale, book.settings.contents_folded,
                                     book.settings.page_width, book.lesson() != nullptr);
  const float contents = look.dp(columns.contents);
  book.narrow = columns.tabs;

  ImGui::SetCursorScreenPos(ImVec2(0, top));
  begin_region("contents", contents, height, false);
  draw_contents(frame, columns.contents_folded);
  end_region();
  vertical_line(look, contents - look.dp(1), top, display.y);

  float page_top = top;
  if (columns.tabs) {
    ImGui::SetCursorScreenPos(ImVec2(contents + look.dp(24), top + look.dp(4)));
    begin_region("tabs", display.x - contents - look.dp(48), look.dp(40), false);
    book.page_tab_is_lab =
        tab_strip(look, "column", {"Page", book.lesson_state().bench_is_exercise ? "Exercise" : "Lab"},
                  book.page_tab_is_lab ? 1 : 0) == 1;
    end_region();
    page_top += look.dp(44);
  }
  const float page_width = columns.tabs || !columns.bench ? display.x - contents : look.dp(columns.page);
  if (!columns.tabs || !book.page_tab_is_lab) {
    ImGui::SetCursorScreenPos(ImVec2(contents, page_top));
    // Each place is a region of its own, so that it keeps its scroll position.
    begin_region(("page." + book.place.name).c_str(), page_width, display.y - page_top);
    draw_page(frame);
    end_region();
  }
  if (columns.bench && (!columns.tabs || book.page_tab_is_lab)) {
    const float x = columns.tabs ? contents : contents + page_width;
    ImGui::SetCursorScreenPos(ImVec2(x, page_top));
    begin_region("bench", display.x - x, display.y - page_top, false);
    draw_bench(frame);
    end_region();
    if (!columns.tabs) draw_splitter(frame, x, top, height, columns.page);
  }
  draw_palette(frame);
  draw_keys(frame);
  look.marks.draw_focus(look.colours.accent, look.dp(3), std::max(1.0f, look.dp(2)), look.dp(8));
  draw_notice(frame);
  ImGui::PopFont();
  ImGui::End();
}

}  // namespace warpbook::ui
