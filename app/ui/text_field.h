#pragma once
// The raw multi-line field under the code editor, and the one way in which an Edit reaches it: as if it were
// pasted, so that ImGui's own undo takes it back in one step. Knows ImGui's internals; nothing else does.
#include <imgui.h>

#include <optional>
#include <string>

#include "ui/edit_actions.h"

namespace warpbook::ui {

struct FieldFrame {
  bool changed = false;
  bool active = false;
  ImVec2 origin{0, 0};  ///< where the first character stands on screen, scrolling included
  ImVec2 clip_low{0, 0}, clip_high{0, 0};
  ImDrawList* list = nullptr;  ///< to draw over the field
  float scroll_y = 0, scroll_y_max = 0;
  size_t cursor = 0, selection_begin = 0, selection_end = 0;  ///< bytes
  bool cursor_shown = false;                                  ///< in this phase of its blinking
};

struct FieldRequest {
  bool read_only = false;
  ImVec2 size{0, 0};
  bool take_focus = false;
  std::optional<float> scroll_y;
  /// Keys that the caller has dealt with: the field must not see them in this frame.
  bool hide_enter = false, hide_tab = false, hide_typed = false;
  bool leave = false;  ///< give the keyboard back; what was typed stays
};

/// `edit` is done now when the field is active (else the text is changed directly) and cleared.
FieldFrame text_field(const char* label, std::string& text, std::optional<Edit>& edit,
                      const FieldRequest& request);
/// Whether the field of that label was active at the end of the last frame.
bool text_field_active(const char* label);

}  // namespace warpbook::ui
