#pragma once
// Code on screen: a multi-line text field of ImGui (typing, selection, undo, clipboard) with coloured text,
// line numbers, counters and diagnoses drawn over it. The same widget shows code that cannot be edited.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "result/diagnosis.h"
#include "ui/edit_actions.h"
#include "ui/look.h"
#include "ui/syntax.h"

namespace warpbook::ui {

/// A sentence about a line.
struct CodeMark {
  int line = 0, column = 0;  ///< from 1; column 0 = the whole line
  Severity severity = Severity::error;
  std::string text;
  int other_line = 0;  ///< joined by a bracket: the other side of a race; 0 = none
};

/// What a run counted on a line.
struct GutterNote {
  std::string text;    ///< short: "32 k"
  std::string second;  ///< "100 %"
  std::string hover;
  float heat = 0;  ///< 0..1: its share of the busiest line
};

/// What stays from frame to frame.
struct CodeEditor {
  std::string text;
  uint64_t version = 1;         ///< grows with every change
  std::optional<Edit> pending;  ///< done in the next frame, as one step of undo
  bool find_open = false, find_focus = false;
  std::string needle;
  int found = 0;           ///< which of the matches
  int scroll_to_line = 0;  ///< request, from 1
  bool wants_focus = false;
  size_t cursor = 0, selection_begin = 0, selection_end = 0;  ///< bytes, of the last frame
  bool focused = false;

  uint64_t cached_version = 0;  ///< of what follows
  Language cached_language = Language::none;
  std::vector<Token> tokens;
  std::vector<size_t> lines;  ///< where each line begins
  void set(std::string new_text);
};

struct CodeView {
  bool read_only = false;
  Language language = Language::cuda;
  float width = 0, height = 0;  ///< pixels
  const std::vector<CodeMark>* marks = nullptr;
  const std::map<int, GutterNote>* gutter = nullptr;
  int selected_line = 0;  ///< from 1; 0 = none
  int first_line = 1;     ///< number of the first line, for a range of a file
};

/// Draws it; true when the learner changed the text in this frame. `clicked_line`: set to the line whose
/// number was clicked.
bool code_editor(Look& look, const std::string& name, CodeEditor& editor, const CodeView& view,
                 int* clicked_line = nullptr);

Colour colour_of(const Palette& palette, TokenKind kind);
/// A line of code as rows of at most `room` characters, the later ones shorter by `indent`; broken at a
/// space where there is one. Views of `line`.
std::vector<std::string_view> code_rows(std::string_view line, size_t room, size_t indent);
/// Coloured text of one line at a place, for code that stands in prose.
void draw_code_line(Look& look, ImDrawList& list, float x, float y, std::string_view text,
                    const std::vector<Token>& tokens, size_t line_begin, ImFont* font);
std::vector<CodeMark> marks_of(const std::vector<Diagnosis>& diagnoses);

}  // namespace warpbook::ui
