// Diagnoses as rows: place, sentence, hint; who draws them decides what a click does.
#include <fmt/format.h>
#include <imgui.h>

#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace warpbook::ui {

int draw_diagnoses(Frame& frame, const std::string& name, const std::vector<Diagnosis>& diagnoses) {
  Look& look = frame.look;
  int clicked = -1;
  for (size_t i = 0; i < diagnoses.size() && i < 50; ++i) {
    const Diagnosis& d = diagnoses[i];
    const Colour colour = colour_of(look, d.severity);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string place = d.line > 0 ? fmt::format("line {}", d.line) : std::string(name_of(d.severity));
    const float place_width = look.dp(76);
    const FontScope body(look.fonts.label);
    const float text_width = width - place_width - look.dp(12);
    const float message_height = ImGui::CalcTextSize(d.message.c_str(), nullptr, false, text_width).y;
    ImFont* small = look.fonts.caption;
    const float hint_height =
        d.hint.empty()
            ? 0
            : small->CalcTextSizeA(size_of(small), FLT_MAX, text_width, d.hint.c_str()).y + look.dp(2);
    const float height = message_height + hint_height + look.dp(12);
    ImGui::PushID(int(i));
    if (ImGui::InvisibleButton(name.c_str(), ImVec2(width, height))) clicked = int(i);
    ImGui::PopID();
    look.marks.item(fmt::format("{}.{}", name, i), d.message);
    if (has_moment(d)) hover_text(look, "Opens the block at this moment, step by step");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(corner, ImVec2(corner.x + width, corner.y + height),
                       faded(colour, ImGui::IsItemHovered() ? 0.14f : 0.07f), look.dp(6));
    list.AddRectFilled(corner, ImVec2(corner.x + look.dp(3), corner.y + height), colour, look.dp(1.5f));
    const float y = corner.y + look.dp(6);
    list.AddText(look.fonts.caption_bold, size_of(look.fonts.caption_bold),
                 ImVec2(corner.x + look.dp(12), y + look.dp(2)), colour, place.c_str());
    list.AddText(look.fonts.label, size_of(look.fonts.label), ImVec2(corner.x + place_width, y),
                 look.colours.ink, d.message.c_str(), nullptr, text_width);
    if (!d.hint.empty()) {
      list.AddText(small, size_of(small), ImVec2(corner.x + place_width, y + message_height + look.dp(2)),
                   look.colours.muted, d.hint.c_str(), nullptr, text_width);
    }
  }
  if (diagnoses.size() > 50)
    caption(look, fmt::format("… and {} more", diagnoses.size() - 50), look.colours.muted);
  return clicked;
}

}  // namespace warpbook::ui
