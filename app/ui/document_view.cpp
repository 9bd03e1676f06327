#include "ui/document_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ui/code_editor.h"
#include "ui/imgui_compat.h"
#include "ui/syntax.h"
#include "ui/widgets.h"

namespace warpbook::ui {

TextStyleSet body_style(const Look& look) {
  return {look.fonts.body, look.fonts.bold, look.fonts.italic, look.fonts.mono, 24, look.colours.ink};
}

TextStyleSet small_style(const Look& look) {
  return {look.fonts.caption, look.fonts.caption_bold, look.fonts.caption, look.fonts.mono_small, 20,
          look.colours.ink};
}

TextStyleSet heading_style(const Look& look, int level) {
  ImFont* font = level <= 1 ? look.fonts.h1 : level == 2 ? look.fonts.h2 : look.fonts.h3;
  return {font, font, font, font, level <= 1 ? 36.0f : level == 2 ? 30.0f : 26.0f, look.colours.ink};
}

namespace {

ImFont* font_of(const TextStyleSet& style, const warpbook::Run& run) {
  if (run.code) return style.mono;
  if (run.bold) return style.bold;
  if (run.italic || run.math) return style.italic;
  return style.regular;
}

float code_padding(const Look& look) { return look.dp(3); }

float measure_run(const Look& look, const TextStyleSet& style, const warpbook::Run& run,
                  std::string_view text) {
  ImFont* font = font_of(style, run);
  float width = font->CalcTextSizeA(size_of(font), FLT_MAX, 0, text.data(), text.data() + text.size()).x;
  if (run.code && text != " ") width += 2 * code_padding(look);
  return width;
}

Flow flow_runs(const Look& look, const std::vector<warpbook::Run>& runs, float width,
               const TextStyleSet& style) {
  return flow_text(runs, width, [&](const warpbook::Run& run, std::string_view text) {
    return measure_run(look, style, run, text);
  });
}

// Inline code that wraps is padded at each word by the measure above; drawn text must step over the same
// paddings.
void draw_piece(Look& look, ImDrawList& list, const TextStyleSet& style, const warpbook::Run& run,
                const Piece& piece, ImVec2 corner, float line_height, bool hovered) {
  ImFont* font = font_of(style, run);
  const float size = size_of(font);
  const float baseline = corner.y +
                         std::floor((line_height - (style.regular->Ascent - style.regular->Descent)) / 2) +
                         style.regular->Ascent;
  const float top = std::round(baseline - font->Ascent);
  const std::string_view text = std::string_view(run.text).substr(piece.begin, piece.end - piece.begin);
  Colour colour = run.link.empty() ? style.colour : look.colours.accent;
  float x = corner.x;
  if (run.code) {
    list.AddRectFilled(ImVec2(x, top), ImVec2(x + piece.width, top + size), look.colours.sunken, look.dp(4));
    list.AddRect(ImVec2(x, top), ImVec2(x + piece.width, top + size), look.colours.line, look.dp(4));
    const float drawn = font->CalcTextSizeA(size, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
    x += std::floor((piece.width - drawn) / 2);
  }
  list.AddText(font, size, ImVec2(x, top), colour, text.data(), text.data() + text.size());
  const float thickness = std::max(1.0f, look.dp(1));
  if (run.strike) {
    const float y = std::round(baseline - font->Ascent * 0.3f);
    list.AddRectFilled(ImVec2(x, y), ImVec2(x + piece.width, y + thickness), colour);
  }
  if (!run.link.empty()) {
    const float y = std::round(baseline + look.dp(3));
    list.AddRectFilled(ImVec2(x, y), ImVec2(x + piece.width, y + thickness),
                       faded(colour, hovered ? 1.0f : 0.4f));
  }
}

bool numeric(const std::vector<warpbook::Run>& runs) {
  bool digit = false;
  for (const warpbook::Run& run : runs) {
    for (const char c : run.text) {
      if (c >= '0' && c <= '9') {
        digit = true;
      } else if (std::string_view(" .,-+%×/xKMGB").find(c) == std::string_view::npos &&
                 static_cast<unsigned char>(c) < 128) {
        return false;
      }
    }
  }
  return digit;
}

void draw_table(Look& look, const std::string& name, const Block& block, float width,
                const TextStyleSet& style, DocumentEvents& events) {
  if (block.rows.empty()) return;
  const int columns = int(block.rows.front().size());
  // Columns take what their widest cell asks for; when that is too much, they share by it.
  std::vector<float> wanted(size_t(columns), look.dp(24));
  for (const auto& row : block.rows) {
    for (size_t c = 0; c < row.size() && c < size_t(columns); ++c) {
      wanted[c] = std::max(wanted[c], flow_runs(look, row[c], FLT_MAX, style).width + look.dp(2));
    }
  }
  const float padding = 2 * ImGui::GetStyle().CellPadding.x;
  float sum = 0;
  for (const float w : wanted) sum += w + padding;
  if (sum > width) {
    const float room = width - float(columns) * padding;
    std::vector<size_t> open(wanted.size());
    for (size_t c = 0; c < open.size(); ++c) open[c] = c;
    // Narrow columns keep their width, wide ones share the rest.
    float rest = room;
    bool settled = false;
    while (!settled && !open.empty()) {
      settled = true;
      const float share = rest / float(open.size());
      for (size_t i = 0; i < open.size(); ++i) {
        if (wanted[open[i]] <= share) {
          rest -= wanted[open[i]];
          open.erase(open.begin() + ptrdiff_t(i));
          settled = false;
          break;
        }
      }
    }
    for (const size_t c : open) wanted[c] = std::max(look.dp(24), rest / float(open.size()));
  }
  const ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings |
                                ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoKeepColumnsVisible |
                                ImGuiTableFlags_PadOuterX;
  float total = 0;
  for (const float w : wanted) total += w + padding;
  if (!ImGui::BeginTable(name.c_str(), columns, flags, ImVec2(std::min(total, width), 0))) return;
  for (int c = 0; c < columns; ++c) {
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, wanted[size_t(c)]);
  }
  // A column of numbers stands on the right, its heading too.
  std::vector<bool> numbers(size_t(columns), block.rows.size() > 1);
  for (size_t r = 1; r < block.rows.size(); ++r) {
    for (size_t c = 0; c < size_t(columns); ++c) {
      numbers[c] = numbers[c] && c < block.rows[r].size() && numeric(block.rows[r][c]);
    }
  }
  for (size_t r = 0; r < block.rows.size(); ++r) {
    ImGui::TableNextRow();
    if (r == 0) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, look.colours.sunken);
    for (int c = 0; c < columns && size_t(c) < block.rows[r].size(); ++c) {
      ImGui::TableSetColumnIndex(c);
      std::vector<warpbook::Run> runs = block.rows[r][size_t(c)];
      if (r == 0) {
        for (warpbook::Run& run : runs) run.bold = true;
      }
      const float cell_width = wanted[size_t(c)];
      if (numbers[size_t(c)]) {
        const float used = flow_runs(look, runs, cell_width, style).width;
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, cell_width - used));
        draw_runs(look, fmt::format("{}.{}.{}", name, r, c), runs, used + 1, style, events);
      } else {
        draw_runs(look, fmt::format("{}.{}.{}", name, r, c), runs, cell_width, style, events);
      }
    }
  }
  ImGui::EndTable();
}

}  // namespace

float height_of_runs(const Look& look, const std::vector<warpbook::Run>& runs, float width,
                     const TextStyleSet& style) {
  return float(flow_runs(look, runs, width, style).lines) * look.dp(style.line_height);
}

void draw_runs(Look& look, const std::string& name, const std::vector<warpbook::Run>& runs, float width,
               const TextStyleSet& style, DocumentEvents& events) {
  const Flow flow = flow_runs(look, runs, width, style);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float line_height = look.dp(style.line_height);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  int links = 0;
  std::vector<bool> hovered(runs.size(), false);
  for (const bool drawing : {false, true}) {
    // Links first as buttons, so that hovering one part of a wrapped link underlines all of it.
    for (const Piece& piece : flow.pieces) {
      const warpbook::Run& run = runs[piece.run];
      const ImVec2 place(std::round(corner.x + piece.x), corner.y + float(piece.line) * line_height);
      if (drawing) {
        draw_piece(look, list, style, run, piece, place, line_height, hovered[piece.run]);
      } else if (!run.link.empty() && piece.width > 0) {
        ImGui::SetCursorScreenPos(place);
        ImGui::PushID(links);
        if (ImGui::InvisibleButton((name + ".link").c_str(), ImVec2(piece.width, line_height)))
          events.link = run.link;
        ImGui::PopID();
        if (ImGui::IsItemHovered()) {
          hovered[piece.run] = true;
          ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        }
        look.marks.item(fmt::format("{}.link.{}", name, links), run.text);
        look.marks.item("link." + run.link, run.text);
        ++links;
      }
    }
  }
  ImGui::SetCursorScreenPos(corner);
  ImGui::Dummy(ImVec2(std::min(width, std::max(flow.width, 1.0f)), float(flow.lines) * line_height));
  std::string said;
  for (const warpbook::Run& run : runs) said += run.text;
  look.marks.item(name, said);
}

void draw_listing(Look& look, const std::string& name, const std::string& code, const std::string& language,
                  float width, DocumentEvents& events) {
  ImFont* font = look.fonts.mono;
  const float line_height = size_of(font) + look.dp(2);
  const std::vector<std::string_view> lines = lines_of(code);
  const std::vector<Token> tokens = tokenize(code, language_named(language));
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float advance = font->GetCharAdvance('0');
  float widest = 0;
  for (const std::string_view line : lines) {
    widest = std::max(widest, float(decode_utf8(line).size()) * advance);
  }
  const bool scrolls = widest > width - look.dp(32);
  const float height = float(std::max<size_t>(lines.size(), 1)) * line_height + look.dp(24) +
                       (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
  ImDrawList& page = *ImGui::GetWindowDrawList();
  page.AddRectFilled(corner, ImVec2(corner.x + width, corner.y + height), look.colours.sunken, look.dp(8));
  page.AddRect(corner, ImVec2(corner.x + width, corner.y + height), look.colours.line, look.dp(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild(name.c_str(), ImVec2(width, height), false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                        (scrolls ? 0 : ImGuiWindowFlags_NoScrollbar));
  ImGui::PopStyleVar();
  const ImVec2 text_corner = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (size_t i = 0; i < lines.size(); ++i) {
    draw_code_line(look, list, text_corner.x + look.dp(16),
                   text_corner.y + look.dp(12) + float(i) * line_height, lines[i], tokens,
                   size_t(lines[i].data() - code.data()), font);
  }
  ImGui::Dummy(ImVec2(widest + look.dp(32), height - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0)));
  const bool inside = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  ImGui::EndChild();
  look.marks.area(name, corner.x, corner.y, corner.x + width, corner.y + height, code);
  if (inside) {
    const ImVec2 end = ImGui::GetCursorScreenPos();
    const float label = look.fonts.caption->CalcTextSizeA(size_of(look.fonts.caption), FLT_MAX, 0, "Copy").x;
    const ImVec2 low(corner.x + width - label - look.dp(24), corner.y + look.dp(8));
    const ImVec2 high(low.x + label + look.dp(16), low.y + look.dp(24));
    ImDrawList& top = *ImGui::GetForegroundDrawList();
    top.AddRectFilled(low, high, look.colours.panel, look.dp(6));
    top.AddRect(low, high, look.colours.line, look.dp(6));
    top.AddText(look.fonts.caption, size_of(look.fonts.caption),
                ImVec2(low.x + look.dp(8), low.y + look.dp(4)), look.colours.accent, "Copy");
    if (ImGui::IsMouseHoveringRect(low, high, false) && ImGui::IsMouseClicked(0)) events.copied = code;
    ImGui::SetCursorScreenPos(end);
  }
}

void draw_document(Look& look, const Document& document, const DocumentView& view, DocumentEvents& events) {
  const TextStyleSet style = view.small ? small_style(look) : body_style(look);
  const float item_spacing = ImGui::GetStyle().ItemSpacing.y;
  const float left = ImGui::GetCursorPosX();
  for (size_t i = 0; i < document.blocks.size(); ++i) {
    const Block& block = document.blocks[i];
    const std::string name = fmt::format("{}.{}", view.name, i);
    if (i > 0) {
      const Block& last = document.blocks[i - 1];
      const bool item = block.kind == Block::Kind::bullet || block.kind == Block::Kind::numbered;
      float distance = view.small ? 8.0f : 12.0f;
      if (block.kind == Block::Kind::heading) distance = block.level <= 2 ? 32.0f : 24.0f;
      if (item && last.kind == block.kind) distance = 4;
      if (int(block.kind) >= int(Block::Kind::lab)) distance = 20;
      if (int(last.kind) >= int(Block::Kind::lab) && block.kind != Block::Kind::heading) distance = 20;
      gap(look, distance);
      ImGui::SetCursorPosY(ImGui::GetCursorPosY() - item_spacing);
    }
    ImGui::SetCursorPosX(left);
    if (view.before) view.before(block, i, ImGui::GetCursorScreenPos().y);
    switch (block.kind) {
      case Block::Kind::heading:
        draw_runs(look, name, block.runs, view.width, heading_style(look, block.level), events);
        break;
      case Block::Kind::paragraph: draw_runs(look, name, block.runs, view.width, style, events); break;
      case Block::Kind::bullet:
      case Block::Kind::numbered: {
        const float indent = look.dp(24) * float(block.level + 1);
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float line = look.dp(style.line_height);
        if (block.kind == Block::Kind::bullet) {
          list.AddCircleFilled(ImVec2(corner.x + indent - look.dp(14), corner.y + line / 2), look.dp(2.5f),
                               look.colours.accent);
        } else {
          const std::string number = std::to_string(block.number) + ".";
          const float w = style.regular->CalcTextSizeA(size_of(style.regular), FLT_MAX, 0, number.c_str()).x;
          list.AddText(style.regular, size_of(style.regular),
                       ImVec2(corner.x + indent - look.dp(8) - w,
                              corner.y + std::floor((line - size_of(style.regular)) / 2)),
                       look.colours.accent, number.c_str());
        }
        ImGui::SetCursorPosX(left + indent);
        draw_runs(look, name, block.runs, view.width - indent, style, events);
        break;
      }
      case Block::Kind::quote: {
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        TextStyleSet quoted = style;
        quoted.colour = look.colours.muted;
        const float inner = view.width - look.dp(20);
        const float height = height_of_runs(look, block.runs, inner, quoted);
        ImGui::GetWindowDrawList()->AddRectFilled(corner, ImVec2(corner.x + look.dp(3), corner.y + height),
                                                  look.colours.accent, look.dp(1.5f));
        ImGui::SetCursorPosX(left + look.dp(20));
        draw_runs(look, name, block.runs, inner, quoted, events);
        break;
      }
      case Block::Kind::code: draw_listing(look, name, block.text, block.language, view.width, events); break;
      case Block::Kind::table: draw_table(look, name, block, view.width, style, events); break;
      case Block::Kind::rule: {
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddRectFilled(
            corner, ImVec2(corner.x + view.width, corner.y + look.dp(1)), look.colours.line);
        ImGui::Dummy(ImVec2(view.width, look.dp(1)));
        break;
      }
      default:
        if (view.live) view.live(block, i);
        break;
    }
  }
}

}  // namespace warpbook::ui
