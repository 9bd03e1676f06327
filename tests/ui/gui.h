#pragma once
// A window without a window: ImGui's logic with scripted input and no back-end, for tests of widgets.
#include <imgui.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "ui/imgui_compat.h"
#include "ui/look.h"

namespace warpbook::ui {

inline Path source_folder() { return WARPBOOK_SOURCE_DIR; }

class Gui {
 public:
  explicit Gui(float scale = 1, float width = 1280, float height = 800, const std::string& text = {}) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = ImVec2(width, height);
    io.DeltaTime = 1.0f / 60;
    io.ConfigInputTextCursorBlink = false;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    install_key_map();
    look.colours = light_palette();
    look.scale = scale;
    look.motion = false;
    Result<Fonts> fonts = build_fonts(source_folder() / "assets" / "fonts", scale, text);
    if (!fonts) throw std::runtime_error(to_string(fonts.error()));
    look.fonts = *fonts;
    apply_style(look.colours, scale);
  }
  ~Gui() { ImGui::DestroyContext(); }
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  /// One frame whose window holds what `draw` draws.
  void frame(const std::function<void()>& draw) {
    input.apply();
    look.marks.begin_frame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("test", nullptr, ImGuiWindowFlags_NoDecoration);
    ImGui::PushFont(look.fonts.label);
    if (pressed(Key::tab)) look.marks.step_focus(1);
    draw();
    ImGui::PopFont();
    ImGui::End();
    ImGui::Render();
  }
  void frames(int count, const std::function<void()>& draw) {
    for (int i = 0; i < count; ++i) frame(draw);
  }
  void click(const std::string& name, const std::function<void()>& draw) {
    const Mark* mark = look.marks.find(name);
    if (!mark) throw std::runtime_error("nothing is called " + name);
    input.move_mouse((mark->x0 + mark->x1) / 2, (mark->y0 + mark->y1) / 2);
    frames(2, draw);
    input.press_button(true);
    frame(draw);
    input.press_button(false);
    frames(2, draw);
  }
  void key(Key key, Modifiers with, const std::function<void()>& draw) {
    input.press_key(key, with, true);
    frame(draw);
    input.press_key(key, with, false);
    frames(2, draw);
  }
  void type(const std::string& text, const std::function<void()>& draw) {
    input.type(text);
    frames(2, draw);
  }

  Look look;
  ScriptedInput input;
};

}  // namespace warpbook::ui
