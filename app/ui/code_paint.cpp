#include "ui/code_paint.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ui/imgui_compat.h"
#include "ui/widgets.h"

namespace warpbook::ui {

Colour colour_of(const Palette& palette, TokenKind kind) {
  switch (kind) {
    case TokenKind::keyword: return palette.code_keyword;
    case TokenKind::cuda: return palette.code_cuda;
    case TokenKind::type: return palette.code_type;
    case TokenKind::number: return palette.code_number;
    case TokenKind::string: return palette.code_string;
    case TokenKind::comment: return palette.code_comment;
    case TokenKind::preprocessor: return palette.code_preprocessor;
    case TokenKind::plain: break;
  }
  return palette.ink;
}

float column_x(std::string_view line, size_t bytes, float advance) {
  float x = 0;
  for (size_t i = 0; i < std::min(bytes, line.size()); ++i) {
    if ((static_cast<unsigned char>(line[i]) & 0xc0) == 0x80) continue;
    x += line[i] == '\t' ? 4 * advance : advance;
  }
  return x;
}

std::vector<std::string_view> code_rows(std::string_view line, size_t room, size_t indent) {
  std::vector<std::string_view> rows;
  room = std::max<size_t>(room, 1);
  while (line.size() > room) {
    const size_t blank = line.rfind(' ', room);
    const size_t text = line.find_first_not_of(' ');
    const size_t end = blank == std::string_view::npos || blank <= text ? room : blank;
    rows.push_back(line.substr(0, end));
    line.remove_prefix(end);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (rows.size() == 1) room = room > indent ? room - indent : 1;
  }
  if (!line.empty() || rows.empty()) rows.push_back(line);
  return rows;
}

void draw_code_line(Look& look, ImDrawList& list, float x, float y, std::string_view text,
                    const std::vector<Token>& tokens, size_t line_begin, ImFont* font) {
  const float size = size_of(font);
  const float advance = font->GetCharAdvance('0');
  const size_t line_end = line_begin + text.size();
  const auto draw = [&](size_t begin, size_t end, Colour colour) {
    begin = std::max(begin, line_begin);
    end = std::min(end, line_end);
    if (begin >= end) return;
    const char* first = text.data() + (begin - line_begin);
    list.AddText(font, size, ImVec2(x + column_x(text, begin - line_begin, advance), y), colour, first,
                 text.data() + (end - line_begin));
  };
  auto token = std::partition_point(tokens.begin(), tokens.end(),
                                    [line_begin](const Token& t) { return t.end <= line_begin; });
  size_t at = line_begin;
  for (; token != tokens.end() && token->begin < line_end; ++token) {
    draw(at, token->begin, look.colours.ink);
    draw(token->begin, token->end, colour_of(look.colours, token->kind));
    at = std::max(at, token->end);
  }
  draw(at, line_end, look.colours.ink);
}

namespace {

std::string_view line_text(const CodeEditor& editor, size_t line) {
  const size_t begin = editor.lines[line];
  const size_t end = line + 1 < editor.lines.size() ? editor.lines[line + 1] - 1 : editor.text.size();
  return std::string_view(editor.text).substr(begin, end - begin);
}

void zigzag(ImDrawList& list, float x0, float x1, float y, Colour colour, float step, float thickness) {
  bool up = false;
  for (float x = x0; x < x1; x += step, up = !up) {
    const float next = std::min(x + step, x1);
    list.AddLine(ImVec2(x, up ? y - step / 2 : y + step / 2), ImVec2(next, up ? y + step / 2 : y - step / 2),
                 colour, thickness);
  }
}

// The word at a column, else the line without its margins.
std::pair<size_t, size_t> underlined(std::string_view line, int column) {
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  if (column > 0 && size_t(column) <= line.size()) {
    const size_t begin = size_t(column) - 1;
    size_t end = begin;
    while (end < line.size() && part(line[end])) ++end;
    return {begin, std::max(end, begin + 1)};
  }
  size_t begin = 0, end = line.size();
  while (begin < end && (line[begin] == ' ' || line[begin] == '\t')) ++begin;
  while (end > begin && (line[end - 1] == ' ' || line[end - 1] == '\t')) --end;
  return {begin, std::max(end, begin + 1)};
}

}  // namespace

void paint_code(Look& look, const CodeEditor& editor, const CodeView& view, const FieldFrame& field,
                const CodeGeometry& geometry) {
  if (!field.list) return;
  ImDrawList& list = *field.list;
  ImFont* font = look.fonts.mono;
  const float size = size_of(font);
  list.PushClipRect(field.clip_low, field.clip_high, true);
  const float height = geometry.line_height;
  const int first = std::max(0, int((field.clip_low.y - field.origin.y) / height));
  const int last = std::min(int(editor.lines.size()) - 1, int((field.clip_high.y - field.origin.y) / height));

  const auto line_y = [&](int line) { return field.origin.y + float(line) * height; };
  if (view.selected_line >= view.first_line) {
    const float y = line_y(view.selected_line - view.first_line);
    list.AddRectFilled(ImVec2(field.clip_low.x, y), ImVec2(field.clip_high.x, y + height),
                       faded(look.colours.accent, look.colours.dark ? 0.16f : 0.10f));
  }
  if (editor.find_open && !editor.needle.empty()) {
    const std::vector<size_t> places = find_all(editor.text, editor.needle);
    for (size_t i = 0; i < places.size(); ++i) {
      const int line = line_at(editor.text, places[i]);
      if (line < first || line > last) continue;
      const std::string_view text = line_text(editor, size_t(line));
      const size_t begin = places[i] - editor.lines[size_t(line)];
      const float x0 = field.origin.x + column_x(text, begin, geometry.advance);
      const float x1 = field.origin.x + column_x(text, begin + editor.needle.size(), geometry.advance);
      list.AddRectFilled(ImVec2(x0, line_y(line)), ImVec2(x1, line_y(line) + height),
                         faded(look.colours.series[1], int(i) == editor.found ? 0.6f : 0.25f), look.dp(2));
    }
  }
  if (field.active && !view.read_only) {
    if (const auto pair = matching_brackets(editor.text, field.cursor)) {
      for (const size_t at : {pair->first, pair->second}) {
        const int line = line_at(editor.text, at);
        if (line < first || line > last) continue;
        const float x = field.origin.x + column_x(line_text(editor, size_t(line)),
                                                  at - editor.lines[size_t(line)], geometry.advance);
        list.AddRect(ImVec2(x - 1, line_y(line)), ImVec2(x + geometry.advance + 1, line_y(line) + height),
                     look.colours.accent, look.dp(2));
      }
    }
  }
  for (int line = first; line <= last; ++line) {
    draw_code_line(look, list, field.origin.x, line_y(line), line_text(editor, size_t(line)), editor.tokens,
                   editor.lines[size_t(line)], font);
  }
  if (view.marks) {
    std::map<int, float> used;  // the right end of sentences already on a line
    for (const CodeMark& mark : *view.marks) {
      const int line = mark.line - view.first_line;
      if (line < first || line > last) continue;
      const std::string_view text = line_text(editor, size_t(line));
      const auto [begin, end] = underlined(text, mark.column);
      const Colour colour = colour_of(look, mark.severity);
      const float x0 = field.origin.x + column_x(text, begin, geometry.advance);
      const float x1 =
          field.origin.x + column_x(text, end, geometry.advance) + (end > text.size() ? geometry.advance : 0);
      zigzag(list, x0, x1, line_y(line) + height - look.dp(1), colour, look.dp(3),
             std::max(1.0f, look.dp(1)));
      // The sentence stands behind the line where there is room, and always on hover.
      const float after =
          std::max(used[line], field.origin.x + column_x(text, text.size(), geometry.advance)) + look.dp(24);
      const float room = field.clip_high.x - look.dp(12) - after;
      ImFont* small = look.fonts.caption;
      const ImVec2 extent = small->CalcTextSizeA(size_of(small), FLT_MAX, 0, mark.text.c_str());
      if (extent.x <= room) {
        const float top = line_y(line) + std::floor((height - extent.y) / 2);
        list.AddRectFilled(ImVec2(after - look.dp(6), line_y(line) + 1),
                           ImVec2(after + extent.x + look.dp(6), line_y(line) + height - 1),
                           faded(colour, 0.10f), look.dp(4));
        list.AddText(small, size_of(small), ImVec2(after, top), colour, mark.text.c_str());
        used[line] = after + extent.x;
      }
      const ImVec2 mouse = ImGui::GetIO().MousePos;
      if (mouse.y >= line_y(line) && mouse.y < line_y(line) + height && mouse.x >= x0 &&
          mouse.x < field.clip_high.x && mouse.y >= field.clip_low.y && mouse.y < field.clip_high.y &&
          ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) {
        tooltip(look, mark.text);
      }
    }
  }
  if (field.active && !view.read_only && field.cursor_shown) {
    const int line = line_at(editor.text, field.cursor);
    if (line < int(editor.lines.size())) {
      const size_t begin = editor.lines[size_t(line)];
      const float x = std::round(
          field.origin.x + column_x(line_text(editor, size_t(line)), field.cursor - begin, geometry.advance));
      list.AddRectFilled(ImVec2(x, line_y(line) + 1),
                         ImVec2(x + std::max(1.0f, look.dp(1.5f)), line_y(line) + size - 1),
                         look.colours.accent);
    }
  }
  list.PopClipRect();
}

int paint_gutter(Look& look, const std::string& name, const CodeEditor& editor, const CodeView& view,
                 const FieldFrame& field, const CodeGeometry& geometry) {
  if (!field.list) return 0;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low(geometry.gutter_low.x, field.clip_low.y),
      high(geometry.gutter_low.x + geometry.gutter_width, field.clip_high.y);
  list.PushClipRect(low, high, true);
  list.AddRectFilled(low, high, mix(look.colours.sunken, look.colours.line, 0.35f));
  ImFont* small = look.fonts.mono_small;
  const float height = geometry.line_height;
  const int first = std::max(0, int((field.clip_low.y - field.origin.y) / height));
  const int last = std::min(int(editor.lines.size()) - 1, int((field.clip_high.y - field.origin.y) / height));
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over =
      ImGui::IsMouseHoveringRect(low, high) && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  int clicked = 0;
  for (int line = first; line <= last; ++line) {
    const int number = line + view.first_line;
    const float y = field.origin.y + float(line) * height;
    const float text_y = y + std::floor((height - size_of(small)) / 2);
    const std::string label = std::to_string(number);
    const float width = small->CalcTextSizeA(size_of(small), FLT_MAX, 0, label.c_str()).x;
    const bool selected = number == view.selected_line;
    list.AddText(small, size_of(small), ImVec2(low.x + geometry.number_width - look.dp(8) - width, text_y),
                 selected ? look.colours.accent : look.colours.muted, label.c_str());
    const bool hovered = over && mouse.y >= y && mouse.y < y + height;
    if (hovered && ImGui::IsMouseClicked(0)) clicked = number;
    if (view.gutter) {
      const auto note = view.gutter->find(number);
      if (note != view.gutter->end()) {
        const float left = low.x + geometry.number_width;
        const float half = geometry.note_width / 2;
        list.AddRectFilled(
            ImVec2(left, y + 1),
            ImVec2(left + (geometry.note_width - look.dp(4)) * note->second.heat, y + height - 1),
            faded(look.colours.series[1], 0.28f));
        const auto right_aligned = [&](const std::string& text, float right) {
          const float w = small->CalcTextSizeA(size_of(small), FLT_MAX, 0, text.c_str()).x;
          list.AddText(small, size_of(small), ImVec2(right - w, text_y), look.colours.ink, text.c_str());
        };
        right_aligned(note->second.text, left + half - look.dp(8));
        right_aligned(note->second.second, left + geometry.note_width - look.dp(12));
        if (hovered && !note->second.hover.empty()) tooltip(look, note->second.hover);
      }
    }
    if (number <= 400)
      look.marks.area(name + ".line." + label, low.x, y, high.x, y + height,
                      std::string(line_text(editor, size_t(line))));
  }
  // Both sides of a race are joined at the gutter's edge.
  if (view.marks) {
    for (const CodeMark& mark : *view.marks) {
      if (mark.other_line <= 0 || mark.other_line == mark.line) continue;
      const float y0 =
          field.origin.y + (float(std::min(mark.line, mark.other_line) - view.first_line) + 0.5f) * height;
      const float y1 =
          field.origin.y + (float(std::max(mark.line, mark.other_line) - view.first_line) + 0.5f) * height;
      const float x = high.x - look.dp(4), tip = high.x;
      const Colour colour = colour_of(look, mark.severity);
      const float thickness = std::max(1.0f, look.dp(1.5f));
      list.AddLine(ImVec2(x, y0), ImVec2(x, y1), colour, thickness);
      list.AddLine(ImVec2(x, y0), ImVec2(tip, y0), colour, thickness);
      list.AddLine(ImVec2(x, y1), ImVec2(tip, y1), colour, thickness);
    }
  }
  list.PopClipRect();
  return clicked;
}

}  // namespace warpbook::ui
