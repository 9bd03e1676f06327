// The row under a lab's controls: run and reset, or how a run goes on; how its numbers came about; what can
// be kept.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <optional>

#include "lab/gpu_report.h"
#include "model/measured.h"
#include "ui/imgui_compat.h"
#include "ui/keys.h"
#include "ui/palette.h"
#include "ui/panels.h"
#include "ui/widgets.h"
#include "ui/words.h"

namespace warpbook::ui {

namespace {

// Work longer than this shows that it goes on, and can be cancelled.
constexpr double progress_after_seconds = 0.2;

const char* stage_words(int stage) {
  static constexpr const char* words[] = {"Waiting", "Compiling",   "Copying in",
                                          "Running", "Copying out", "Done"};
  return words[std::clamp(stage, 0, 5)];
}

// At the right end of the row; on a line of their own where the row is full.
void draw_export_buttons(Frame& frame, const LabState& state, float row_y) {
  Look& look = frame.look;
  if (size_t(state.tab) >= state.views.size()) return;
  const float width = look.dp(52), gap_between = look.dp(4);
  const float right = ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x;
  const float left = right - 2 * width - gap_between;
  ImGui::SameLine(0, look.dp(12));
  const bool full = ImGui::GetCursorScreenPos().x > left;
  if (full) ImGui::NewLine();
  ImGui::SetCursorScreenPos(ImVec2(left, full ? ImGui::GetCursorScreenPos().y : row_y));
  if (button(look, "export.picture", "PNG", ButtonKind::quiet, true,
             "Saves the picture as it is seen (" + keys_of(Command::export_picture) + ")", width))
    perform(frame.book, Command::export_picture);
  ImGui::SameLine(0, gap_between);
  if (button(look, "export.numbers", "CSV", ButtonKind::quiet, true,
             "Saves the picture's numbers as a table (" + keys_of(Command::export_numbers) + ")", width))
    perform(frame.book, Command::export_numbers);
}

/// Where a GPU has measured the run, and the model speaks of that same GPU: its time beside the model's, and
/// whether the step from the run before fits.
std::optional<MeasuredRow> beside_measured(const LabState& state) {
  std::vector<TimedVersion> versions;
  const auto add = [&](const std::shared_ptr<const RunResult>& run,
                       const std::shared_ptr<const RunModels>& models) {
    if (run && run->on_gpu && models && models->modelled && models->gpu == run->on_gpu->device &&
        run->times.kernel_ms)
      versions.push_back({run->kernel, *run->times.kernel_ms * 1000, models->modelled->us});
  };
  add(state.previous, state.previous_models);
  const size_t before = versions.size();
  add(state.result, state.models);
  if (versions.size() == before) return std::nullopt;
  return beside_measured(versions).back();
}

}  // namespace

/// That in a line of its own; a step that the model has wrong stands out.
void draw_beside_measured(Frame& frame, const LabState& state) {
  Look& look = frame.look;
  if (!state.result || state.stale || !state.result->times.kernel_ms) return;
  const std::optional<MeasuredRow> row = beside_measured(state);
  std::string words;
  if (row) {
    words = measured_in_words(*row);
  } else if (state.models && state.models->modelled && state.result->on_gpu) {
    words =
        fmt::format("measured on the {}, modelled for the {}: choose the first in the settings to compare",
                    state.result->on_gpu->device, state.models->gpu);
  }
  if (words.empty()) return;
  const bool off = row && row->off;
  wrapped(look, off ? "The model is off here: " + words : words, look.fonts.caption,
          off ? look.colours.warning : look.colours.muted);
  look.marks.item("lab.beside", words);
}

void draw_status_row(Frame& frame, const Lesson& lesson, const Lab& lab) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  LabState& state = lab_state(book, lesson, lab);
  const float row_y = ImGui::GetCursorScreenPos().y;
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
      auto models = state.models;
      auto views = std::move(state.views);
      state = LabState{};
      state.generation = generation;
      state.result = result;
      state.models = models;
      state.views = std::move(views);
      for (view::ViewState& one : state.views) one.numbers.clear();
      request_run(book, lesson, lab);
    }
  }
  if (const uint64_t row = openable_row(lesson, lab, state); row != 0 && !running) {
    ImGui::SameLine();
    if (button(look, "lab.open-launch", "Open this launch", ButtonKind::plain, true,
               "The kernel by itself, on what this launch found: its threads, its memory traffic, its lines"))
      open_launch_of(book, lesson, lab, row);
  }
  if (state.opened) {
    ImGui::SameLine();
    if (button(look, "lab.close-launch", "Back to the program", ButtonKind::quiet, true,
               "Closes this launch"))
      close_launch(book, lesson);
  }
  if (state.order != Order::forward) {
    ImGui::SameLine();
    ImGui::SetCursorScreenPos(ImVec2(ImGui::GetCursorScreenPos().x, row_y + look.dp(5)));
    plain_chip(look, "lab.order",
               state.order == Order::reverse ? "blocks in reverse order" : "blocks in shuffled order",
               look.colours.accent_soft, look.colours.accent,
               "Nothing orders blocks; here they run in this order");
    ImGui::SameLine();
    ImGui::SetCursorScreenPos(ImVec2(ImGui::GetCursorScreenPos().x, row_y));
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
                 "as it goes. A click tells more.");
      if (ImGui::IsItemClicked()) follow_link(book, "how-numbers-are-made.md");
    }
    if (result.times.kernel_ms) {
      ImGui::SameLine();
      ImGui::SetCursorPosY(top + look.dp(5));
      stamp_chip(look, "lab.stamp.measured", Stamp::measured,
                 fmt::format("{:.3g} ms measured", *result.times.kernel_ms),
                 result.times.stamp +
                     (result.times.measured ? "\n" + measured_line(*result.times.measured) : std::string()));
      if (ImGui::IsItemClicked()) follow_link(book, "how-numbers-are-made.md");
    }
    if (state.models && state.models->modelled && !state.stale) {
      const ModelledTime& modelled = *state.models->modelled;
      ImGui::SameLine();
      ImGui::SetCursorPosY(top + look.dp(5));
      stamp_chip(look, "lab.stamp.modelled", Stamp::modelled, time_in_words(modelled.us) + " modelled",
                 fmt::format("On the {}, between {} and {}. What takes most of it: {}. A click tells how the "
                             "time is modelled.",
                             modelled.gpu, time_in_words(modelled.low_us), time_in_words(modelled.high_us),
                             dominating_in_words(modelled)));
      if (ImGui::IsItemClicked()) follow_link(book, "how-time-is-modelled.md");
    }
    draw_export_buttons(frame, state, row_y);
  }
}

}  // namespace warpbook::ui
