// A lab beside the page: controls with their limits in words, one large picture with tabs, what went wrong
// and what was printed.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/widgets.h"
#include "ui/words.h"

namespace warpbook::ui {

namespace {

// Work longer than this shows that it goes on, and can be cancelled.
constexpr double progress_after_seconds = 0.3;

std::string label_of(const Control& control, const std::string& locale) {
  return control.label.empty() ? control.name : control.label.in(locale);
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
  const float width = ImGui::GetContentRegionAvail().x;
  const float row = look.dp(28);
  const std::string label = label_of(control, book.locale());
  ImGui::GetWindowDrawList()->AddText(
      look.fonts.label, size_of(look.fonts.label),
      ImVec2(corner.x, corner.y + std::floor((row - size_of(look.fonts.label)) / 2)), look.colours.ink,
      label.c_str());
  ImGui::Dummy(ImVec2(label_width, row));
  if (!control.help.empty()) hover_text(look, control.help.in(book.locale()));
  ImGui::SetCursorScreenPos(ImVec2(corner.x + label_width, corner.y));
  if (!control.choices.empty()) {
    draw_choice_control(frame, lesson, lab, control, value, ImVec2(corner.x + label_width, corner.y),
                        width - label_width);
  } else {
    const float digits = float(std::to_string(std::max(std::abs(control.min), std::abs(control.max))).size() +
                               (control.min < 0 ? 1 : 0));
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
    ImGui::InputScalar(("###" + name).c_str(), ImGuiDataType_S64, &typed, nullptr, nullptr, "%lld",
                       ImGuiInputTextFlags_AutoSelectAll);
    if (trouble) ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    look.marks.item(name, std::to_string(value));
    if (typed != value && (ImGui::IsItemDeactivatedAfterEdit() || !ImGui::IsItemActive())) {
      const int64_t furthest = std::max<int64_t>(std::abs(control.max), 1) * 4;
      set_control(book, lesson, lab, control.name,
                  std::clamp(typed, std::min<int64_t>(control.min, 0), furthest));
    } else if (typed != value) {
      set_control(book, lesson, lab, control.name,
                  typed < 0 ? 0 : std::min(typed, std::max<int64_t>(control.max, 1) * 4));
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
  if (trouble) {
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + label_width);
    caption(look, limit->second, look.colours.warning);
    look.marks.item(name + ".limit", limit->second);
  }
}

const char* stage_words(int stage) {
  static constexpr const char* words[] = {"Waiting", "Compiling",   "Copying in",
                                          "Running", "Copying out", "Done"};
  return words[std::clamp(stage, 0, 5)];
}

void draw_status_row(Frame& frame, const Lesson& lesson, const Lab& lab) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  LabState& state = lab_state(book, lesson, lab);
  const RunnerStatus status = book.runner ? book.runner->status() : RunnerStatus{};
  const bool running = status.busy && status.key == lesson.slug + "/" + lab.name;
  if (running && status.seconds > progress_after_seconds) {
    if (button(look, "lab.cancel", "Cancel", ButtonKind::plain, true, "Escape")) book.runner->cancel();
    ImGui::SameLine();
    ImGui::BeginGroup();
    caption(look, fmt::format("{} … {:.1f} s", stage_words(status.stage), status.seconds),
            look.colours.muted);
    progress_bar(look, -1, look.dp(160));
    ImGui::EndGroup();
  } else {
    if (button(look, "lab.run", "Run", ButtonKind::primary, book.compiler_missing.empty(),
               book.compiler_missing.empty() ? "Ctrl+Enter" : book.compiler_missing))
      request_run(book, lesson, lab);
    ImGui::SameLine();
    if (button(look, "lab.reset", "Reset", ButtonKind::quiet, true,
               "All controls back to where they began")) {
      const uint64_t generation = state.generation;
      auto result = state.result;
      auto views = std::move(state.views);
      state = LabState{};
      state.generation = generation;
      state.result = result;
      state.views = std::move(views);
      for (view::ViewState& one : state.views) one.numbers.clear();
      request_run(book, lesson, lab);
    }
  }
  if (state.order != Order::forward) {
    ImGui::SameLine();
    plain_chip(look, "lab.order",
               state.order == Order::reverse ? "blocks in reverse order" : "blocks in shuffled order",
               look.colours.accent_soft, look.colours.accent,
               "Nothing orders blocks; here they run in this order");
    ImGui::SameLine();
    if (button(look, "lab.order-back", "In order again", ButtonKind::quiet)) {
      state.order = Order::forward;
      request_run(book, lesson, lab);
    }
  }
  if (state.result && !running) {
    const RunResult& result = *state.result;
    ImGui::SameLine(0, look.dp(12));
    const float top = ImGui::GetCursorPosY();
    ImGui::SetCursorPosY(top + look.dp(5));
    if (result.counters) {
      stamp_chip(look, "lab.stamp.counted", Stamp::counted, "counted",
                 "Counters are exact: the emulator executes every instruction of the kernel's PTX and counts "
                 "as it goes.");
    }
    if (result.times.kernel_ms) {
      ImGui::SameLine();
      ImGui::SetCursorPosY(top + look.dp(5));
      stamp_chip(look, "lab.stamp.measured", Stamp::measured,
                 fmt::format("{:.3g} ms measured", *result.times.kernel_ms), result.times.stamp);
    }
  }
}

// What a view gets: results, and its options with the {expressions} worked out for the run that made them.
view::ViewInput input_of(const LabState& state, const ViewSpec& spec) {
  view::ViewInput input;
  for (const auto& [key, value] : spec.options)
    input.options.emplace_back(key, filled(value, state.result_values));
  input.values = state.result_values;
  const RunResult& result = *state.result;
  input.launch = result.launch;
  input.outputs = &result.outputs;
  input.counters = result.counters ? &*result.counters : nullptr;
  input.previous_counters = state.previous && state.previous->counters ? &*state.previous->counters : nullptr;
  input.lines = &result.lines;
  input.write_maps = &result.write_maps;
  input.warps = &result.warps;
  input.recording = result.recording ? &*result.recording : nullptr;
  input.times = &result.times;
  input.first_times = state.first_times ? &*state.first_times : nullptr;
  input.diagnostics = &result.diagnostics;
  input.generation = state.generation;
  input.stale = state.stale;
  return input;
}

std::string kernel_file(const Lab& lab, const LabState& state) {
  for (const auto& [label, file] : lab.variants) {
    if (label == state.variant) return file;
  }
  return lab.kernel;
}

void draw_code_tab(Frame& frame, const Lesson& lesson, const Lab& lab, float width, float height) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  LabState& state = lab_state(book, lesson, lab);
  const std::string file = kernel_file(lab, state);
  if (state.code_file != file) {
    const Result<std::string> code = read_file(lesson.kernels / file, 1u << 20);
    state.code.set(code ? *code : "// " + to_string(code.error()));
    state.code_file = file;
    state.code_changed = false;
  }
  const float top = ImGui::GetCursorPosY();
  caption(look,
          state.code_changed ? "Your experiment: Ctrl+Enter runs it"
                             : "Change the code and press Ctrl+Enter; the lesson's own file stays as it is",
          look.colours.muted);
  if (state.code_changed) {
    ImGui::SameLine();
    if (button(look, "lab.code.back", "Take the lesson's code back", ButtonKind::quiet)) {
      state.code_file.clear();
      state.code_changed = false;
      request_run(book, lesson, lab);
      return;
    }
  }
  CodeView view;
  view.width = width;
  view.height = height - (ImGui::GetCursorPosY() - top);
  view.marks = &state.marks;
  view.gutter = &state.gutter;
  view.selected_line = book.selection.line.value_or(0);
  int clicked = 0;
  if (code_editor(look, "lab.code", state.code, view, &clicked)) {
    state.code_changed = true;
    // Counters of a line that has changed would be wrong at once.
    state.gutter.clear();
    state.marks.clear();
  }
  if (clicked > 0) book.selection.line = clicked;
}

// A launch that was refused and code that does not compile leave nothing to look at.
bool has_picture(const RunResult& result) {
  return result.status == "ok" || result.status == "fault" || result.status == "limit";
}

void draw_views(Frame& frame, const Lesson& lesson, const Lab& lab, float height) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  LabState& state = lab_state(book, lesson, lab);
  std::vector<std::string> titles;
  for (const ViewSpec& spec : lab.views) {
    const view::Visualiser* visualiser = view::visualiser(spec.type);
    titles.push_back(!spec.title.empty() ? spec.title.in(book.locale())
                     : visualiser        ? std::string(visualiser->title)
                                         : spec.type);
  }
  titles.push_back("Edit");
  const float top = ImGui::GetCursorPosY();
  state.tab = std::clamp(tab_strip(look, "view", titles, state.tab), 0, int(titles.size()) - 1);
  gap(look, 8);
  height -= ImGui::GetCursorPosY() - top;
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  if (state.tab == int(lab.views.size())) {
    draw_code_tab(frame, lesson, lab, width, height);
    return;
  }
  const ViewSpec& spec = lab.views[size_t(state.tab)];
  const view::Visualiser* visualiser = view::visualiser(spec.type);
  // Pictures may draw a little past their area: grabs at the ends of sliders, frames around matrices.
  const float bleed = look.dp(8);
  ImGui::SetCursorScreenPos(ImVec2(corner.x - bleed, corner.y));
  begin_region("view.area", width + 2 * bleed, height, false, bleed, 0);
  if (!visualiser) {
    caption(look, fmt::format("The lesson asks for a view \"{}\", which Warpbook does not have.", spec.type),
            look.colours.error);
  } else if (state.result && has_picture(*state.result)) {
    const view::ViewInput input = input_of(state, spec);
    view::ViewState& view_state = state.views[size_t(state.tab)];
    const float alpha = state.stale ? 0.45f : 1.0f;
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, alpha);
    visualiser->draw(input, view_state, book.selection, view_style(look), book.pictures,
                     {corner.x, corner.y, width, height});
    ImGui::PopStyleVar();
    if (state.stale) {
      ImGui::GetWindowDrawList()->AddRectFilled(corner, ImVec2(corner.x + width, corner.y + height),
                                                faded(look.colours.paper, 0.45f));
    }
    for (const view::ControlChange& change : std::exchange(view_state.changes, {})) {
      set_control(book, lesson, lab, change.name, change.value);
    }
  } else if (state.result) {
    const std::string words = state.result->status == "launch-error"
                                  ? "The launch was refused, so nothing ran. What stands below says why."
                              : state.result->status == "compile-error"
                                  ? "The code does not compile, so nothing ran."
                                  : "Nothing ran. What stands below says why.";
    const float y = ImGui::GetCursorPosY() + std::max(0.0f, height / 2 - look.dp(30));
    ImGui::SetCursorPosY(y);
    const float text_width =
        look.fonts.label->CalcTextSizeA(size_of(look.fonts.label), FLT_MAX, 0, words.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, (width - text_width) / 2));
    wrapped(look, words, look.fonts.label, look.colours.muted);
  }
  end_region();
  look.marks.area("view.area", corner.x, corner.y, corner.x + width, corner.y + height);
}

void draw_results_words(Frame& frame, LabState& state) {
  Look& look = frame.look;
  if (state.error) {
    wrapped(look, state.error->message, look.fonts.label,
            state.error->trouble == Trouble::cancelled ? look.colours.muted : look.colours.error);
    look.marks.item("lab.error", state.error->message);
    if (!state.error->hint.empty()) caption(look, state.error->hint, look.colours.muted);
    return;
  }
  if (!state.result) return;
  int line = 0;
  draw_diagnoses(frame, "lab.diagnosis", state.result->diagnostics, &line);
  if (line > 0) {
    frame.book.selection.line = line;
    state.tab = int(state.views.size());
    state.code.scroll_to_line = line;
  }
  if (!state.result->printf.empty()) {
    caption(look, "Printed by the kernel", look.colours.muted);
    // A kernel may print a million lines: what is shown is bounded.
    const std::string_view printed = std::string_view(state.result->printf).substr(0, 8000);
    const FontScope mono(look.fonts.mono_small);
    ImGui::TextUnformatted(printed.data(), printed.data() + printed.size());
    look.marks.item("lab.printf", std::string(printed));
    if (printed.size() < state.result->printf.size())
      caption(
          look,
          fmt::format("… and {} bytes more", with_thousands(state.result->printf.size() - printed.size())),
          look.colours.muted);
  }
}

}  // namespace

void draw_diagnoses(Frame& frame, const std::string& name, const std::vector<Diagnosis>& diagnoses,
                    int* selected_line) {
  Look& look = frame.look;
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
    if (ImGui::InvisibleButton(name.c_str(), ImVec2(width, height)) && selected_line) *selected_line = d.line;
    ImGui::PopID();
    look.marks.item(fmt::format("{}.{}", name, i), d.message);
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
}

void draw_lab(Frame& frame, const Lesson& lesson, const Lab& lab) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  LabState& state = lab_state(book, lesson, lab);
  const Values values = values_of(book, lesson, lab.name);

  if (!lab.variants.empty()) {
    std::vector<std::string> labels;
    int chosen = 0;
    for (size_t i = 0; i < lab.variants.size(); ++i) {
      labels.push_back(lab.variants[i].first);
      if (lab.variants[i].first == state.variant) chosen = int(i);
    }
    ImGui::BeginGroup();
    const int now = segmented(look, "variant", labels, chosen);
    ImGui::EndGroup();
    if (now != chosen) {
      state.variant = lab.variants[size_t(now)].first;
      state.code_file.clear();
      state.code_changed = false;
      request_run(book, lesson, lab);
    }
    gap(look, 12);
  }
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
  gap(look, 12);
  draw_status_row(frame, lesson, lab);
  gap(look, 8);

  // The bottom takes what its words need, up to a third; the picture takes the rest and does not jump for a
  // line.
  const float room = ImGui::GetContentRegionAvail().y;
  float bottom = 0;
  if (state.error) bottom = look.dp(64);
  if (state.result && !state.error) {
    for (const Diagnosis& d : state.result->diagnostics) bottom += look.dp(d.hint.empty() ? 48 : 68);
    if (!state.result->printf.empty()) bottom += look.dp(90);
  }
  bottom = std::min(bottom, room * 0.36f);
  const bool has_difference = !state.difference.empty() && !state.stale;
  const float difference_height = state.previous ? look.dp(26) : 0;
  draw_views(frame, lesson, lab,
             std::max(look.dp(120), room - bottom - difference_height - (bottom > 0 ? look.dp(8) : 0)));
  ImGui::BeginGroup();
  const float at = ImGui::GetCursorPosY();
  if (has_difference) {
    // One line, whatever it says: the picture above must not jump. The whole sentence is there on hover.
    const std::string sentence = "Against the run before: " + state.difference;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 size(ImGui::GetContentRegionAvail().x, look.dp(20));
    ImGui::Dummy(size);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(corner, ImVec2(corner.x + size.x, corner.y + size.y), true);
    list.AddText(look.fonts.caption, size_of(look.fonts.caption), corner, look.colours.muted,
                 sentence.c_str());
    list.PopClipRect();
    look.marks.item("lab.difference", state.difference);
    hover_text(look, state.difference);
  }
  ImGui::EndGroup();
  ImGui::SetCursorPosY(at + difference_height - ImGui::GetStyle().ItemSpacing.y);
  if (bottom > 0) {
    begin_region("lab.words", ImGui::GetContentRegionAvail().x, ImGui::GetContentRegionAvail().y);
    draw_results_words(frame, state);
    end_region();
  }
}

}  // namespace warpbook::ui
