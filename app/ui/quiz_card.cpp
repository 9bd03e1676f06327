// A question in the page: answer, confidence, feedback at the choice itself, a second try, then the answer.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "base/text.h"
#include "ui/code_editor.h"
#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace warpbook::ui {

namespace {

bool was_judged(const QuizState& state, int choice) {
  return state.judgement && std::find(state.judged_choices.begin(), state.judged_choices.end(), choice) !=
                                state.judged_choices.end();
}

bool right_choice(const Choice& choice, const Values& values) {
  if (choice.right_when.empty()) return choice.right;
  const Result<int64_t> value = evaluate(choice.right_when, values);
  return value && *value != 0;
}

void show_button(Frame& frame, const Lesson& lesson, const std::string& name,
                 const std::optional<ShowMe>& show, const Values& values) {
  if (show && button(frame.look, name, "▶ Show me", ButtonKind::plain, true,
                     "Sets the lab to this case and runs it")) {
    apply_show(frame.book, lesson, *show, values);
  }
}

// The reason stands right under the choice that it is about.
void reason(Frame& frame, const std::string& name, const std::string& text, bool right, float indent,
            float width) {
  Look& look = frame.look;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const Colour colour = right ? look.colours.success : look.colours.error;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look.dp(indent));
  const float text_width = width - look.dp(indent) - look.dp(28);
  ImGui::GetWindowDrawList()->AddText(look.fonts.bold, size_of(look.fonts.bold),
                                      ImVec2(corner.x + look.dp(indent), corner.y), colour,
                                      right ? "✓" : "✗");
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look.dp(24));
  ImGui::BeginGroup();
  draw_markdown(frame, name, text, text_width);
  ImGui::EndGroup();
  look.marks.item(name, text);
}

void draw_choices(Frame& frame, const Lesson& lesson, const Question& question, QuizState& state,
                  const Values& values, const std::string& name, float width) {
  Look& look = frame.look;
  const bool several = question.type == Question::Type::several;
  const std::string& locale = frame.book.locale();
  for (size_t i = 0; i < question.choices.size(); ++i) {
    const Choice& choice = question.choices[i];
    const int index = int(i);
    std::vector<int>& chosen = state.answer.chosen;
    const auto at = std::find(chosen.begin(), chosen.end(), index);
    const bool on = at != chosen.end();
    const std::string id = fmt::format("{}.choice.{}", name, i);
    if (choice_row(look, id, !several, on, filled(choice.text.in(locale), values), !state.finished())) {
      if (several) {
        if (on) {
          chosen.erase(at);
        } else {
          chosen.push_back(index);
        }
      } else {
        chosen = {index};
      }
    }
    const bool right = right_choice(choice, values);
    const bool tell = was_judged(state, index) || (state.finished() && right);
    if (tell && !choice.because.empty()) {
      reason(frame, id + ".because", filled(choice.because.in(locale), values), right, 36, width);
      if (!right && was_judged(state, index)) {
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look.dp(60));
        show_button(frame, lesson, id + ".show", choice.show, values);
        if (!choice.show) ImGui::NewLine();
      }
    }
  }
}

void draw_number(Frame& frame, const Question& question, QuizState& state, const std::string& name) {
  Look& look = frame.look;
  ImGui::SetNextItemWidth(look.dp(160));
  ImGui::BeginDisabled(state.finished());
  ImGui::InputTextWithHint(("###" + name + ".number").c_str(), "a number", &state.number_text);
  ImGui::EndDisabled();
  look.marks.item(name + ".number", state.number_text, !state.finished());
  if (!question.unit.empty()) {
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(question.unit.in(frame.book.locale()).c_str());
  }
}

void draw_order(Frame& frame, const Question& question, QuizState& state, const Values& values,
                const std::string& name) {
  Look& look = frame.look;
  std::vector<int>& order = state.answer.chosen;
  for (size_t i = 0; i < order.size(); ++i) {
    ImGui::PushID(int(i));
    ImGui::BeginDisabled(state.finished());
    if (icon_button(look, fmt::format("{}.up.{}", name, i), "↑", "Move up") && i > 0)
      std::swap(order[i], order[i - 1]);
    ImGui::SameLine(0, look.dp(2));
    if (icon_button(look, fmt::format("{}.down.{}", name, i), "↓", "Move down") && i + 1 < order.size())
      std::swap(order[i], order[i + 1]);
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    wrapped(look,
            fmt::format("{}.  {}", i + 1,
                        filled(question.choices[size_t(order[i])].text.in(frame.book.locale()), values)),
            look.fonts.body, look.colours.ink);
    ImGui::PopID();
  }
}

void draw_line_question(Frame& frame, const Lesson& lesson, const Question& question, QuizState& state,
                        const std::string& name, float width) {
  Look& look = frame.look;
  const Result<std::string> code = read_file(lesson.kernels / question.code, 1u << 20);
  if (!code) {
    caption(look, to_string(code.error()), look.colours.error);
    return;
  }
  const std::vector<std::string_view> lines = lines_of(*code);
  const std::vector<Token> tokens = tokenize(*code, Language::cuda);
  // Long signatures: smaller letters first, then two rows, before a line is cut at the card's edge.
  const auto columns = [&](ImFont* font) {
    return size_t(
        std::max(1.0f, (width - look.dp(52)) / font->CalcTextSizeA(size_of(font), FLT_MAX, 0, "0").x));
  };
  const auto too_wide = [&](std::string_view line) { return line.size() > columns(look.fonts.mono); };
  ImFont* mono = std::any_of(lines.begin(), lines.end(), too_wide) ? look.fonts.mono_small : look.fonts.mono;
  const size_t room = columns(mono);
  const float indent = mono->CalcTextSizeA(size_of(mono), FLT_MAX, 0, "00000000").x;
  const float height = size_of(mono) + look.dp(4);
  std::vector<std::vector<std::string_view>> rows;
  size_t row_count = 0;
  for (const std::string_view line : lines) {
    rows.push_back(code_rows(line, room, 8));
    row_count += rows.back().size();
  }
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, ImVec2(corner.x + width, corner.y + float(row_count) * height + look.dp(16)),
                     look.colours.sunken, look.dp(8));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::Dummy(ImVec2(1, look.dp(8)));
  for (size_t i = 0; i < lines.size(); ++i) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float whole = height * float(rows[i].size());
    ImGui::PushID(int(i));
    ImGui::BeginDisabled(state.finished());
    if (ImGui::InvisibleButton("line", ImVec2(width, whole))) state.answer.number = double(i + 1);
    ImGui::EndDisabled();
    ImGui::PopID();
    look.marks.item(fmt::format("{}.line.{}", name, i + 1), std::string(lines[i]), !state.finished());
    const bool on = state.answer.number && int(*state.answer.number) == int(i + 1);
    if (on || ImGui::IsItemHovered())
      list.AddRectFilled(at, ImVec2(at.x + width, at.y + whole),
                         on ? faded(look.colours.accent, 0.2f) : faded(look.colours.accent, 0.08f));
    const std::string number = std::to_string(i + 1);
    list.AddText(look.fonts.mono_small, size_of(look.fonts.mono_small),
                 ImVec2(at.x + look.dp(10), at.y + look.dp(3)), look.colours.muted, number.c_str());
    list.PushClipRect(at, ImVec2(at.x + width, at.y + whole), true);
    for (size_t k = 0; k < rows[i].size(); ++k)
      draw_code_line(look, list, at.x + look.dp(44) + (k ? indent : 0), at.y + look.dp(2) + height * float(k),
                     rows[i][k], tokens, size_t(rows[i][k].data() - code->data()), mono);
    list.PopClipRect();
  }
  ImGui::Dummy(ImVec2(1, look.dp(8)));
  ImGui::PopStyleVar();
}

}  // namespace

void draw_quiz_card(Frame& frame, const Lesson& lesson, const Question& question, float width,
                    QuizState* review) {
  Look& look = frame.look;
  Workbook& book = frame.book;
  LessonState& lesson_state = book.lessons[lesson.slug];
  QuestionProgress& progress = book.progress.lessons[lesson.slug].questions[question.name];
  auto found = lesson_state.questions.find(question.name);
  if (found == lesson_state.questions.end()) {
    found = lesson_state.questions.emplace(question.name, restored(question, progress)).first;
  }
  QuizState& state = review ? *review : found->second;
  const Values values = values_of(book, lesson, question.lab);
  const std::string name = review ? "review." + lesson.slug + "." + question.name : "quiz." + question.name;
  const Colour stripe = state.right      ? look.colours.success
                        : state.revealed ? look.colours.warning
                                         : look.colours.accent;
  Card card(look, name, width, look.colours.panel, look.colours.line, 20, stripe);
  const float inner = card.inner_width();

  caption(look,
          state.right      ? "✓ Question, answered"
          : state.revealed ? "Question, answer shown"
                           : "Question",
          state.right ? look.colours.success : look.colours.muted);
  draw_markdown(frame, name + ".text", filled(question.text.in(book.locale()), values), inner);
  gap(look, 12);
  switch (question.type) {
    case Question::Type::single:
    case Question::Type::several: draw_choices(frame, lesson, question, state, values, name, inner); break;
    case Question::Type::number: draw_number(frame, question, state, name); break;
    case Question::Type::order: draw_order(frame, question, state, values, name); break;
    case Question::Type::line: draw_line_question(frame, lesson, question, state, name, inner); break;
  }
  const bool by_choice = question.type == Question::Type::single || question.type == Question::Type::several;
  if (state.judgement && !by_choice) {
    gap(look, 12);
    reason(frame, name + ".because",
           state.judgement->because.empty() ? (state.right ? "That is it." : "Not this.")
                                            : state.judgement->because,
           state.right, 0, inner);
    if (!state.right) show_button(frame, lesson, name + ".show", state.judgement->show, values);
  }
  if (state.judgement && by_choice && !state.right && !state.judgement->because.empty() &&
      question.type == Question::Type::several) {
    gap(look, 8);
    reason(frame, name + ".because", state.judgement->because, false, 0, inner);
  }
  if (state.finished()) {
    if (!state.right && state.judgement && !state.judgement->expected.empty()) {
      gap(look, 8);
      draw_markdown(frame, name + ".expected", "The answer: **" + state.judgement->expected + "**", inner);
    }
    if (!question.because.empty() &&
        (!state.judgement ||
         state.judgement->because != filled(question.because.in(book.locale()), values))) {
      gap(look, 8);
      draw_markdown(frame, name + ".why", filled(question.because.in(book.locale()), values), inner);
    }
    gap(look, 12);
    if (button(look, name + ".again", "Try again", ButtonKind::quiet, true, "Your first attempt stays noted"))
      retry(question, state);
    return;
  }
  if (!state.problem.empty()) caption(look, state.problem, look.colours.error);
  gap(look, 16);
  const float row = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(row + look.dp(8));
  caption(look, "How sure are you?", look.colours.muted);
  ImGui::SameLine();
  ImGui::SetCursorPosY(row);
  const int sure =
      segmented(look, name + ".confidence", {"Sure", "Unsure"}, state.sure ? (*state.sure ? 0 : 1) : -1);
  if (sure >= 0) state.sure = sure == 0;
  ImGui::SameLine(0, look.dp(16));
  const bool ready = can_submit(question, state);
  if (button(look, name + ".answer", state.attempts == 0 ? "Answer" : "Second try", ButtonKind::primary,
             ready, ready ? "" : "Choose an answer, and say how sure you are")) {
    submit(question, values, book.locale(), state, progress);
    note_progress(book);
  }
}

}  // namespace warpbook::ui
