#pragma once
// What is drawn over and beside the text field: colours, line numbers, counters, underlines, sentences,
// brackets.
#include "ui/code_editor.h"
#include "ui/text_field.h"

namespace warpbook::ui {

struct CodeGeometry {
  ImVec2 gutter_low{0, 0};  ///< corner of the gutter; it reaches to the field's left edge
  float gutter_width = 0, number_width = 0, note_width = 0;
  float line_height = 0, advance = 0;  ///< pixels; advance of one character
};

void paint_code(Look& look, const CodeEditor& editor, const CodeView& view, const FieldFrame& field,
                const CodeGeometry& geometry);
/// Draws the gutter; the line whose number was clicked, or 0.
int paint_gutter(Look& look, const std::string& name, const CodeEditor& editor, const CodeView& view,
                 const FieldFrame& field, const CodeGeometry& geometry);
/// Columns on screen of a byte within a line: tabs are four characters wide, as ImGui draws them.
float column_x(std::string_view line, size_t bytes, float advance);

}  // namespace warpbook::ui
