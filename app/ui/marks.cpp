#include "ui/marks.h"

#include <imgui.h>
#include <imgui_internal.h>

namespace warpbook::ui {

void Marks::item(const std::string& name, const std::string& text, bool enabled) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  area(name, low.x, low.y, high.x, high.y, text, enabled);
}

void Marks::area(const std::string& name, float x0, float y0, float x1, float y1, const std::string& text,
                 bool enabled) {
  Mark mark{x0, y0, x1, y1, {}, 0, 0, 0, 0, text, enabled};
  // The nearest window above that can scroll is the one that brings the mark into sight.
  for (const ImGuiWindow* window = ImGui::GetCurrentWindow(); window; window = window->ParentWindow) {
    if (mark.region.empty() || (mark.region_scroll_max <= 0 && window->ScrollMax.y > 0)) {
      mark.region = window->Name;
      mark.region_top = window->InnerRect.Min.y;
      mark.region_bottom = window->InnerRect.Max.y;
      mark.region_scroll = window->Scroll.y;
      mark.region_scroll_max = window->ScrollMax.y;
    }
  }
  marks_[name] = mark;
}

const Mark* Marks::find(const std::string& name) const {
  const auto found = marks_.find(name);
  return found == marks_.end() ? nullptr : &found->second;
}

}  // namespace warpbook::ui
