// A lab beside the page: controls with their limits in words, one large picture with tabs, what went wrong
// and what was printed.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "lab/tape_report.h"
#include "model/occupancy.h"
#include "ui/imgui_compat.h"
#include "ui/keys.h"
#include "ui/panels.h"
#include "ui/widgets.h"
#include "ui/words.h"

namespace warpbook::ui {

namespace {

void draw_code_tab(Frame& frame, const Lesson& lesson, const Lab& lab, float width, float height) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  LabState& state = lab_state(book, lesson, lab);
  open_lab_code(book, lesson, lab);
  const float top = ImGui::GetCursorPosY();
  const bool offers = state.code_changed || state.experiment_kept;
  ImGui::BeginGroup();
  if (offers) gap(look, 7);  // the words stand at the height of the button's
  caption(look,
          state.code_changed ? "Your experiment: Ctrl+Enter runs it"
          : state.experiment_kept
              ? "Change the code and press Ctrl+Enter"
              : "Change the code and press Ctrl+Enter; the lesson's own file stays as it is",
          look.colours.muted);
  ImGui::EndGroup();
  if (offers) ImGui::SameLine();
  if (state.code_changed && button(look, "lab.code.back", "Take the lesson's code back", ButtonKind::quiet)) {
    leave_experiment(book, state);
    request_run(book, lesson, lab);
    return;
  }
  if (!state.code_changed && state.experiment_kept &&
      button(look, "lab.code.mine", "Bring my experiment back", ButtonKind::quiet) &&
      bring_experiment_back(book, state)) {
    request_run(book, lesson, lab);
  }
  CodeView view;
  view.width = width;
  view.height = height - (ImGui::GetCursorPosY() - top);
  view.marks = &state.marks;
  view.gutter = &state.gutter;
  view.selected_line = book.selection.line.value_or(0);
  int clicked = 0;
  if (code_editor(look, "lab.code", state.code, view, &clicked)) {
    state.code_changed = state.experiment_unsaved = true;
    state.experimented_at = book.now;
    // Counters of a line that has changed would be wrong at once.
    state.gutter.clear();
    state.marks.clear();
  }
  if (clicked > 0) choose_line(book, clicked);
}

// A launch that was refused and code that does not compile leave nothing to look at.
bool has_picture(const RunResult& result) {
  return result.status == "ok" || result.status == "fault" || result.status == "limit";
}

/// The run whose buffers on a GPU the picture is made from; null = there are none, or none of such a view.
const GpuRun* pictured_on_gpu(const LabState& state, const ViewSpec& spec) {
  if (!shows_pixels(spec, state.live ? state.live->values : state.result_values) || state.looks_back)
    return nullptr;
  if (state.live) return &state.live->run;
  const bool left = state.result && state.result->on_gpu && !state.result->on_gpu->buffers.empty();
  return left ? &*state.result->on_gpu : nullptr;
}

std::map<std::string, ElementType> types_of(const std::vector<Output>& outputs) {
  std::map<std::string, ElementType> types;
  for (const Output& output : outputs) types[output.name] = output.type;
  return types;
}

/// Drawing is a part of where a run's time went, once its picture came from the GPU.
Times with_draw_time(const RunResult& result, const std::optional<PictureWay>& newest) {
  Times times = result.times;
  if (!newest || !result.on_gpu || result.on_gpu->use != newest->use) return times;
  const ImageOutcome& outcome = newest->outcome;
  times.draw_ms = outcome.way == "host copy" ? outcome.through_host_ms : outcome.without_copy_ms;
  return times;
}

// Under a picture of the GPU's: the way that it took, what both ways cost, and the switch between them.
void draw_picture_way(Frame& frame, float width) {
  Look& look = frame.look;
  GpuPictures& pictures = frame.book.gpu_pictures;
  if (!pictures.newest()) return;
  const ImageOutcome& outcome = pictures.newest()->outcome;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool refused = !outcome.why_host.empty();
  const int chosen = pictures.way() == ImageWay::through_host || refused ? 1 : 0;
  ImGui::BeginGroup();
  const int now = segmented(look, "picture.way", {"On the GPU", "Through the host"}, chosen, !refused, 28);
  ImGui::EndGroup();
  if (now != chosen && !refused) pictures.choose(now == 1 ? ImageWay::through_host : ImageWay::automatic);
  const float x = ImGui::GetItemRectMax().x + look.dp(12);
  const std::string words = picture_way_words(outcome);
  ImFont* font = look.fonts.caption;
  const float room = corner.x + width - x;
  const ImVec2 at(x, corner.y + std::floor((look.dp(28) - size_of(font)) / 2));
  ImGui::GetWindowDrawList()->AddText(font, size_of(font), at, look.colours.muted,
                                      fitted(font, words, room).c_str());
  ImGui::SetCursorScreenPos(ImVec2(x, corner.y));
  if (ImGui::InvisibleButton("picture.way.words", ImVec2(std::max(room, 1.0f), look.dp(28))))
    follow_link(frame.book, "with-a-gpu.md");
  look.marks.item("picture.way.words", words);
  hover_text(look, words + " A click tells what each platform needs.");
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
  // An opened diagnosis has the tab between the views and the editor.
  const int editor = int(titles.size()) + (state.moment ? 1 : 0);
  if (state.moment) titles.push_back("Moment");
  titles.push_back("Edit");
  const float top = ImGui::GetCursorPosY();
  const int tab = std::clamp(tab_strip(look, "view", titles, state.tab), 0, int(titles.size()) - 1);
  // The line that a view has chosen is what the text is opened for.
  if (tab == editor && tab != state.tab) state.code.scroll_to_line = book.selection.line.value_or(0);
  state.tab = tab;
  gap(look, 8);
  height -= ImGui::GetCursorPosY() - top;
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  if (state.moment && state.tab == editor - 1) {
    const MomentAction action = draw_moment(frame, *state.moment, width, height);
    if (action == MomentAction::none) return;
    const int line = state.moment->diagnosis ? state.moment->diagnosis->line : 0;
    close_moment(book, state.moment);
    state.tab = action == MomentAction::to_line ? editor - 1 : 0;
    if (action == MomentAction::to_line) {
      state.code.scroll_to_line = line;
      choose_line(book, line);
    }
    return;
  }
  if (state.tab == editor) {
    draw_code_tab(frame, lesson, lab, width, height);
    return;
  }
  const ViewSpec& spec = lab.views[size_t(state.tab)];
  const view::Visualiser* visualiser = view::visualiser(spec.type);
  const GpuRun* on_gpu = pictured_on_gpu(state, spec);
  const bool live = on_gpu && state.live;
  if (on_gpu) height -= look.dp(36);  // always: the picture must not jump when the line below it comes
  // Pictures may draw a little past their area: grabs at the ends of sliders, frames around matrices.
  const float bleed = look.dp(8);
  ImGui::SetCursorScreenPos(ImVec2(corner.x - bleed, corner.y));
  begin_region("view.area", width + 2 * bleed, height, false, bleed, 0);
  if (!visualiser) {
    caption(look, fmt::format("The lesson asks for a view \"{}\", which Warpbook does not have.", spec.type),
            look.colours.error);
  } else if (ShownRun shown = shown_run(state); live || (shown.result && has_picture(*shown.result))) {
    if (live) {
      shown.values = state.live->values;
      shown.stale = false;
      if (!shown.result) shown.result = std::make_shared<const RunResult>();
    }
    view::ViewInput input = view_input(shown, spec);
    view::OnGpu pixels;
    if (on_gpu) {
      if (live) book.gpu_pictures.take_colours(state.live->colours);
      pixels =
          book.gpu_pictures.of(*on_gpu, live, live ? state.live->types : types_of(shown.result->outputs));
      input.on_gpu = &pixels;
    }
    const Times times = with_draw_time(*shown.result, book.gpu_pictures.newest());
    input.times = &times;
    input.occupancy_of = [&book](const OccupancyQuestion& question) {
      const auto gpu = gpu_named(book.specs, book.gpu.name);
      return gpu ? occupancy_picture(*gpu, question, book.specs) : OccupancyPicture{};
    };
    request_models(book, lesson, lab);
    view::ViewState& view_state = state.views[size_t(state.tab)];
    const float alpha = shown.stale ? 0.45f : 1.0f;
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, alpha);
    apply_pin(book);
    visualiser->draw(input, view_state, book.selection, view_style(look), book.pictures,
                     {corner.x, corner.y, width, height});
    ImGui::PopStyleVar();
    if (shown.stale) {
      ImGui::GetWindowDrawList()->AddRectFilled(corner, ImVec2(corner.x + width, corner.y + height),
                                                faded(look.colours.paper, 0.45f));
    }
    for (const view::ControlChange& change : std::exchange(view_state.changes, {})) {
      set_control(book, lesson, lab, change.name, change.value);
    }
  } else if (state.result || !book.compiler_missing.empty()) {
    const std::string words =
        !state.result ? "Kernels cannot be compiled on this machine yet, so nothing ran."
        : state.result->status == "launch-error"
            ? "The launch was refused, so nothing ran. What stands below says why."
        : state.result->status == "compile-error" ? "The code does not compile, so nothing ran."
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
  if (on_gpu) {
    ImGui::SetCursorScreenPos(ImVec2(corner.x, corner.y + height + look.dp(8)));
    draw_picture_way(frame, width);
  }
}

const std::string& printed_text(const RunResult& result) {
  return result.program ? result.program->out : result.printf;
}

/// Empty when the program ended as it should, and for kernels.
std::string ending_words(const RunResult& result) {
  const std::string bad = result.program ? bad_ending(*result.program) : "";
  return bad.empty() ? "" : fmt::format("The program failed: {}.", bad);
}

void draw_results_words(Frame& frame, const Lesson& lesson, const Lab& lab, LabState& state) {
  Look& look = frame.look;
  if (state.error) {
    wrapped(look, state.error->message, look.fonts.label,
            state.error->trouble == Trouble::cancelled ? look.colours.muted : look.colours.error);
    look.marks.item("lab.error", state.error->message);
    if (!state.error->hint.empty()) caption(look, state.error->hint, look.colours.muted);
    return;
  }
  if (!state.result) return;
  if (const std::string ending = ending_words(*state.result); !ending.empty()) {
    wrapped(look, ending, look.fonts.label, look.colours.error);
    look.marks.item("lab.ending", ending);
  }
  const int clicked = draw_diagnoses(frame, "lab.diagnosis", state.result->diagnostics);
  if (clicked >= 0) {
    const Diagnosis& chosen = state.result->diagnostics[size_t(clicked)];
    if (has_moment(chosen) && !state.result->program) {
      open_moment(frame.book, lesson, lab, chosen);
    } else if (chosen.line > 0) {
      choose_line(frame.book, chosen.line);
      state.tab = int(state.views.size()) + (state.moment ? 1 : 0);
      state.code.scroll_to_line = chosen.line;
    }
  }
  if (const std::string& all = printed_text(*state.result); !all.empty()) {
    caption(look, state.result->program ? "Printed by the program" : "Printed by the kernel",
            look.colours.muted);
    // A kernel may print a million lines: what is shown is bounded.
    const std::string_view printed = std::string_view(all).substr(0, 8000);
    const FontScope mono(look.fonts.mono_small);
    ImGui::TextUnformatted(printed.data(), printed.data() + printed.size());
    look.marks.item("lab.printf", std::string(printed));
    if (printed.size() < all.size())
      caption(look, fmt::format("… and {} bytes more", with_thousands(all.size() - printed.size())),
              look.colours.muted);
  }
}

// What has changed against the run before, in two lines at most whatever it says (the picture above must not
// jump), and the way to see that run again.
void draw_difference(Frame& frame, LabState& state) {
  Look& look = frame.look;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, button_width = look.dp(76);
  const std::string sentence = state.looks_back ? "This is the run before. The new one: " + state.difference
                                                : "Against the run before: " + state.difference;
  ImFont* font = look.fonts.caption;
  const float room = width - button_width - look.dp(12);
  const float height = font->CalcTextSizeA(size_of(font), FLT_MAX, room, sentence.c_str()).y;
  const bool fits = height <= look.dp(40);
  const std::string shown = fits ? sentence : fitted(font, sentence, room);
  const float text_height = fits ? height : size_of(font);
  ImGui::Dummy(ImVec2(room, look.dp(40)));
  ImGui::GetWindowDrawList()->AddText(
      font, size_of(font), ImVec2(corner.x, corner.y + std::floor((look.dp(40) - text_height) / 2)),
      state.looks_back ? look.colours.warning : look.colours.muted, shown.c_str(), nullptr, room);
  look.marks.item("lab.difference", state.difference);
  if (!fits) hover_text(look, sentence);
  ImGui::SetCursorScreenPos(ImVec2(corner.x + width - button_width, corner.y + look.dp(4)));
  if (button(look, "lab.before", state.looks_back ? "New run" : "See it", ButtonKind::quiet,
             state.before != nullptr,
             state.looks_back ? "Back to the newest run" : "Shows the picture of the run before",
             button_width))
    state.looks_back = !state.looks_back;
}

}  // namespace

void draw_lab(Frame& frame, const Lesson& lesson, const Lab& lab) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  LabState& state = lab_state(book, lesson, lab);
  const Values values = values_of(book, lesson, lab.name);
  if (state.other_engine) request_run(book, lesson, lab);

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
      leave_experiment(book, state);
      state.variant = lab.variants[size_t(now)].first;
      request_run(book, lesson, lab);
    }
    gap(look, 12);
  }
  draw_controls(frame, lesson, lab, values);
  gap(look, 12);
  draw_status_row(frame, lesson, lab);
  draw_beside_measured(frame, state);
  gap(look, 8);

  // The bottom takes what its words need, up to a third; the picture takes the rest and does not jump for a
  // line. Under many controls it keeps a size in which something can be seen, and the column scrolls.
  const float room = ImGui::GetContentRegionAvail().y;
  float bottom = 0;
  if (state.error) bottom = look.dp(64);
  if (state.result && !state.error) {
    if (!ending_words(*state.result).empty()) bottom += look.dp(32);
    for (const Diagnosis& d : state.result->diagnostics) bottom += look.dp(d.hint.empty() ? 48 : 68);
    if (const std::string& printed = printed_text(*state.result); !printed.empty()) {
      const auto lines = std::count(printed.begin(), printed.end(), '\n') + (printed.back() != '\n');
      bottom += look.dp(30 + 20 * float(std::min<std::ptrdiff_t>(lines, 3)));
    }
  }
  bottom = std::min(bottom, room * 0.36f);
  const bool has_difference = !state.difference.empty() && !state.stale;
  const float difference_height = state.previous ? look.dp(44) : 0;
  draw_views(frame, lesson, lab,
             std::max(look.dp(280), room - bottom - difference_height - (bottom > 0 ? look.dp(8) : 0)));
  ImGui::BeginGroup();
  const float at = ImGui::GetCursorPosY();
  if (has_difference) draw_difference(frame, state);
  ImGui::EndGroup();
  ImGui::SetCursorPosY(at + difference_height - (bottom > 0 ? 0 : ImGui::GetStyle().ItemSpacing.y));
  if (bottom > 0) {
    begin_region("lab.words", ImGui::GetContentRegionAvail().x,
                 std::max(std::max(bottom, look.dp(64)), ImGui::GetContentRegionAvail().y));
    draw_results_words(frame, lesson, lab, state);
    end_region();
  }
}

}  // namespace warpbook::ui
