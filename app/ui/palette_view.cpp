// The palette and the page of keys on screen: a sheet over the dimmed window.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "ui/imgui_compat.h"
#include "ui/keys.h"
#include "ui/palette.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace warpbook::ui {

namespace {

bool begin_sheet(Look& look, const char* name, float width, float top) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  width = std::min(look.dp(width), display.x - look.dp(48));
  ImGui::SetNextWindowPos(ImVec2(std::floor((display.x - width) / 2), look.dp(top)));
  ImGui::SetNextWindowSize(ImVec2(width, 0));
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0),
                                      ImVec2(width, display.y - look.dp(top) - look.dp(40)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.dp(16), look.dp(16)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, look.dp(10));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0f, look.dp(1)));
  const bool open = ImGui::BeginPopupModal(name, nullptr,
                                           ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                               ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(3);
  return open;
}

bool clicked_outside() {
  const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize(), mouse = ImGui::GetIO().MousePos;
  const bool inside =
      mouse.x >= low.x && mouse.y >= low.y && mouse.x < low.x + size.x && mouse.y < low.y + size.y;
  return ImGui::IsMouseClicked(0) && !inside && !ImGui::IsWindowAppearing();
}

}  // namespace

void draw_palette(Frame& frame) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  PaletteState& state = book.palette;
  if (book.palette_open && !ImGui::IsPopupOpen("palette")) {
    ImGui::OpenPopup("palette");
    state.query.clear();
    state.chosen = 0;
    state.entries = palette_entries(book);
    state.found = search_palette(state.entries, "");
  }
  if (!begin_sheet(look, "palette", 640, 88)) return;
  const float row = look.dp(48);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(look.dp(12), look.dp(8)));
  if (ImGui::InputTextWithHint("###palette.query", "Search lessons, pages and commands", &state.query)) {
    state.found = search_palette(state.entries, state.query);
    state.chosen = 0;
  }
  ImGui::PopStyleVar();
  look.marks.item("palette.query", state.query);
  const int count = int(state.found.size());
  const int before = state.chosen;
  if (pressed(Key::down, {}, true)) ++state.chosen;
  if (pressed(Key::up, {}, true)) --state.chosen;
  state.chosen = std::clamp(state.chosen, 0, std::max(0, count - 1));
  bool take = pressed(Key::enter) || pressed(Key::keypad_enter);
  const float height = std::min(float(std::max(count, 1)) * row,
                                std::min(look.dp(432), ImGui::GetIO().DisplaySize.y - look.dp(240)));
  begin_region("palette.list", ImGui::GetContentRegionAvail().x, height);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (count == 0) {
    gap(look, 12);
    caption(look, "Nothing found. Other words?", look.colours.muted);
  }
  for (int i = 0; i < count; ++i) {
    const PaletteMatch& match = state.found[size_t(i)];
    const PaletteEntry& entry = state.entries[match.entry];
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(i);
    if (ImGui::InvisibleButton("row", ImVec2(width, row))) {
      state.chosen = i;
      take = true;
    }
    ImGui::PopID();
    look.marks.item(fmt::format("palette.{}", i), entry.title);
    if (ImGui::IsItemHovered() && (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0))
      state.chosen = i;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool on = i == state.chosen;
    if (on)
      list.AddRectFilled(corner, ImVec2(corner.x + width, corner.y + row), look.colours.accent_soft,
                         look.dp(6));
    if (on && before != state.chosen) ImGui::SetScrollHereY(0.5f);
    list.PushClipRect(corner, ImVec2(corner.x + width, corner.y + row), true);
    const bool two = !match.snippet.empty();
    const float y = corner.y + (two ? look.dp(5) : std::floor((row - size_of(look.fonts.label)) / 2));
    list.AddText(look.fonts.label, size_of(look.fonts.label), ImVec2(corner.x + look.dp(12), y),
                 look.colours.ink, entry.title.c_str());
    ImFont* small = look.fonts.caption;
    const float detail = small->CalcTextSizeA(size_of(small), FLT_MAX, 0, entry.detail.c_str()).x;
    list.AddText(small, size_of(small), ImVec2(corner.x + width - look.dp(12) - detail, y + look.dp(2)),
                 look.colours.muted, entry.detail.c_str());
    if (two)
      list.AddText(small, size_of(small), ImVec2(corner.x + look.dp(12), corner.y + look.dp(27)),
                   look.colours.muted, match.snippet.c_str());
    list.PopClipRect();
  }
  ImGui::PopStyleVar();
  end_region();
  const bool escape = pressed(Key::escape);
  if (take && count > 0) {
    const PaletteEntry entry = state.entries[state.found[size_t(state.chosen)].entry];
    book.palette_open = false;
    ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (entry.command != Command::none) {
      perform(book, entry.command);
    } else {
      go_to(book, entry.place);
    }
    return;
  }
  if (escape || clicked_outside()) {
    book.palette_open = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

void draw_keys(Frame& frame) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  if (book.keys_open && !ImGui::IsPopupOpen("keys")) ImGui::OpenPopup("keys");
  if (!begin_sheet(look, "keys", 520, 88)) return;
  wrapped(look, "Keys", look.fonts.h2, look.colours.ink);
  gap(look, 4);
  KeyWords::Where group = KeyWords::Where::everywhere;
  for (const KeyWords& row : key_words()) {
    if (row.where != group) {
      group = row.where;
      gap(look, 8);
      caption(look, group == KeyWords::Where::picture ? "In a picture" : "In the editor", look.colours.muted);
    }
    const float x = ImGui::GetCursorPosX();
    wrapped(look, std::string(row.keys), look.fonts.mono_small, look.colours.accent);
    ImGui::SameLine();
    ImGui::SetCursorPosX(x + look.dp(190));
    wrapped(look, std::string(row.what), look.fonts.label, look.colours.ink);
  }
  gap(look, 16);
  const bool close = button(look, "keys.close", "Close", ButtonKind::primary);
  if (close || pressed(Key::escape) || clicked_outside()) {
    book.keys_open = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace warpbook::ui
