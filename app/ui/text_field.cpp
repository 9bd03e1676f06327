#include "ui/text_field.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "ui/imgui_compat.h"

namespace warpbook::ui {

namespace {

size_t bytes_before(const ImGuiInputTextState& state, int position) {
  position = std::clamp(position, 0, state.CurLenW);
  return size_t(ImTextCountUtf8BytesFromStr(state.TextW.Data, state.TextW.Data + position));
}

int characters_before(const std::string& text, size_t bytes) {
  return ImTextCountCharsFromUtf8(text.c_str(), text.c_str() + std::min(bytes, text.size()));
}

// Makes a key look as if it went down in this frame, or not at all, for the length of one widget's code.
class KeyPretence {
 public:
  KeyPretence()
      : io_(ImGui::GetIO()),
        control_(io_.KeyCtrl),
        shift_(io_.KeyShift),
        alt_(io_.KeyAlt),
        super_(io_.KeySuper),
        modifiers_(io_.KeyMods),
        clipboard_(io_.GetClipboardTextFn),
        clipboard_data_(io_.ClipboardUserData) {
    std::copy(std::begin(io_.KeysDownDuration), std::end(io_.KeysDownDuration), durations_);
    std::copy(std::begin(io_.NavInputsDownDuration), std::end(io_.NavInputsDownDuration), nav_durations_);
  }
  ~KeyPretence() {
    std::copy(std::begin(durations_), std::end(durations_), io_.KeysDownDuration);
    std::copy(std::begin(nav_durations_), std::end(nav_durations_), io_.NavInputsDownDuration);
    io_.KeyCtrl = control_;
    io_.KeyShift = shift_;
    io_.KeyAlt = alt_;
    io_.KeySuper = super_;
    io_.KeyMods = modifiers_;
    io_.GetClipboardTextFn = clipboard_;
    io_.ClipboardUserData = clipboard_data_;
  }
  void hide(Key key) {
    io_.KeysDownDuration[int(key)] = -1;
    hide_navigation();
  }
  void press_alone(Key key, bool with_control) {
    std::fill(std::begin(io_.KeysDownDuration), std::end(io_.KeysDownDuration), -1.0f);
    io_.KeysDownDuration[int(key)] = 0;
    io_.KeyCtrl = with_control;
    io_.KeyShift = io_.KeyAlt = io_.KeySuper = false;
    io_.KeyMods = with_control ? ImGuiKeyModFlags_Ctrl : ImGuiKeyModFlags_None;
    io_.InputQueueCharacters.resize(0);
    hide_navigation();
  }
  void offer_clipboard(const std::string& text) {
    io_.GetClipboardTextFn = [](void* data) { return static_cast<const std::string*>(data)->c_str(); };
    io_.ClipboardUserData = const_cast<std::string*>(&text);
  }

 private:
  ImGuiIO& io_;
  bool control_, shift_, alt_, super_;
  ImGuiKeyModFlags modifiers_;
  const char* (*clipboard_)(void*);
  void* clipboard_data_;
  // Enter also counts as a gamepad's "accept", which would end the editing when the key itself is hidden.
  void hide_navigation() {
    std::fill(std::begin(io_.NavInputsDownDuration), std::end(io_.NavInputsDownDuration), -1.0f);
  }
  float durations_[512];
  float nav_durations_[ImGuiNavInput_COUNT];
};

ImGuiWindow* child_of(ImGuiID id) {
  for (ImGuiWindow* child : ImGui::GetCurrentWindow()->DC.ChildWindows) {
    if (child->ChildId == id) return child;
  }
  return nullptr;
}

}  // namespace

bool text_field_active(const char* label) {
  return GImGui->ActiveId != 0 && GImGui->ActiveId == ImGui::GetCurrentWindow()->GetID(label);
}

FieldFrame text_field(const char* label, std::string& text, std::optional<Edit>& edit,
                      const FieldRequest& request) {
  const ImGuiID id = ImGui::GetCurrentWindow()->GetID(label);
  const bool was_active = GImGui->ActiveId == id;
  ImGuiInputTextState* state = ImGui::GetInputTextState(id);
  FieldFrame frame;
  if (edit && (!was_active || !state)) {
    text = applied(text, *edit);
    frame.changed = true;
    edit.reset();
  }
  if (request.take_focus) ImGui::SetKeyboardFocusHere();
  {
    KeyPretence keys;
    if (request.hide_enter) {
      keys.hide(Key::enter);
      keys.hide(Key::keypad_enter);
    }
    if (request.hide_tab) keys.hide(Key::tab);
    if (request.leave) keys.hide(Key::escape);
    if (request.hide_typed) ImGui::GetIO().InputQueueCharacters.resize(0);
    if (edit) {
      state->Stb.select_start = characters_before(text, edit->begin);
      state->Stb.select_end = state->Stb.cursor = characters_before(text, edit->end);
      if (edit->text.empty()) {
        keys.press_alone(Key::del, false);
      } else {
        keys.press_alone(Key::v, true);
        keys.offer_clipboard(edit->text);
      }
    }
    const ImGuiInputTextFlags flags =
        request.read_only ? ImGuiInputTextFlags_ReadOnly : ImGuiInputTextFlags_None;
    frame.changed = ImGui::InputTextMultiline(label, &text, request.size, flags) || frame.changed;
  }
  if (request.leave && GImGui->ActiveId == id) ImGui::ClearActiveID();
  state = ImGui::GetInputTextState(id);
  frame.active = GImGui->ActiveId == id;
  if (edit && state) {
    state->Stb.select_start = characters_before(text, edit->select_begin);
    state->Stb.select_end = state->Stb.cursor = characters_before(text, edit->select_end);
    state->CursorFollow = true;
    state->CursorAnimReset();
    edit.reset();
  }
  ImGuiWindow* child = child_of(id);
  if (!child) return frame;
  if (request.scroll_y) ImGui::SetScrollY(child, *request.scroll_y);
  frame.scroll_y = child->Scroll.y;
  frame.scroll_y_max = child->ScrollMax.y;
  frame.list = child->DrawList;
  frame.clip_low = child->InnerRect.Min;
  frame.clip_high = child->InnerRect.Max;
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  frame.origin =
      ImVec2(child->InnerRect.Min.x + padding.x, child->InnerRect.Min.y + padding.y - child->Scroll.y);
  if (state && frame.active) {
    frame.origin.x -= state->ScrollX;
    frame.cursor = bytes_before(*state, state->Stb.cursor);
    // Without a selection its two ends lie anywhere, at the same place; the cursor is what counts.
    const bool selected = state->HasSelection();
    const int begin = selected ? std::min(state->Stb.select_start, state->Stb.select_end) : state->Stb.cursor;
    const int end = selected ? std::max(state->Stb.select_start, state->Stb.select_end) : state->Stb.cursor;
    frame.selection_begin = bytes_before(*state, begin);
    frame.selection_end = bytes_before(*state, end);
    const bool blinks = ImGui::GetIO().ConfigInputTextCursorBlink;
    frame.cursor_shown = !blinks || state->CursorAnim <= 0 || std::fmod(state->CursorAnim, 1.2f) <= 0.8f;
  }
  return frame;
}

}  // namespace warpbook::ui
