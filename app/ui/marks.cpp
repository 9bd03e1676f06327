#include "ui/marks.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <utility>

namespace warpbook::ui {

void Marks::begin_frame() {
  marks_.clear();
  last_stops_.swap(stops_);
  stops_.clear();
  tab_was_kept_ = std::exchange(tab_kept_, false);
}

void Marks::note_stop() {
  ImGuiContext& gui = *GImGui;
  const ImGuiLastItemData& item = gui.LastItemData;
  if (item.ID == 0 || (item.InFlags & (ImGuiItemFlags_Disabled | ImGuiItemFlags_NoNav)) != 0) return;
  if (!stops_.empty() && stops_.back().id == item.ID) return;  // two names for one widget
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  const ImGuiWindow* modal = ImGui::GetTopMostPopupModal();
  if (modal && window->RootWindow != modal) return;
  stops_.push_back({item.ID, window, item.Rect.Min.x, item.Rect.Min.y, item.Rect.Max.x, item.Rect.Max.y});
  if (item.ID != wanted_) return;
  wanted_ = 0;
  if (gui.NavWindow != window) ImGui::FocusWindow(window);
  ImGui::SetFocusID(item.ID, window);
  gui.NavDisableHighlight = false;
  gui.NavDisableMouseHover = true;
  ImGui::ScrollToBringRectIntoView(window, item.Rect);
  if ((item.InFlags & ImGuiItemFlags_Inputable) != 0) ImGui::ActivateItem(item.ID);
}

void Marks::step_focus(int by) {
  const ImGuiContext& gui = *GImGui;
  if (tab_kept_ || tab_was_kept_) return;
  const std::vector<Stop>& stops = stops_.empty() ? last_stops_ : stops_;
  if (stops.empty()) return;
  int at = -1;
  for (int i = 0; i < int(stops.size()); ++i) {
    if (stops[size_t(i)].id == (gui.ActiveId != 0 ? gui.ActiveId : gui.NavId)) at = i;
  }
  const int count = int(stops.size());
  const int next = at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count;
  if (gui.ActiveId != 0) ImGui::ClearActiveID();
  wanted_ = stops[size_t(next)].id;
}

void Marks::draw_focus(unsigned colour, float distance, float thickness, float rounding) const {
  const ImGuiContext& gui = *GImGui;
  if (gui.NavDisableHighlight || gui.NavId == 0 || gui.NavId == gui.ActiveId) return;
  for (const Stop& stop : stops_) {
    if (stop.id != gui.NavId) continue;
    const ImGuiWindow* window = static_cast<const ImGuiWindow*>(stop.window);
    ImDrawList* list = window->DrawList;
    list->PushClipRect(window->OuterRectClipped.Min, window->OuterRectClipped.Max);
    list->AddRect(ImVec2(stop.x0 - distance, stop.y0 - distance),
                  ImVec2(stop.x1 + distance, stop.y1 + distance), colour, rounding, 0, thickness);
    list->PopClipRect();
    return;
  }
}

void Marks::item(const std::string& name, const std::string& text, bool enabled) {
  note_stop();
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
