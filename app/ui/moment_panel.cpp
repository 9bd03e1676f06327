// The tab of an opened diagnosis: which block in which order, its steps, and the way back to the code.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/widgets.h"
#include "view/block_steps.h"

namespace warpbook::ui {

namespace {

// Says what is seen in place of a line that the optimised code does not have.
std::string title_of(const MomentState& moment) {
  if (!moment.replay->diagnosis) return moment.title;
  const Diagnosis& found = *moment.replay->diagnosis;
  const auto there = view::moment_of(moment.replay->recording, moment.replay->launch.block, found);
  if (found.line > 0 && there.one && !there.one->exact)
    return moment.title +
           fmt::format("; the optimised code has no step of line {}, so the one before it", found.line);
  return moment.title;
}

}  // namespace

MomentAction draw_moment(Frame& frame, MomentState& moment, float width, float height) {
  Look& look = frame.look;
  MomentAction action = MomentAction::none;
  const float top = ImGui::GetCursorPosY();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const std::string to_line =
      moment.diagnosis && moment.diagnosis->line > 0 ? fmt::format("To line {}", moment.diagnosis->line) : "";
  const auto width_of = [&](const std::string& label) {
    return look.fonts.label->CalcTextSizeA(size_of(look.fonts.label), FLT_MAX, 0, label.c_str()).x +
           look.dp(20);
  };
  float right = corner.x + width - width_of("Close");
  const float close_at = right;
  if (!to_line.empty()) right -= width_of(to_line) + look.dp(4);
  const std::string words = moment.error    ? moment.error->message
                            : moment.replay ? title_of(moment)
                                            : "Running the block once more to record its steps …";
  const float room = std::max(look.dp(80), right - corner.x - look.dp(12));
  ImFont* font = look.fonts.caption;
  const std::string shown = fitted(font, words, room);
  ImGui::GetWindowDrawList()->AddText(
      font, size_of(font), ImVec2(corner.x, corner.y + std::floor((look.dp(32) - size_of(font)) / 2)),
      moment.error ? look.colours.error : look.colours.muted, shown.c_str());
  ImGui::Dummy(ImVec2(room, look.dp(32)));
  look.marks.item("moment.title", words);
  if (shown != words) hover_text(look, words);
  if (!to_line.empty()) {
    ImGui::SetCursorScreenPos(ImVec2(right, corner.y));
    if (button(look, "moment.line", to_line, ButtonKind::quiet, true, "Shows the line in the editor"))
      action = MomentAction::to_line;
  }
  ImGui::SetCursorScreenPos(ImVec2(close_at, corner.y));
  if (button(look, "moment.close", "Close", ButtonKind::quiet, true, "Escape")) action = MomentAction::close;
  ImGui::SetCursorScreenPos(ImVec2(corner.x, corner.y + look.dp(40)));
  if (!moment.replay) return action;
  const float used = ImGui::GetCursorPosY() - top;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float bleed = look.dp(8);
  ImGui::SetCursorScreenPos(ImVec2(at.x - bleed, at.y));
  begin_region("moment.area", width + 2 * bleed, height - used, false, bleed, 0);
  const view::ViewInput input = moment_input(moment);
  if (const view::Visualiser* steps = view::visualiser("block-steps"))
    steps->draw(input, moment.view, frame.book.selection, view_style(look), frame.book.pictures,
                {at.x, at.y, width, height - used});
  end_region();
  const size_t step = size_t(std::max(0.0, moment.view.numbers["step"]));
  look.marks.area("view.area", at.x, at.y, at.x + width, at.y + height - used,
                  view::step_words(moment.replay->recording, step));
  return action;
}

}  // namespace warpbook::ui
