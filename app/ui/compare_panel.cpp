// Starter, mine and solution against each other: one listing in which lines that went and lines that came are
// told by a sign and a tint, never by colour alone.
#include <fmt/format.h>
#include <imgui.h>

#include "base/text.h"
#include "ui/imgui_compat.h"
#include "ui/line_diff.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace warpbook::ui {

void draw_compare(Frame& frame, ExerciseState& state, bool solution_open, float height) {
  Look& look = frame.look;
  std::vector<std::string> pairs = {"Starter to mine"};
  if (solution_open) {
    pairs.push_back("Mine to solution");
    pairs.push_back("Starter to solution");
  }
  const float top = ImGui::GetCursorPosY();
  state.compared = std::min(state.compared, int(pairs.size()) - 1);
  state.compared = segmented(look, "compare", pairs, state.compared, true, 28);
  if (!solution_open)
    caption(look, "The solution joins once it is open: after a pass, or after all hints.",
            look.colours.muted);
  draw_version_counts(frame, state, solution_open);
  const CodeEditor& before = state.compared == 1 ? state.mine : state.starter;
  const CodeEditor& after = state.compared == 0 ? state.mine : state.solution;
  const std::vector<DiffLine> lines = line_diff(before.text, after.text);
  int removed = 0, added = 0;
  for (const DiffLine& line : lines) {
    removed += line.kind == DiffLine::Kind::removed;
    added += line.kind == DiffLine::Kind::added;
  }
  const std::string summary = removed + added == 0 ? std::string("No difference.")
                                                   : fmt::format("{} {} gone (−), {} {} new (+)", removed,
                                                                 removed == 1 ? "line" : "lines", added,
                                                                 added == 1 ? "line" : "lines");
  caption(look, summary, look.colours.ink);
  look.marks.item("compare.summary", summary);
  gap(look, 4);

  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float list_height = std::max(look.dp(60), height - (ImGui::GetCursorPosY() - top));
  ImGui::GetWindowDrawList()->AddRectFilled(corner, ImVec2(corner.x + width, corner.y + list_height),
                                            look.colours.sunken, look.dp(8));
  begin_region("compare.lines", width, list_height, true, 0, look.dp(8));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImFont* mono = look.fonts.mono;
  ImFont* small = look.fonts.mono_small;
  const float row = size_of(mono) + look.dp(4), advance = mono->GetCharAdvance('0');
  const float code_x = look.dp(88);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  for (size_t i = 0; i < lines.size(); ++i) {
    const DiffLine& line = lines[i];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool gone = line.kind == DiffLine::Kind::removed, came = line.kind == DiffLine::Kind::added;
    const Colour colour = gone ? look.colours.error : came ? look.colours.success : look.colours.muted;
    const float text_width = advance * float(decode_utf8(line.text).size());
    ImGui::Dummy(ImVec2(width, row));
    if (code_x + text_width > width) hover_text(look, line.text);  // what the edge cuts off
    look.marks.item(fmt::format("compare.line.{}", i), (gone ? "-" : came ? "+" : " ") + line.text);
    if (gone || came)
      list.AddRectFilled(at, ImVec2(at.x + width, at.y + row),
                         faded(colour, look.colours.dark ? 0.16f : 0.10f));
    const auto number = [&](int value, float right) {
      if (value == 0) return;
      const std::string text = std::to_string(value);
      const float w = small->CalcTextSizeA(size_of(small), FLT_MAX, 0, text.c_str()).x;
      list.AddText(small, size_of(small), ImVec2(at.x + right - w, at.y + look.dp(3)), look.colours.muted,
                   text.c_str());
    };
    number(line.before, look.dp(30));
    number(line.after, look.dp(60));
    if (gone || came)
      list.AddText(mono, size_of(mono), ImVec2(at.x + look.dp(70), at.y + look.dp(2)), colour,
                   gone ? "−" : "+");
    const std::vector<Token> tokens = tokenize(line.text, Language::cuda);
    draw_code_line(look, list, at.x + code_x, at.y + look.dp(2), line.text, tokens, 0, mono);
  }
  ImGui::PopStyleVar();
  end_region();
}

}  // namespace warpbook::ui
