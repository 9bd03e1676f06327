#include "view/scrub.h"

#include <algorithm>
#include <cmath>

namespace warpbook::view {

size_t step_of(const ViewState& state, size_t steps) {
  const auto found = state.numbers.find("step");
  if (found == state.numbers.end() || found->second <= 0 || steps == 0) return 0;
  return std::min(size_t(found->second), steps - 1);
}

float scrub(const ViewInput& input, ViewState& state, Painter& painter, float y, size_t steps) {
  const DrawArea& area = painter.area();
  double& step = state.numbers["step"];
  double last = steps ? double(steps - 1) : 0;
  if (state.numbers["generation"] != double(input.generation)) {
    state.numbers["generation"] = double(input.generation);
  }
  step = std::clamp(step, 0.0, last);  // keys of the app move it without knowing its end
  float height = painter.dp(20), track = y + height / 2;
  painter.line(area.x, track, area.x + area.width, track, painter.style().line, painter.dp(3));
  float knob = area.x + (last > 0 ? float(step / last) : 0) * area.width;
  painter.line(area.x, track, knob, track, painter.style().accent, painter.dp(3));
  painter.box(knob - painter.dp(6), track - painter.dp(6), painter.dp(12), painter.dp(12),
              painter.style().accent, painter.dp(6));
  bool over = painter.hovered(area.x - painter.dp(6), y, area.width + painter.dp(12), height);
  if (over && ImGui::IsMouseClicked(0)) state.numbers["dragging"] = 1;
  if (!ImGui::IsMouseDown(0)) state.numbers["dragging"] = 0;
  if (state.numbers["dragging"] > 0) {
    step = std::round(std::clamp(double((ImGui::GetIO().MousePos.x - area.x) / area.width), 0.0, 1.0) * last);
  }
  if (painter.hovered(area.x, area.y, area.width, area.height) && !ImGui::GetIO().WantTextInput) {
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_RightArrow))) step = std::min(step + 1, last);
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_LeftArrow))) step = std::max(step - 1, 0.0);
  }
  return height;
}

}  // namespace warpbook::view
