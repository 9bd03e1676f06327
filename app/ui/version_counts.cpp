// Starter, mine and solution by what they count: the same inputs for all of them, a column each.
#include <fmt/format.h>
#include <imgui.h>

#include "lab/versions.h"
#include "result/counters.h"
#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/widgets.h"
#include "view/paint.h"

namespace warpbook::ui {

namespace {

constexpr size_t most_rows = 4;
constexpr float column_dp = 84;

std::string label_of(const std::string& name) {
  for (const NamedCounter& known : named_counters())
    if (known.name == name) return std::string(known.label);
  return name;
}

std::string value_of(const VersionCounts& version, const std::string& name) {
  const auto value = version.counters ? counter_value(*version.counters, name) : std::nullopt;
  if (!value) return "–";
  return view::short_number(*value);
}

/// Why a column is not to be trusted, or empty.
std::string remark(const VersionCounts& version) {
  if (version.status == "ok") return {};
  if (version.status == "compile-error") return version.name + " does not compile";
  return version.name + " did not come to its end";
}

void right_aligned(Look& look, float right, const std::string& text, Colour colour) {
  ImFont* font = look.fonts.caption;
  const float width = font->CalcTextSizeA(size_of(font), FLT_MAX, 0, text.c_str()).x;
  ImGui::SameLine(right - width);
  caption(look, text, colour);
}

}  // namespace

void draw_version_counts(Frame& frame, const ExerciseState& state, bool solution_open) {
  Look& look = frame.look;
  const std::string none = "Check your answer to see what each version counts.";
  if (!state.versions) {
    if (state.report) return;  // a program, or counting did not work out
    caption(look, none, look.colours.muted);
    return look.marks.item("compare.counts", none);
  }
  const CountedVersions& counted = *state.versions;
  const size_t columns = counted.versions.size() - (solution_open ? 0 : 1);
  const bool old = state.report_version != state.mine.version;
  const Colour ink = old ? look.colours.muted : look.colours.ink;
  const float width = ImGui::GetContentRegionAvail().x, column = look.dp(column_dp);
  const float left = ImGui::GetCursorPosX(), names = width - column * float(columns);
  const auto right_of = [&](size_t i) { return left + names + column * float(i + 1); };
  std::string marked;
  gap(look, 4);
  const std::string head = "With " + counted.with + (old ? ", before your last change" : "");
  caption(look, fitted(look.fonts.caption, head, names - look.dp(8)), look.colours.muted);
  hover_text(look, head);
  for (size_t i = 0; i < columns; ++i)
    right_aligned(look, right_of(i), counted.versions[i].name, look.colours.muted);
  for (const std::string& name : telling_counters(counted, most_rows)) {
    const std::string label = label_of(name);
    caption(look, fitted(look.fonts.caption, label, names - look.dp(8)), ink);
    marked += label + ":";
    for (size_t i = 0; i < columns; ++i) {
      const std::string value = value_of(counted.versions[i], name);
      right_aligned(look, right_of(i), value, ink);
      marked += " " + value;
    }
    marked += "\n";
  }
  for (size_t i = 0; i < columns; ++i) {
    const std::string words = remark(counted.versions[i]);
    if (words.empty()) continue;
    caption(look, words + ": its numbers end where it did.", look.colours.warning);
    marked += words + "\n";
  }
  look.marks.item("compare.counts", marked);
  gap(look, 4);
}

}  // namespace warpbook::ui
