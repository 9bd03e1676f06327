#include "ui/code_editor.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "ui/code_paint.h"
#include "ui/imgui_compat.h"
#include "ui/text_field.h"
#include "ui/widgets.h"

namespace warpbook::ui {

void CodeEditor::set(std::string new_text) {
  text = std::move(new_text);
  ++version;
  pending.reset();
}

namespace {

void refresh_cache(CodeEditor& editor, Language language) {
  if (editor.cached_version == editor.version && editor.cached_language == language) return;
  editor.cached_version = editor.version;
  editor.cached_language = language;
  editor.tokens = tokenize(editor.text, language);
  editor.lines.assign(1, 0);
  for (size_t at = editor.text.find('\n'); at != std::string::npos; at = editor.text.find('\n', at + 1)) {
    editor.lines.push_back(at + 1);
  }
}

// Keys that edit by rule: what the field itself would do is kept from it.
void take_editing_keys(CodeEditor& editor, FieldRequest& request) {
  ImGuiIO& io = ImGui::GetIO();
  const size_t begin = std::min(editor.selection_begin, editor.text.size());
  const size_t end = std::min(std::max(editor.selection_end, begin), editor.text.size());
  if (pressed(Key::escape)) {
    request.leave = true;  // the field alone would take back all that was typed since it got the keyboard
  } else if (pressed(Key::enter, {}, true) || pressed(Key::keypad_enter, {}, true)) {
    editor.pending = break_line(editor.text, begin, end);
    request.hide_enter = true;
  } else if (pressed(Key::enter, {true})) {
    request.hide_enter = true;  // Ctrl+Enter runs; it must not write
  } else if (pressed(Key::tab, {}, true) || pressed(Key::tab, {false, true}, true)) {
    editor.pending = indent(editor.text, begin, end, io.KeyShift);
    request.hide_tab = true;
  } else if (pressed(Key::slash, {true})) {
    editor.pending = toggle_comment(editor.text, begin, end);
    request.hide_typed = true;
  } else if (io.InputQueueCharacters.Size == 1 && io.InputQueueCharacters[0] == '}') {
    editor.pending = close_brace(editor.text, begin, end);
    request.hide_typed = editor.pending.has_value();
  }
}

void show_match(CodeEditor& editor, const std::vector<size_t>& places) {
  if (places.empty()) return;
  editor.found = ((editor.found % int(places.size())) + int(places.size())) % int(places.size());
  editor.scroll_to_line = line_at(editor.text, places[size_t(editor.found)]) + 1;
}

void find_bar(Look& look, const std::string& name, CodeEditor& editor, float width) {
  const std::vector<size_t> places = find_all(editor.text, editor.needle);
  if (editor.find_focus) {
    ImGui::SetKeyboardFocusHere();
    editor.find_focus = false;
  }
  ImGui::SetNextItemWidth(std::min(look.dp(240), width * 0.5f));
  const bool entered = ImGui::InputTextWithHint(("###" + name + ".find").c_str(), "Find", &editor.needle,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  look.marks.item(name + ".find", editor.needle);
  if (entered) {
    editor.found += ImGui::GetIO().KeyShift ? -1 : 1;
    show_match(editor, places);
    editor.find_focus = true;
  } else if (ImGui::IsItemEdited()) {
    editor.found = 0;
    show_match(editor, find_all(editor.text, editor.needle));
  }
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const std::string count =
      editor.needle.empty() ? std::string()
      : places.empty()
          ? std::string("not found")
          : fmt::format("{} of {}", std::min(editor.found + 1, int(places.size())), places.size());
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(look.colours.muted), "%s", count.c_str());
  ImGui::SameLine();
  if (icon_button(look, name + ".find-close", "×", "Close (Escape)") || pressed(Key::escape))
    editor.find_open = false;
}

}  // namespace

bool code_editor(Look& look, const std::string& name, CodeEditor& editor, const CodeView& view,
                 int* clicked_line) {
  refresh_cache(editor, view.language);
  ImGui::PushID(name.c_str());
  const FontScope font(look.fonts.mono);
  const float width = view.width > 0 ? view.width : ImGui::GetContentRegionAvail().x;
  float height = view.height;
  if (editor.find_open) {
    const float before = ImGui::GetCursorPosY();
    const FontScope body(look.fonts.body);
    find_bar(look, name, editor, width);
    height -= ImGui::GetCursorPosY() - before;
  }

  CodeGeometry geometry;
  geometry.advance = look.fonts.mono->GetCharAdvance('0');
  geometry.line_height = size_of(look.fonts.mono);
  const int digits = std::max(2, int(std::to_string(int(editor.lines.size()) + view.first_line).size()));
  geometry.number_width = float(digits) * look.fonts.mono_small->GetCharAdvance('0') + look.dp(20);
  geometry.note_width = view.gutter && !view.gutter->empty() ? look.dp(100) : 0;
  geometry.gutter_width = geometry.number_width + geometry.note_width;
  geometry.gutter_low = ImGui::GetCursorScreenPos();

  const std::string label = "##field";
  FieldRequest request;
  request.read_only = view.read_only;
  request.size = ImVec2(width - geometry.gutter_width, std::max(height, geometry.line_height * 2));
  request.take_focus = std::exchange(editor.wants_focus, false);
  const bool active = text_field_active(label.c_str());
  if (active && pressed(Key::f, {true})) {
    editor.find_open = editor.find_focus = true;
    const size_t length = editor.selection_end - editor.selection_begin;
    if (length > 0 && length < 80) editor.needle = editor.text.substr(editor.selection_begin, length);
  }
  if (active && !view.read_only && !editor.pending) take_editing_keys(editor, request);
  if (editor.scroll_to_line > 0) {
    request.scroll_y = std::max(
        0.0f, float(editor.scroll_to_line - view.first_line) * geometry.line_height - request.size.y * 0.4f);
    editor.scroll_to_line = 0;
  }
  if (view.read_only) editor.pending.reset();

  ImGui::SetCursorScreenPos(ImVec2(geometry.gutter_low.x + geometry.gutter_width, geometry.gutter_low.y));
  ImGui::PushStyleColor(ImGuiCol_Text, 0u);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, look.colours.sunken);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(look.dp(8), look.dp(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
  const FieldFrame field = text_field(label.c_str(), editor.text, editor.pending, request);
  ImGui::PopStyleVar(3);
  ImGui::PopStyleColor(2);
  look.marks.item(name, editor.text);
  if (field.changed) {
    ++editor.version;
    refresh_cache(editor, view.language);
  }
  editor.focused = field.active;
  if (field.active && !view.read_only) look.marks.keep_tab();
  if (field.active) {
    editor.cursor = field.cursor;
    editor.selection_begin = field.selection_begin;
    editor.selection_end = field.selection_end;
  }
  paint_code(look, editor, view, field, geometry);
  const int clicked = paint_gutter(look, name, editor, view, field, geometry);
  if (clicked_line && clicked > 0) *clicked_line = clicked;
  // The frame goes around gutter and field together, in the accent colour while it has the keyboard.
  ImGui::GetWindowDrawList()->AddRect(
      geometry.gutter_low, ImVec2(geometry.gutter_low.x + width, geometry.gutter_low.y + request.size.y),
      field.active ? look.colours.accent : look.colours.line, 0, 0, std::max(1.0f, look.dp(1)));
  ImGui::PopID();
  return field.changed;
}

std::vector<CodeMark> marks_of(const std::vector<Diagnosis>& diagnoses) {
  std::vector<CodeMark> marks;
  for (const Diagnosis& diagnosis : diagnoses) {
    if (diagnosis.line <= 0) continue;
    marks.push_back({diagnosis.line, diagnosis.column, diagnosis.severity, diagnosis.message,
                     diagnosis.other ? diagnosis.other->line : 0});
    // The second place is underlined as well, with what happens there.
    if (!diagnosis.other || diagnosis.other->line <= 0 || diagnosis.other->line == diagnosis.line) continue;
    const Diagnosis::Other& other = *diagnosis.other;
    std::string text = "and here";
    if (!other.access.empty()) text += fmt::format(": {}", other.access);
    if (other.thread) {
      text += fmt::format(" of thread ({}, {}, {})", other.thread->x, other.thread->y, other.thread->z);
    }
    marks.push_back({other.line, 0, diagnosis.severity, std::move(text), 0});
  }
  return marks;
}

}  // namespace warpbook::ui
