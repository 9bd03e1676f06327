// Edges of other releases: 1.87 replaces the arrays below by AddMousePosEvent and friends; 1.90 turns
// BeginChild's border into flags; 1.91 makes ImTextureID an integer; 1.92 gives PushFont a size.
#include "ui/imgui_compat.h"

#include <imgui_internal.h>

namespace warpbook::ui {

bool pressed(Key key, Modifiers with, bool repeat) {
  const ImGuiIO& io = ImGui::GetIO();
  return io.KeyCtrl == with.control && io.KeyShift == with.shift && io.KeyAlt == with.alt &&
         ImGui::IsKeyPressed(int(key), repeat);
}

void install_key_map() {
  struct Entry {
    ImGuiKey_ gui;
    Key key;
  };
  static constexpr Entry table[] = {{ImGuiKey_LeftArrow, Key::left},
                                    {ImGuiKey_RightArrow, Key::right},
                                    {ImGuiKey_UpArrow, Key::up},
                                    {ImGuiKey_DownArrow, Key::down},
                                    {ImGuiKey_PageUp, Key::page_up},
                                    {ImGuiKey_PageDown, Key::page_down},
                                    {ImGuiKey_Home, Key::home},
                                    {ImGuiKey_End, Key::end},
                                    {ImGuiKey_Insert, Key::insert},
                                    {ImGuiKey_Delete, Key::del},
                                    {ImGuiKey_Backspace, Key::backspace},
                                    {ImGuiKey_Space, Key::space},
                                    {ImGuiKey_Enter, Key::enter},
                                    {ImGuiKey_Escape, Key::escape},
                                    {ImGuiKey_KeyPadEnter, Key::keypad_enter},
                                    {ImGuiKey_A, Key::a},
                                    {ImGuiKey_C, Key::c},
                                    {ImGuiKey_V, Key::v},
                                    {ImGuiKey_X, Key::x},
                                    {ImGuiKey_Y, Key::y},
                                    {ImGuiKey_Z, Key::z}};
  ImGuiIO& io = ImGui::GetIO();
  for (const Entry& entry : table) io.KeyMap[entry.gui] = int(entry.key);
}

void claim_tab_key() { ImGui::GetIO().KeyMap[ImGuiKey_Tab] = -1; }

void ScriptedInput::move_mouse(float x, float y) {
  moved_ = true;
  x_ = x;
  y_ = y;
}

void ScriptedInput::press_key(Key key, Modifiers with, bool down) {
  keys_[int(key)] = down;
  modifiers_ = down ? with : Modifiers{};
}

void ScriptedInput::apply() {
  ImGuiIO& io = ImGui::GetIO();
  if (moved_) io.MousePos = ImVec2(x_, y_);
  io.MouseDown[0] = button_;
  io.MouseWheel += wheel_;
  wheel_ = 0;
  for (int key = 0; key < 512; ++key) io.KeysDown[key] = keys_[key];
  io.KeyCtrl = modifiers_.control;
  io.KeyShift = modifiers_.shift;
  io.KeyAlt = modifiers_.alt;
  if (!text_.empty()) io.AddInputCharactersUTF8(text_.c_str());
  text_.clear();
}

void keep_focus() {
  ImGui::NavMoveRequestCancel();
  // With nothing focused an arrow key asks for the first widget instead.
  ImGuiContext& gui = *GImGui;
  if (gui.NavId == 0 && gui.NavInitRequest) {
    gui.NavInitRequest = false;
    gui.NavDisableHighlight = true;
  }
}

void press_focused() {
  const ImGuiContext& gui = *GImGui;
  if (gui.NavId != 0 && gui.ActiveId == 0 && !gui.NavDisableHighlight) ImGui::ActivateItem(gui.NavId);
}

ImTextureID texture_of(const ImageTarget& image) {
  return reinterpret_cast<ImTextureID>(static_cast<uintptr_t>(image.handle));
}

float size_of(const ImFont* font) { return font->FontSize; }

bool begin_region(const char* name, float width, float height, bool scrolls, float padding_x,
                  float padding_y) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding_x, padding_y));
  ImGuiWindowFlags flags = ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoSavedSettings;
  if (!scrolls) flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  const bool visible = ImGui::BeginChild(name, ImVec2(width, height), false, flags);
  ImGui::PopStyleVar();
  return visible;
}

void end_region() { ImGui::EndChild(); }

void scroll_region(const std::string& window_name, float scroll_y) {
  if (ImGuiWindow* window = ImGui::FindWindowByName(window_name.c_str())) ImGui::SetScrollY(window, scroll_y);
}

}  // namespace warpbook::ui
