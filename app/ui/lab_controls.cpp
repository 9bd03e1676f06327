// A lab's controls: a slider and a number each, with what the GPU's limits say of them. Every value stays
// editable: a launch that is refused is part of the lesson.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/text.h"
#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/widgets.h"
#include "ui/words.h"

namespace warpbook::ui {

namespace {

std::string label_of(const Control& control, const std::string& locale) {
  return control.label.empty() ? control.name : control.label.in(locale);
}

std::string signed_with_thousands(int64_t value) {
  return (value < 0 ? "−" : "") + with_thousands(uint64_t(value < 0 ? -value : value));
}

// What the control is for, and how far it goes.
std::string help_of(const Control& control, const std::string& locale) {
  std::string words = control.help.in(locale);
  if (!control.choices.empty()) return words.empty() ? label_of(control, locale) : words;
  if (!words.empty()) words += "\n";
  words +=
      fmt::format("From {} to {}", signed_with_thousands(control.min), signed_with_thousands(control.max));
  if (!control.unit.empty()) words += " " + control.unit;
  return words + ".";
}

int64_t snapped(const Control& control, double value) {
  const int64_t step = std::max<int64_t>(1, control.step);
  const int64_t steps = int64_t(std::llround((value - double(control.min)) / double(step)));
  return std::clamp(control.min + steps * step, control.min, control.max);
}

// The slider works in its own scale: position 0..1.
double position_of(const Control& control, int64_t value) {
  if (control.max <= control.min) return 0;
  if (control.scale == "log2") {
    const double low = std::log2(double(std::max<int64_t>(1, control.min)));
    const double high = std::log2(double(std::max<int64_t>(2, control.max)));
    return (std::log2(double(std::max<int64_t>(1, value))) - low) / (high - low);
  }
  return double(value - control.min) / double(control.max - control.min);
}

int64_t value_at(const Control& control, double position) {
  if (control.scale == "log2") {
    const double low = std::log2(double(std::max<int64_t>(1, control.min)));
    const double high = std::log2(double(std::max<int64_t>(2, control.max)));
    // A drag goes by powers of two; the number beside it takes any value.
    return std::clamp(int64_t(std::llround(std::exp2(std::round(low + position * (high - low))))),
                      control.min, control.max);
  }
  return snapped(control, double(control.min) + position * double(control.max - control.min));
}

// A slim slider: a track, the part that is filled, a round grab. Arrow keys move it by a step.
std::optional<int64_t> slider(Look& look, const std::string& name, const Control& control, int64_t value,
                              float width, bool trouble) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float height = look.dp(28);
  ImGui::InvisibleButton(name.c_str(), ImVec2(width, height));
  const bool active = ImGui::IsItemActive(), focused = ImGui::IsItemFocused(),
             hovered = ImGui::IsItemHovered();
  look.marks.item(name, std::to_string(value));
  const float radius = look.dp(7), track = look.dp(4);
  const float left = corner.x + radius, length = width - 2 * radius, middle = corner.y + height / 2;
  std::optional<int64_t> changed;
  if (active && ImGui::GetIO().MouseDown[0]) {
    const double at = std::clamp(double((ImGui::GetIO().MousePos.x - left) / length), 0.0, 1.0);
    const int64_t moved = value_at(control, at);
    if (moved != value) changed = moved;
  }
  if (focused && !active) {
    const int by = int(pressed(Key::right, {}, true)) - int(pressed(Key::left, {}, true));
    if (by != 0) {
      keep_focus();
      changed = control.scale == "log2" ? (by > 0 ? value * 2 : value / 2)
                                        : value + by * std::max<int64_t>(1, control.step);
      changed = std::clamp(*changed, control.min, control.max);
    }
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Colour fill = trouble ? look.colours.warning : look.colours.accent;
  const float grab = left + length * float(std::clamp(position_of(control, value), 0.0, 1.0));
  list.AddRectFilled(ImVec2(corner.x, middle - track / 2), ImVec2(corner.x + width, middle + track / 2),
                     look.colours.line, track / 2);
  list.AddRectFilled(ImVec2(corner.x, middle - track / 2), ImVec2(grab, middle + track / 2), fill, track / 2);
  if (hovered || active)
    list.AddCircleFilled(ImVec2(grab, middle), radius + look.dp(4), faded(fill, 0.18f), 32);
  list.AddCircleFilled(ImVec2(grab, middle), radius, fill, 32);
  list.AddCircle(ImVec2(grab, middle), radius, look.colours.panel, 32, std::max(1.0f, look.dp(1.5f)));
  return changed;
}

// Few choices stand side by side; many would fill the column, so a slider steps through them.
constexpr size_t most_buttons = 5;

void draw_choice_control(Frame& frame, const Lesson& lesson, const Lab& lab, const Control& control,
                         int64_t value, ImVec2 corner, float width) {
  Look& look = frame.look;
  std::vector<std::string> labels;
  int chosen = -1;
  for (size_t i = 0; i < control.choices.size(); ++i) {
    const bool named = i < control.choice_labels.size() && !control.choice_labels[i].empty();
    labels.push_back(named ? control.choice_labels[i].in(frame.book.locale())
                           : std::to_string(control.choices[i]));
    if (control.choices[i] == value) chosen = int(i);
  }
  const std::string name = "control." + control.name;
  int now = chosen;
  ImGui::SetCursorScreenPos(corner);
  float buttons_width = 0;
  for (const std::string& label : labels) {
    ImFont* font = look.fonts.label;
    buttons_width += font->CalcTextSizeA(size_of(font), FLT_MAX, 0, label.c_str()).x + look.dp(22);
  }
  if (labels.size() <= most_buttons && buttons_width <= width) {
    ImGui::BeginGroup();
    now = segmented(look, name, labels, chosen, true, 28);
    ImGui::EndGroup();
  } else {
    Control positions;
    positions.max = int64_t(labels.size()) - 1;
    float number_width = look.dp(92);
    for (const std::string& label : labels) {
      number_width =
          std::max(number_width,
                   look.fonts.label->CalcTextSizeA(size_of(look.fonts.label), FLT_MAX, 0, label.c_str()).x +
                       look.dp(10));
    }
    const float slider_width = std::max(look.dp(60), width - number_width - look.dp(16));
    if (const auto moved =
            slider(look, name + ".slider", positions, std::max(0, chosen), slider_width, false)) {
      now = int(*moved);
    }
    const std::string text = chosen >= 0 ? labels[size_t(chosen)] : std::to_string(value);
    ImFont* mono = look.fonts.label;
    ImGui::GetWindowDrawList()->AddText(mono, size_of(mono),
                                        ImVec2(corner.x + slider_width + look.dp(24),
                                               corner.y + std::floor((look.dp(28) - size_of(mono)) / 2)),
                                        look.colours.ink, text.c_str());
    look.marks.item(name, text);
  }
  if (now >= 0 && now != chosen)
    set_control(frame.book, lesson, lab, control.name, control.choices[size_t(now)]);
}

/// Characters that the number of a control may need.
size_t digits_of(const Control& control) {
  if (control.scale_by != 1) return std::string_view("-0.123456789").size();
  return std::to_string(std::max(std::abs(control.min), std::abs(control.max))).size() +
         (control.min < 0 ? 1 : 0);
}

/// The control's whole number nearest to what was typed in its unit; a number far out of range stays far out.
int64_t steps_of(const Control& control, double scaled) {
  const double steps = scaled / control.scale_by;
  constexpr double far = 4e18;
  return std::isfinite(steps) ? std::llround(std::clamp(steps, -far, far)) : control.value;
}

void draw_control(Frame& frame, const Lesson& lesson, const Lab& lab, const Control& control,
                  const std::map<std::string, std::string>& limits, float label_width) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  LabState& state = lab_state(book, lesson, lab);
  const auto found = state.controls.find(control.name);
  const int64_t value = found == state.controls.end() ? control.value : found->second;
  const std::string name = "control." + control.name;
  const auto limit = limits.find(control.name);
  const bool trouble = limit != limits.end();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float whole = ImGui::GetContentRegionAvail().x;
  const bool sweeps = !lab.program && !state.opened && swept_values(control).size() > 1;
  const float width = whole - (sweeps ? look.dp(36) : 0);
  const float row = look.dp(28);
  const std::string label = label_of(control, book.locale());
  ImGui::GetWindowDrawList()->AddText(
      look.fonts.label, size_of(look.fonts.label),
      ImVec2(corner.x, corner.y + std::floor((row - size_of(look.fonts.label)) / 2)), look.colours.ink,
      label.c_str());
  ImGui::Dummy(ImVec2(label_width, row));
  hover_text(look, help_of(control, book.locale()));
  ImGui::SetCursorScreenPos(ImVec2(corner.x + label_width, corner.y));
  if (!control.choices.empty()) {
    draw_choice_control(frame, lesson, lab, control, value, ImVec2(corner.x + label_width, corner.y),
                        width - label_width);
  } else {
    const float digits = float(digits_of(control));
    const float number_width =
        std::max(look.dp(92), digits * look.fonts.mono->GetCharAdvance('0') + look.dp(18));
    const float unit_width =
        control.unit.empty() ? 0 : ImGui::CalcTextSize(control.unit.c_str()).x + look.dp(8);
    const float slider_width =
        std::max(look.dp(60), width - label_width - number_width - unit_width - look.dp(16));
    if (const auto moved = slider(look, name + ".slider", control, value, slider_width, trouble)) {
      set_control(book, lesson, lab, control.name, *moved);
    }
    ImGui::SetCursorScreenPos(ImVec2(corner.x + label_width + slider_width + look.dp(16), corner.y));
    ImGui::SetNextItemWidth(number_width);
    const FontScope mono(look.fonts.mono);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2(look.dp(8), std::floor((row - size_of(look.fonts.mono)) / 2)));
    if (trouble) ImGui::PushStyleColor(ImGuiCol_Border, look.colours.warning);
    int64_t typed = value;
    // Out of range is allowed: the launch is then refused, which is part of the lesson.
    if (control.scale_by == 1) {
      ImGui::InputScalar(("###" + name).c_str(), ImGuiDataType_S64, &typed, nullptr, nullptr, "%lld",
                         ImGuiInputTextFlags_AutoSelectAll);
    } else {
      double scaled = double(value) * control.scale_by;
      if (ImGui::InputDouble(("###" + name).c_str(), &scaled, 0, 0, "%.10g",
                             ImGuiInputTextFlags_AutoSelectAll)) {
        typed = steps_of(control, scaled);
      }
    }
    if (trouble) ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    look.marks.item(name, std::to_string(value));
    if (typed != value) {
      const int64_t furthest = std::max<int64_t>(std::abs(control.max), 1) * 4;
      set_control(book, lesson, lab, control.name,
                  std::clamp(typed, std::min<int64_t>(control.min, 0), furthest));
    }
    if (unit_width > 0) {
      ImGui::GetWindowDrawList()->AddText(
          look.fonts.label, size_of(look.fonts.label),
          ImVec2(corner.x + width - unit_width + look.dp(8),
                 corner.y + std::floor((row - size_of(look.fonts.label)) / 2)),
          look.colours.muted, control.unit.c_str());
    }
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy(ImVec2(width, row));
  }
  if (sweeps) {
    const ImVec2 after = ImGui::GetCursorScreenPos();
    draw_sweep_button(frame, lesson, lab, control, ImVec2(corner.x + whole - look.dp(28), corner.y));
    ImGui::SetCursorScreenPos(after);
  }
  if (state.swept == control.name) draw_sweep(frame, lesson, lab, control);
  if (trouble) {
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + label_width);
    caption(look, limit->second, look.colours.warning);
    look.marks.item(name + ".limit", limit->second);
  }
}

}  // namespace

void draw_controls(Frame& frame, const Lesson& lesson, const Lab& lab, const Values& values) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  float label_width = look.dp(96);
  for (const Control& control : lab.controls) {
    label_width = std::max(label_width, look.fonts.label
                                                ->CalcTextSizeA(size_of(look.fonts.label), FLT_MAX, 0,
                                                                label_of(control, book.locale()).c_str())
                                                .x +
                                            look.dp(16));
  }
  label_width = std::min(label_width, ImGui::GetContentRegionAvail().x * 0.45f);
  const std::map<std::string, std::string> limits = limit_words(values, book.gpu);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look.dp(8), look.dp(4)));
  for (const Control& control : lab.controls) draw_control(frame, lesson, lab, control, limits, label_width);
  // A limit may be passed by a dimension that no control sets.
  for (const auto& [name, sentence] : limits) {
    const bool shown = std::any_of(lab.controls.begin(), lab.controls.end(),
                                   [&n = name](const Control& c) { return c.name == n; });
    if (!shown) caption(look, sentence, look.colours.warning);
  }
  ImGui::PopStyleVar();
}

}  // namespace warpbook::ui
