// An exercise beside the page: the learner's file in the editor, starter and solution to compare, and the
// check with each of its rows.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "base/text.h"
#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/widgets.h"
#include "ui/words.h"

namespace warpbook::ui {

namespace {

constexpr size_t shortest_reason = 20;  // letters: a sentence, not a key press

bool solution_open(const ExerciseProgress& progress) { return progress.passed || progress.solution_shown; }

std::string check_title(const CheckRow& row) {
  if (row.check == "compiles") return "It compiles";
  if (row.check == "results") return "Results are right";
  if (row.check == "no-diagnoses") return "Nothing forbidden happens";
  if (row.check == "output") return "It prints what it should";
  if (row.check == "kernels") return "The kernels do the work";
  if (row.check == "calls") return "The calls come in their order";
  if (row.check == "sizes") return "Copies have the right sizes";
  if (row.check == "survives") return "A failing call is noticed: " + row.name;
  if (row.check == "schedules") return "Every order of blocks gives the same";
  if (row.check == "gpu") return "The GPU gives the same";
  if (row.check == "counter") {
    for (const NamedCounter& counter : named_counters()) {
      if (counter.name == row.name) return std::string(counter.label);
    }
    return row.name;
  }
  return row.name.empty() ? row.check : row.check + " " + row.name;
}

void mismatch_table(Frame& frame, const std::string& name, const Mismatch& m) {
  Look& look = frame.look;
  std::string writer = "nobody";
  if (m.thread) {
    writer = fmt::format("thread ({}, {}, {})", m.thread->x, m.thread->y, m.thread->z);
    if (m.block) writer += fmt::format(" of block ({}, {}, {})", m.block->x, m.block->y, m.block->z);
  }
  const std::pair<const char*, std::string> rows[] = {
      {"First wrong element", fmt::format("{}[{}]", m.buffer, m.index)},
      {"Expected", m.expected},
      {"Got", m.got},
      {"Written by", writer},
      {"With", m.sizes}};
  for (const auto& [label, value] : rows) {
    if (value.empty()) continue;
    const float x = ImGui::GetCursorPosX();
    caption(look, label, look.colours.muted);
    ImGui::SameLine();
    ImGui::SetCursorPosX(x + look.dp(140));
    wrapped(look, value, look.fonts.mono_small, look.colours.ink);
    look.marks.item(name + "." + label, value);
  }
}

// One square an order that was tried; a click runs that order once more, step by step.
void draw_orders(Frame& frame, const Lesson& lesson, const Exercise& exercise, const std::string& name,
                 const CheckRow& row) {
  Look& look = frame.look;
  const float side = look.dp(14), space = look.dp(4);
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (size_t i = 0; i < row.orders.size(); ++i) {
    const TriedOrder& order = row.orders[i];
    if (i > 0) {
      ImGui::SameLine(0, space);
      if (ImGui::GetCursorScreenPos().x + side > right) ImGui::NewLine();
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(int(i));
    const bool clicked = ImGui::InvisibleButton(name.c_str(), ImVec2(side, side));
    ImGui::PopID();
    const std::string words =
        fmt::format("Order {} of {}: {}. {}; a click runs it step by step.", i + 1, row.orders.size(),
                    order_words(order), order.same ? "The results are right" : "The results are wrong");
    look.marks.item(fmt::format("{}.order.{}", name, i), words);
    const Colour colour = order.same ? look.colours.success : look.colours.error;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, ImVec2(at.x + side, at.y + side),
                       order.same ? faded(colour, ImGui::IsItemHovered() ? 0.6f : 0.3f) : colour, look.dp(3));
    // Not by colour alone: a wrong one is crossed.
    if (!order.same) {
      const float in = look.dp(4), thick = std::max(1.0f, look.dp(1.5f));
      list.AddLine(ImVec2(at.x + in, at.y + in), ImVec2(at.x + side - in, at.y + side - in),
                   look.colours.paper, thick);
      list.AddLine(ImVec2(at.x + in, at.y + side - in), ImVec2(at.x + side - in, at.y + in),
                   look.colours.paper, thick);
    }
    hover_text(look, words);
    if (clicked) open_order(frame.book, lesson, exercise, order);
  }
}

void draw_report(Frame& frame, const Lesson& lesson, const Exercise& exercise, ExerciseState& state) {
  Look& look = frame.look;
  const CheckReport& report = *state.report;
  const bool old = state.report_version != state.mine.version;
  const std::string headline = report.passed ? "✓ Passed" : "Not yet";
  wrapped(look, headline, look.fonts.h3, report.passed ? look.colours.success : look.colours.ink);
  look.marks.item("check.headline", headline);
  if (old) {
    ImGui::SameLine();
    caption(look, "your code has changed since this check", look.colours.muted);
  }
  gap(look, 4);
  for (size_t i = 0; i < report.rows.size(); ++i) {
    const CheckRow& row = report.rows[i];
    const std::string name = fmt::format("check.{}", i);
    const char* sign = row.skipped ? "–" : row.passed ? "✓" : "✗";
    const Colour colour = row.skipped  ? look.colours.muted
                          : row.passed ? look.colours.success
                                       : look.colours.error;
    const float x = ImGui::GetCursorPosX();
    wrapped(look, sign, look.fonts.label_bold, colour);
    ImGui::SameLine();
    ImGui::SetCursorPosX(x + look.dp(24));
    ImGui::BeginGroup();
    wrapped(look, check_title(row), look.fonts.label, row.skipped ? look.colours.muted : look.colours.ink);
    if (!row.message.empty()) caption(look, row.message, look.colours.muted);
    if (row.mismatch) mismatch_table(frame, name, *row.mismatch);
    if (row.orders.size() > 1) draw_orders(frame, lesson, exercise, name, row);
    const int clicked = !row.passed && !row.diagnostics.empty()
                            ? draw_diagnoses(frame, name + ".diagnosis", row.diagnostics)
                            : -1;
    if (clicked >= 0) {
      const Diagnosis& chosen = row.diagnostics[size_t(clicked)];
      const auto wrong = std::find_if(row.orders.begin(), row.orders.end(),
                                      [](const TriedOrder& order) { return !order.same; });
      if (has_moment(chosen)) {
        open_moment(frame.book, lesson, exercise, chosen);
      } else if (wrong != row.orders.end()) {
        open_order(frame.book, lesson, exercise, *wrong);
      } else if (chosen.line > 0) {
        state.tab = 1;
        state.mine.scroll_to_line = chosen.line;
        choose_line(frame.book, chosen.line);
      }
    }
    ImGui::EndGroup();
    look.marks.item(name, row.message);
    gap(look, 4);
  }
  if (report.passed)
    caption(look, "Done at your own pace: the next lesson waits in the contents.", look.colours.muted);
}

void draw_solution_gate(Frame& frame, const Exercise& exercise, ExerciseState& state,
                        ExerciseProgress& progress) {
  Look& look = frame.look;
  const int hints = int(exercise.hints.size());
  Card card(look, "solution.gate", ImGui::GetContentRegionAvail().x, look.colours.panel, look.colours.line,
            20);
  wrapped(look, "The solution", look.fonts.h3, look.colours.ink);
  gap(look, 4);
  if (progress.hints_shown < hints) {
    wrapped(look,
            fmt::format("It opens when your answer passes, or after the hints: {} of {} so far.",
                        progress.hints_shown, hints),
            look.fonts.label, look.colours.ink);
    gap(look, 8);
    if (button(look, "solution.hint", progress.hints_shown == 0 ? "A hint" : "Another hint",
               ButtonKind::primary)) {
      ++progress.hints_shown;
      note_progress(frame.book);
    }
    for (int i = 0; i < progress.hints_shown; ++i) {
      gap(look, 8);
      draw_markdown(frame, fmt::format("solution.hint.{}", i),
                    exercise.hints[size_t(i)].in(frame.book.locale()), card.inner_width());
    }
    return;
  }
  wrapped(look,
          "Before you look: what have you tried, and where did it stop? Writing it down is half of "
          "understanding it.",
          look.fonts.label, look.colours.ink);
  gap(look, 8);
  ImGui::InputTextMultiline("###solution.reason", &state.reason, ImVec2(card.inner_width(), look.dp(72)));
  look.marks.item("solution.reason", state.reason);
  const bool enough = decode_utf8(trim(state.reason)).size() >= shortest_reason;
  if (button(look, "solution.show", "Show the solution", ButtonKind::primary, enough,
             enough ? "" : "A sentence or two first")) {
    progress.solution_shown = true;
    note_progress(frame.book);
  }
}

}  // namespace

void draw_exercise(Frame& frame, const Lesson& lesson, const Exercise& exercise) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  ExerciseState& state = exercise_state(book, lesson, exercise);
  ExerciseProgress& progress = book.progress.lessons[lesson.slug].exercises[exercise.name];
  std::vector<std::string> tabs = {"Starter", "Mine", "Solution", "Compare"};
  if (state.moment) tabs.push_back("Moment");
  state.tab = std::min(tab_strip(look, "code", tabs, state.tab), int(tabs.size()) - 1);
  gap(look, 8);
  if (state.changed_outside) {
    Card card(look, "file.conflict", ImGui::GetContentRegionAvail().x, look.colours.panel,
              look.colours.warning, 12);
    wrapped(look, "The file was changed outside while you edited it here.", look.fonts.label,
            look.colours.ink);
    if (button(look, "file.reload", "Take the file")) reload_exercise(state);
    ImGui::SameLine();
    if (button(look, "file.keep", "Keep mine")) {
      state.changed_outside = false;
      state.unsaved = true;
      save_exercise(book, state);
    }
  }
  if (!state.save_problem.empty()) caption(look, state.save_problem, look.colours.error);

  const float room = ImGui::GetContentRegionAvail().y;
  const bool has_report = state.report || state.error;
  const float buttons = look.dp(44);
  // Two texts and their numbers need more room than the verdict, which is known by then.
  const float report_share = state.tab == 3 ? 0.25f : 0.45f;
  const float report_height = has_report ? std::min(room * report_share, look.dp(360)) : 0;
  const float editor_height = std::max(look.dp(140), room - buttons - report_height - look.dp(20));
  CodeView view;
  view.height = editor_height;
  view.selected_line = book.selection.line.value_or(0);
  int clicked = 0;
  if (state.tab == 0) {
    view.read_only = true;
    code_editor(look, "editor.starter", state.starter, view);
  } else if (state.tab == 1) {
    if (state.report && state.report_version == state.mine.version) view.marks = &state.marks;
    if (code_editor(look, "editor", state.mine, view, &clicked)) {
      state.unsaved = true;
      state.edited_at = book.now;
    }
    if (clicked > 0) choose_line(book, clicked);
  } else if (state.tab == 3) {
    draw_compare(frame, state, solution_open(progress), editor_height);
  } else if (state.tab == moment_tab && state.moment) {
    const float top = ImGui::GetCursorPosY();
    const MomentAction action =
        draw_moment(frame, *state.moment, ImGui::GetContentRegionAvail().x, editor_height);
    if (action != MomentAction::none) {
      const int line = state.moment->diagnosis ? state.moment->diagnosis->line : 0;
      close_moment(book, state.moment);
      state.tab = 1;
      if (action == MomentAction::to_line) {
        state.mine.scroll_to_line = line;
        choose_line(book, line);
      }
    }
    ImGui::SetCursorPosY(top + editor_height);
  } else if (solution_open(progress)) {
    view.read_only = true;
    code_editor(look, "editor.solution", state.solution, view);
  } else {
    begin_region("solution.region", ImGui::GetContentRegionAvail().x, editor_height);
    draw_solution_gate(frame, exercise, state, progress);
    end_region();
  }
  gap(look, 12);
  const RunnerStatus status = book.runner ? book.runner->status() : RunnerStatus{};
  if (state.checking) {
    if (button(look, "check.cancel", "Cancel", ButtonKind::plain, true, "Escape")) book.runner->cancel();
    ImGui::SameLine();
    ImGui::BeginGroup();
    caption(look,
            status.total > 0 ? fmt::format("Checking: {} of {} runs", status.done, status.total)
                             : std::string("Checking …"),
            look.colours.muted);
    progress_bar(look, status.total > 0 ? float(status.done) / float(status.total) : -1, look.dp(200));
    ImGui::EndGroup();
  } else {
    if (button(look, "check.run", "Check", ButtonKind::primary, book.compiler_missing.empty(),
               book.compiler_missing.empty() ? "Ctrl+S saves and checks" : book.compiler_missing)) {
      request_check(book, lesson, exercise);
    }
    ImGui::SameLine();
    if (button(look, "exercise.reset", "Start over", ButtonKind::quiet, state.mine.text != state.starter.text,
               "Your code becomes the starter again; undo takes it back")) {
      state.tab = 1;
      state.mine.pending = Edit{0, state.mine.text.size(), state.starter.text, 0, 0};
      state.unsaved = true;
      state.edited_at = book.now;
    }
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    caption(look,
            book.keep_nothing ? "not kept on disk"
            : state.unsaved   ? "not saved yet"
                              : "saved",
            look.colours.muted);
    hover_text(look, state.file.string());
  }
  if (!has_report) return;
  gap(look, 8);
  begin_region("check.report", ImGui::GetContentRegionAvail().x, ImGui::GetContentRegionAvail().y);
  if (state.error) {
    wrapped(look, state.error->message, look.fonts.label,
            state.error->trouble == Trouble::cancelled ? look.colours.muted : look.colours.error);
    if (!state.error->hint.empty()) caption(look, state.error->hint, look.colours.muted);
  } else {
    draw_report(frame, lesson, exercise, state);
  }
  end_region();
}

}  // namespace warpbook::ui
