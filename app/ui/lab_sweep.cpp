// A control over all its values: the modelled time as a curve under it. The curve of the sweep before stays
// as a ghost; a click on the curve sets the control.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/sweep_plot.h"
#include "ui/widgets.h"

namespace warpbook::ui {

namespace {

/// What a point of the curve says when the mouse is over it.
std::string words_of_point(const SweepPoint& point) {
  std::string words = words_of(point.setting) + "\n";
  if (!point.time) return words + (point.message.empty() ? point.status : point.message);
  words += fmt::format("{} modelled, between {} and {}\n", time_in_words(point.time->us),
                       time_in_words(point.time->low_us), time_in_words(point.time->high_us));
  words += fmt::format("most of it: {}\n{:.3g} % occupancy, {:.3g} waves", dominating_in_words(*point.time),
                       point.occupancy, point.time->waves);
  return words;
}

void draw_curve(Frame& frame, const Lesson& lesson, const Lab& lab, const Control& control, float height) {
  Look& look = frame.look;
  LabState& state = lab_state(frame.book, lesson, lab);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const view::Style style = view_style(look);
  const view::DrawArea area{corner.x, corner.y, width - look.dp(28), height};
  view::Painter painter(style, area, state.sweeping);
  const auto set = state.controls.find(control.name);
  SweepPlotParts parts;
  parts.ghost = state.sweep_before.get();
  parts.now = set == state.controls.end() ? control.value : set->second;
  view::Plot plot = make_sweep_plot(*state.sweep, style, parts);
  ImGui::Dummy(ImVec2(width, height));
  look.marks.item("sweep.curve", control.name);
  if (plot.series.empty()) {
    const SweepPoint* first = state.sweep->points.empty() ? nullptr : &state.sweep->points.front();
    view::draw_message(painter, first && !first->message.empty()
                                    ? first->message
                                    : "The sweep was cancelled before its first run.");
    return;
  }
  plot.x.label.clear();  // the control above says it
  const auto hover = view::draw_plot(painter, plot, area);
  if (!hover) return;
  const auto value = nearest_value(*state.sweep, plot, hover->x);
  if (!value) return;
  for (const SweepPoint& point : state.sweep->points)
    if (point.setting.size() == 1 && point.setting[0].second == *value) tooltip(look, words_of_point(point));
  if (hover->pressed) set_control(frame.book, lesson, lab, control.name, *value);
}

}  // namespace

void draw_sweep_button(Frame& frame, const Lesson& lesson, const Lab& lab, const Control& control,
                       ImVec2 corner) {
  Look& look = frame.look;
  const std::string name = "sweep." + control.name;
  const float side = look.dp(28);
  ImGui::SetCursorScreenPos(corner);
  if (ImGui::InvisibleButton(name.c_str(), ImVec2(side, side)))
    request_sweep(frame.book, lesson, lab, control);
  look.marks.item(name, control.name);
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  hover_text(look, "Runs the lab over the values of this control and draws the modelled time as a curve");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (hot)
    list.AddRectFilled(corner, ImVec2(corner.x + side, corner.y + side), look.colours.accent_soft,
                       look.dp(6));
  const LabState& state = lab_state(frame.book, lesson, lab);
  const Colour colour = hot || state.swept == control.name ? look.colours.accent : look.colours.muted;
  // A falling curve between two axes.
  const auto at = [&](float x, float y) {
    return ImVec2(corner.x + look.dp(7) + x * look.dp(14), corner.y + look.dp(7) + y * look.dp(14));
  };
  const float thin = std::max(1.0f, look.dp(1)), thick = std::max(1.5f, 1.5f * look.scale);
  list.AddLine(at(0, 0), at(0, 1), colour, thin);
  list.AddLine(at(0, 1), at(1, 1), colour, thin);
  const ImVec2 curve[] = {at(0.14f, 0.05f), at(0.32f, 0.5f), at(0.6f, 0.68f), at(1, 0.72f)};
  list.AddPolyline(curve, 4, colour, 0, thick);
}

void draw_sweep(Frame& frame, const Lesson& lesson, const Lab& lab, const Control& control) {
  Look& look = frame.look;
  LabState& state = lab_state(frame.book, lesson, lab);
  if (state.sweeping) {
    const RunnerStatus status = frame.book.runner ? frame.book.runner->status() : RunnerStatus{};
    const std::string words = status.running_sweep
                                  ? fmt::format("Sweeping: {} of {} done. Escape ends it and keeps these.",
                                                status.done, status.total)
                                  : std::string("Sweeping: waiting for the run before.");
    caption(look, words, look.colours.muted);
    look.marks.item("sweep.words", words);
    progress_bar(look, status.total > 0 ? float(status.done) / float(status.total) : -1, look.dp(240));
  }
  if (!state.sweep) return;
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float right = top.x + ImGui::GetContentRegionAvail().x;
  draw_curve(frame, lesson, lab, control, look.dp(150));
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(ImVec2(right - look.dp(28), top.y));
  if (icon_button(look, "sweep.close", "×", "Takes the curve away")) {
    state.swept.clear();
    state.sweep = state.sweep_before = nullptr;
  }
  ImGui::SetCursorScreenPos(after);
  if (!state.sweep || state.sweep->complete) return;
  caption(look, "The sweep was ended early: these are the values that were done.", look.colours.muted);
}

}  // namespace warpbook::ui
