// The other live blocks of a page: prediction, exercise, lab and code from a file.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/text.h"
#include "lesson/live_blocks.h"
#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace warpbook::ui {

std::string filled(const std::string& text, const Values& values) {
  Result<std::string> result = fill_in(text, values);
  return result ? *result : text;
}

void draw_markdown(Frame& frame, const std::string& name, const std::string& markdown, float width,
                   bool small) {
  DocumentEvents events;
  DocumentView view;
  view.name = name;
  view.width = width;
  view.small = small;
  draw_document(frame.look, document_of(frame.book, markdown), view, events);
  handle(frame, events);
}

void choose_line(Workbook& book, int line) {
  book.selection.line = line;
  book.selection.owner = nullptr;  // no view's own choice: all of them follow it
}

void handle(Frame& frame, const DocumentEvents& events) {
  if (!events.copied.empty()) {
    ImGui::SetClipboardText(events.copied.c_str());
    say(frame.book, "Copied.");
  }
  if (!events.link.empty()) follow_link(frame.book, events.link);
}

std::string title_of(const Lesson&, const Lab& lab, const std::string& locale) {
  if (!lab.title.empty()) return lab.title.in(locale);
  std::string title = replace_all(lab.name, "-", " ");
  if (!title.empty()) title[0] = char(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

std::string title_of(const Exercise& exercise, const std::string& locale) {
  if (!exercise.title.empty()) return exercise.title.in(locale);
  std::string title = replace_all(exercise.name, "-", " ");
  if (!title.empty()) title[0] = char(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

namespace {

std::string plain_number(double value) {
  if (std::abs(value) < 1e15 && value == std::floor(value))
    return value < 0 ? "-" + with_thousands(uint64_t(-value)) : with_thousands(uint64_t(value));
  return fmt::format("{}", value);
}

std::string verdict_on(const Prediction& prediction, const PredictionJudgement& judgement, double guess) {
  const std::string unit = prediction.unit.empty() ? std::string() : " " + prediction.unit;
  const std::string expected = plain_number(double(judgement.expected)) + unit;
  if (!judgement.right) return fmt::format("You said {}, it is {}.", plain_number(guess), expected);
  if (guess == double(judgement.expected)) return fmt::format("✓ {} it is.", expected);
  return fmt::format("✓ Near enough: it is {}.", expected);
}

}  // namespace

void draw_predict_card(Frame& frame, const Lesson& lesson, const Block& block, float width) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  const Result<Prediction> parsed = prediction_of(block);
  if (!parsed) return;  // the lesson would not have loaded
  const Prediction& prediction = *parsed;
  const std::string key = content_hash(prediction.question).substr(0, 12);
  PredictState& state = book.lessons[lesson.slug].predictions[key];
  std::map<std::string, std::string>& kept = book.progress.lessons[lesson.slug].predictions;
  if (state.text.empty() && !state.guess) {
    if (const auto found = kept.find(key); found != kept.end()) state.text = found->second;
  }
  const Values values = values_of(book, lesson, prediction.lab);
  const std::string name = "predict." + prediction.lab;
  Card card(look, name, width, look.colours.panel, look.colours.line, 20, look.colours.series[1]);
  const float inner = card.inner_width();
  caption(look, "Predict, then look", look.colours.muted);
  draw_markdown(frame, name + ".text", filled(prediction.question, values), inner);
  gap(look, 12);
  ImGui::SetNextItemWidth(look.dp(160));
  const bool entered = ImGui::InputTextWithHint(("###" + name + ".number").c_str(), "your number",
                                                &state.text, ImGuiInputTextFlags_EnterReturnsTrue);
  look.marks.item(name + ".number", state.text);
  if (!prediction.unit.empty()) {
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(prediction.unit.c_str());
  }
  ImGui::SameLine();
  const std::optional<double> guess = parse_double(trim(state.text));
  if (button(look, name + ".answer", "Compare", ButtonKind::primary, guess.has_value(),
             guess ? "" : "Type a number first") ||
      (entered && guess)) {
    state.guess = guess;
    state.values = values;
    kept[key] = state.text;
    note_progress(book);
  }
  if (!state.guess) return;
  const Result<PredictionJudgement> judgement = judge(prediction, *state.guess, state.values);
  gap(look, 8);
  if (!judgement) {
    caption(look, judgement.error().message, look.colours.error);
    return;
  }
  const std::string verdict = verdict_on(prediction, *judgement, *state.guess);
  wrapped(look, verdict, look.fonts.body, judgement->right ? look.colours.success : look.colours.ink);
  look.marks.item(name + ".verdict", verdict);
  if (!judgement->because.empty()) {
    gap(look, 4);
    draw_markdown(frame, name + ".because", judgement->because, inner);
    look.marks.item(name + ".because", judgement->because);
  }
  if (state.values != values)
    caption(look, "The controls have changed since; predict again for the new numbers.", look.colours.muted);
}

void draw_lab_card(Frame& frame, const Lesson& lesson, const Lab& lab, float width) {
  Look& look = frame.look;
  LessonState& state = frame.book.lessons[lesson.slug];
  const bool here = !state.bench_is_exercise && state.bench == lab.name;
  const std::string name = "labcard." + lab.name;
  Card card(look, name, width, here ? look.colours.accent_soft : look.colours.panel,
            here ? look.colours.accent : look.colours.line, 16);
  const float inner = card.inner_width();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::BeginGroup();
  caption(look, "Lab", look.colours.muted);
  wrapped(look, title_of(lesson, lab, frame.book.locale()), look.fonts.bold, look.colours.ink,
          inner - look.dp(150));
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y;
  if (here && !frame.book.narrow) {
    const char* words = "shown beside";
    const float words_width =
        look.fonts.caption->CalcTextSizeA(size_of(look.fonts.caption), FLT_MAX, 0, words).x;
    ImGui::SetCursorScreenPos(ImVec2(corner.x + inner - words_width, corner.y + look.dp(12)));
    caption(look, words, look.colours.accent);
  } else {
    const float button_width = look.dp(120);
    ImGui::SetCursorScreenPos(ImVec2(corner.x + inner - button_width, corner.y + look.dp(4)));
    if (button(look, name + ".open", "Open the lab", ButtonKind::primary, true, "", button_width)) {
      show_lab(frame.book, lab.name);
      frame.book.page_tab_is_lab = true;
    }
  }
  ImGui::SetCursorScreenPos(ImVec2(corner.x, bottom + look.dp(8)));
  lane_strip(look, corner.x, bottom + look.dp(8), inner, look.dp(4), here ? 32 : 0, look.colours.accent,
             look.colours.line);
  ImGui::Dummy(ImVec2(inner, look.dp(4)));
}

void draw_exercise_card(Frame& frame, const Lesson& lesson, const Exercise& exercise, float width) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  ExerciseProgress& progress = book.progress.lessons[lesson.slug].exercises[exercise.name];
  LessonState& lesson_state = book.lessons[lesson.slug];
  const bool here = lesson_state.bench_is_exercise && lesson_state.bench == exercise.name;
  const std::string name = "exercise." + exercise.name;
  Card card(look, name, width, look.colours.panel, here ? look.colours.accent : look.colours.line, 20,
            progress.passed ? look.colours.success : look.colours.accent);
  const float inner = card.inner_width();
  caption(look, progress.passed ? "✓ Exercise, passed" : "Exercise",
          progress.passed ? look.colours.success : look.colours.muted);
  wrapped(look, title_of(exercise, book.locale()), look.fonts.h3, look.colours.ink, inner);
  gap(look, 8);
  draw_markdown(frame, name + ".task", exercise.task.in(book.locale()), inner);
  if (!exercise.signature.empty()) {
    gap(look, 8);
    DocumentEvents events;
    draw_listing(look, name + ".signature", exercise.signature, "cuda", inner, events);
    handle(frame, events);
  }
  const int hints = int(exercise.hints.size());
  for (int i = 0; i < std::min(progress.hints_shown, hints); ++i) {
    gap(look, 12);
    caption(look, fmt::format("Hint {} of {}", i + 1, hints), look.colours.warning);
    draw_markdown(frame, fmt::format("{}.hint.{}", name, i), exercise.hints[size_t(i)].in(book.locale()),
                  inner);
  }
  const bool beside = here && !book.narrow;
  gap(look, 16);
  if (button(look, name + ".open", beside ? "The editor is beside" : "Open the editor",
             beside ? ButtonKind::quiet : ButtonKind::primary)) {
    show_exercise(book, exercise.name);
    exercise_state(book, lesson, exercise).mine.wants_focus = true;
    book.page_tab_is_lab = true;
  }
  if (progress.hints_shown < hints) {
    ImGui::SameLine();
    const std::string label = progress.hints_shown == 0 ? "A hint" : "Another hint";
    if (button(look, name + ".hint", label, ButtonKind::plain, true, "Hints are noted, and cost nothing")) {
      ++progress.hints_shown;
      note_progress(book);
    }
  }
}

void draw_live_code(Frame& frame, const Lesson& lesson, const Block& block, float width) {
  Look& look = frame.look;
  if (block.words.empty()) return;
  // "code FILE [FIRST-LAST]": a file of the lesson's kernels or a range of its lines, with the counters of
  // the last run.
  const std::string& file = block.words.front();
  const std::string key = block.words.size() > 1 ? file + ":" + block.words[1] : file;
  const std::string name = "code." + key;
  CodeEditor& editor = frame.book.lessons[lesson.slug].listings[key];
  int first = 1, last = 1 << 30;
  if (block.words.size() > 1) {
    const std::vector<std::string_view> ends = split(block.words[1], '-');
    first = std::max<int>(1, int(parse_int(ends.front()).value_or(1)));
    last = ends.size() > 1 ? int(parse_int(ends[1]).value_or(first)) : first;
  }
  if (editor.text.empty()) {
    const Result<std::string> code = read_file(lesson.kernels / file, 1u << 20);
    std::string text;
    if (!code) {
      text = "// " + to_string(code.error());
    } else {
      const std::vector<std::string_view> lines = lines_of(*code);
      for (int i = first; i <= std::min(last, int(lines.size())); ++i) {
        if (!text.empty()) text += '\n';
        text += lines[size_t(i - 1)];
      }
    }
    editor.set(text);
  }
  CodeView view;
  view.read_only = true;
  view.width = width;
  view.first_line = first;
  const size_t lines = lines_of(editor.text).size();
  view.height = float(std::max<size_t>(lines, 1)) * size_of(look.fonts.mono) + look.dp(18);
  // Counters of whichever lab ran this file last.
  for (const Lab& lab : lesson.labs) {
    const auto found = frame.book.lessons[lesson.slug].labs.find(lab.name);
    if (found == frame.book.lessons[lesson.slug].labs.end() || found->second.code_changed) continue;
    if (kernel_file(lab, found->second.variant) == file && found->second.result) {
      view.gutter = &found->second.gutter;
      view.marks = &found->second.marks;
    }
  }
  if (frame.book.selection.line) view.selected_line = *frame.book.selection.line;
  int clicked = 0;
  code_editor(look, name, editor, view, &clicked);
  if (clicked > 0) choose_line(frame.book, clicked);
}

}  // namespace warpbook::ui
