#include "ui/widgets.h"

#include <imgui_internal.h>

#include <algorithm>

#include "base/text.h"
#include "ui/imgui_compat.h"

namespace warpbook::ui {

view::Style view_style(const Look& look) {
  view::Style style;
  const Palette& c = look.colours;
  style.paper = c.paper;
  style.ink = c.ink;
  style.muted = c.muted;
  style.line = c.line;
  style.accent = c.accent;
  style.warning = c.warning;
  style.error = c.error;
  style.success = c.success;
  style.panel = c.panel;
  std::copy(std::begin(c.series), std::end(c.series), style.series);
  style.dark = c.dark;
  style.dp = look.scale;
  style.font_body = look.fonts.body;
  style.font_caption = look.fonts.caption;
  style.font_mono = look.fonts.mono;
  return style;
}

namespace {

// Pushes the colours of a button for a scope.
class ButtonColours {
 public:
  ButtonColours(Look& look, ButtonKind kind, bool enabled) {
    const Palette& c = look.colours;
    Colour ground = c.panel, hovered = c.accent_soft, text = c.ink, border = c.line;
    if (kind == ButtonKind::primary) {
      ground = c.accent;
      hovered = mix(c.accent, c.ink, 0.15f);
      text = c.on_accent;
      border = c.accent;
    } else if (kind == ButtonKind::quiet) {
      ground = 0;
      border = 0;
    }
    if (!enabled) {
      ground = hovered = kind == ButtonKind::quiet ? 0 : c.sunken;
      text = c.muted;
      border = kind == ButtonKind::quiet ? 0 : c.line;
    }
    ImGui::PushStyleColor(ImGuiCol_Button, ground);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, hovered);
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, hovered);
    ImGui::PushStyleColor(ImGuiCol_Text, text);
    ImGui::PushStyleColor(ImGuiCol_Border, border);
  }
  ~ButtonColours() { ImGui::PopStyleColor(5); }
};

void dotted_rectangle(ImDrawList& list, ImVec2 low, ImVec2 high, Colour colour, float step, float thickness) {
  const auto dots = [&](ImVec2 from, ImVec2 to) {
    const float length = std::max(to.x - from.x, to.y - from.y);
    const bool across = to.x > from.x;
    for (float at = 0; at < length; at += 2 * step) {
      const float end = std::min(at + step, length);
      list.AddRectFilled(
          across ? ImVec2(from.x + at, from.y) : ImVec2(from.x, from.y + at),
          across ? ImVec2(from.x + end, from.y + thickness) : ImVec2(from.x + thickness, from.y + end),
          colour);
    }
  };
  dots(low, ImVec2(high.x, low.y));
  dots(ImVec2(low.x, high.y - thickness), ImVec2(high.x, high.y - thickness));
  dots(low, ImVec2(low.x, high.y));
  dots(ImVec2(high.x - thickness, low.y), ImVec2(high.x - thickness, high.y));
}

// Room for a chip on the line; returns its corner and size.
std::pair<ImVec2, ImVec2> chip_place(Look& look, const std::string& name, const std::string& text,
                                     const std::string& hover) {
  const ImVec2 extent =
      look.fonts.caption->CalcTextSizeA(size_of(look.fonts.caption), FLT_MAX, 0, text.c_str());
  const ImVec2 size(extent.x + look.dp(16), look.dp(22));
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  look.marks.item(name, text);
  if (!hover.empty()) hover_text(look, hover);
  return {corner, size};
}

void chip_text(Look& look, ImVec2 corner, ImVec2 size, const std::string& text, Colour colour) {
  const ImVec2 extent =
      look.fonts.caption->CalcTextSizeA(size_of(look.fonts.caption), FLT_MAX, 0, text.c_str());
  ImGui::GetWindowDrawList()->AddText(
      look.fonts.caption, size_of(look.fonts.caption),
      ImVec2(corner.x + look.dp(8), corner.y + std::floor((size.y - extent.y) / 2)), colour, text.c_str());
}

}  // namespace

bool button(Look& look, const std::string& name, const std::string& label, ButtonKind kind, bool enabled,
            const std::string& hover, float width) {
  const ButtonColours colours(look, kind, enabled);
  const FontScope font(kind == ButtonKind::primary ? look.fonts.label_bold : look.fonts.label);
  ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, 1.0f);
  ImGui::BeginDisabled(!enabled);
  const bool clicked = ImGui::Button((label + "###" + name).c_str(), ImVec2(width, look.dp(32)));
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  look.marks.item(name, label, enabled);
  if (!hover.empty()) hover_text(look, hover);
  return clicked && enabled;
}

bool icon_button(Look& look, const std::string& name, const char* sign, const std::string& hover) {
  const ButtonColours colours(look, ButtonKind::quiet, true);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
  const bool clicked =
      ImGui::Button((std::string(sign) + "###" + name).c_str(), ImVec2(look.dp(32), look.dp(32)));
  ImGui::PopStyleVar();
  look.marks.item(name, hover);
  hover_text(look, hover);
  return clicked;
}

int tab_strip(Look& look, const std::string& name, const std::vector<std::string>& labels, int chosen) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const float left = ImGui::GetCursorScreenPos().x;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  // Tabs move closer together before the last of them goes to a second row.
  float widths = 0;
  for (const std::string& label : labels) {
    ImFont* bold = look.fonts.label_bold;
    widths += bold->CalcTextSizeA(size_of(bold), FLT_MAX, 0, label.c_str()).x + look.dp(8);
  }
  const float gaps = float(std::max(1, int(labels.size()) - 1));
  const float between = std::clamp(std::floor((right - left - widths) / gaps), look.dp(4), look.dp(16));
  float bottom = 0;
  for (int i = 0; i < int(labels.size()); ++i) {
    const bool on = i == chosen;
    ImFont* font = on ? look.fonts.label_bold : look.fonts.label;
    const ImVec2 extent = font->CalcTextSizeA(size_of(font), FLT_MAX, 0, labels[size_t(i)].c_str());
    const ImVec2 size(extent.x + look.dp(8), look.dp(36));
    if (i > 0) {
      ImGui::SameLine(0, between);
      if (ImGui::GetCursorScreenPos().x + size.x > right) ImGui::NewLine();
    }
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::PushID(i);
    if (ImGui::InvisibleButton(name.c_str(), size)) chosen = i;
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    look.marks.item(name + "." + std::to_string(i), labels[size_t(i)]);
    look.marks.item(name + "." + labels[size_t(i)], labels[size_t(i)]);
    const Colour colour = on ? look.colours.accent : hovered ? look.colours.ink : look.colours.muted;
    list.AddText(font, size_of(font),
                 ImVec2(corner.x + look.dp(4), corner.y + std::floor((size.y - extent.y) / 2)), colour,
                 labels[size_t(i)].c_str());
    bottom = corner.y + size.y;
    if (on) {
      list.AddRectFilled(ImVec2(corner.x, bottom - look.dp(2)), ImVec2(corner.x + size.x, bottom),
                         look.colours.accent);
    }
  }
  list.AddRectFilled(ImVec2(left, bottom), ImVec2(right, bottom + look.dp(1)), look.colours.line);
  return chosen;
}

int segmented(Look& look, const std::string& name, const std::vector<std::string>& labels, int chosen,
              bool enabled, float height) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (int i = 0; i < int(labels.size()); ++i) {
    const bool on = i == chosen;
    const std::string& label = labels[size_t(i)];
    const float width =
        look.fonts.label->CalcTextSizeA(size_of(look.fonts.label), FLT_MAX, 0, label.c_str()).x + look.dp(18);
    if (i > 0) {
      ImGui::SameLine(0, look.dp(4));
      if (ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
    }
    const Palette& c = look.colours;
    ImGui::PushStyleColor(ImGuiCol_Button, on ? c.accent_soft : c.panel);
    ImGui::PushStyleColor(ImGuiCol_Border, on ? c.accent : c.line);
    ImGui::PushStyleColor(ImGuiCol_Text, on ? c.accent : enabled ? c.ink : c.muted);
    ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, 1.0f);
    ImGui::BeginDisabled(!enabled);
    const std::string id = name + "." + std::to_string(i);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(look.dp(4), look.dp(2)));
    if (ImGui::Button((label + "###" + id).c_str(), ImVec2(width, look.dp(height)))) chosen = i;
    ImGui::PopStyleVar();
    ImGui::EndDisabled();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(3);
    look.marks.item(id, label, enabled);
    look.marks.item(name + "." + label, label, enabled);
  }
  return chosen;
}

bool choice_row(Look& look, const std::string& name, bool round, bool chosen, const std::string& text,
                bool enabled) {
  const float width = ImGui::GetContentRegionAvail().x;
  const float text_width = width - look.dp(40);
  const FontScope font(look.fonts.body);
  const ImVec2 extent = ImGui::CalcTextSize(text.c_str(), nullptr, false, text_width);
  const ImVec2 size(width, std::max(extent.y, look.dp(20)) + look.dp(12));
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, 1.0f);
  ImGui::BeginDisabled(!enabled);
  const bool clicked = ImGui::InvisibleButton(name.c_str(), size);
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  const bool hovered = enabled && ImGui::IsItemHovered();
  look.marks.item(name, text, enabled);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Palette& c = look.colours;
  if (hovered || chosen) {
    list.AddRectFilled(corner, ImVec2(corner.x + size.x, corner.y + size.y),
                       chosen ? c.accent_soft : mix(c.panel, c.accent_soft, 0.5f), look.dp(6));
  }
  const ImVec2 centre(corner.x + look.dp(18), corner.y + look.dp(16));
  const Colour edge = chosen ? c.accent : c.muted;
  const float thickness = std::max(1.0f, look.dp(1.5f));
  if (round) {
    list.AddCircle(centre, look.dp(8), edge, 24, thickness);
    if (chosen) list.AddCircleFilled(centre, look.dp(4.5f), c.accent, 24);
  } else {
    const float half = look.dp(8);
    const ImVec2 low(centre.x - half, centre.y - half), high(centre.x + half, centre.y + half);
    if (chosen) list.AddRectFilled(low, high, c.accent, look.dp(3));
    list.AddRect(low, high, edge, look.dp(3), 0, thickness);
    if (chosen) {
      list.AddLine(ImVec2(centre.x - look.dp(4), centre.y),
                   ImVec2(centre.x - look.dp(1), centre.y + look.dp(3)), c.on_accent, look.dp(2));
      list.AddLine(ImVec2(centre.x - look.dp(1), centre.y + look.dp(3)),
                   ImVec2(centre.x + look.dp(5), centre.y - look.dp(4)), c.on_accent, look.dp(2));
    }
  }
  list.AddText(look.fonts.body, size_of(look.fonts.body),
               ImVec2(corner.x + look.dp(36), corner.y + look.dp(6)), c.ink, text.c_str(), nullptr,
               text_width);
  return clicked;
}

void stamp_chip(Look& look, const std::string& name, Stamp stamp, const std::string& text,
                const std::string& hover) {
  const auto [corner, size] = chip_place(look, name, text, hover);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Palette& c = look.colours;
  const ImVec2 high(corner.x + size.x, corner.y + size.y);
  const float thickness = std::max(1.0f, look.dp(1));
  switch (stamp) {
    case Stamp::measured:
      list.AddRectFilled(corner, high, c.accent, look.dp(11));
      chip_text(look, corner, size, text, c.on_accent);
      break;
    case Stamp::counted:
      list.AddRect(corner, high, c.accent, look.dp(11), 0, thickness);
      chip_text(look, corner, size, text, c.accent);
      break;
    case Stamp::modelled:
      dotted_rectangle(list, corner, high, c.accent, look.dp(2), thickness);
      chip_text(look, corner, size, text, c.accent);
      break;
  }
}

void plain_chip(Look& look, const std::string& name, const std::string& text, Colour ground, Colour ink,
                const std::string& hover) {
  const auto [corner, size] = chip_place(look, name, text, hover);
  ImGui::GetWindowDrawList()->AddRectFilled(corner, ImVec2(corner.x + size.x, corner.y + size.y), ground,
                                            look.dp(11));
  chip_text(look, corner, size, text, ink);
}

void wrapped(Look&, const std::string& text, ImFont* font, Colour colour, float width) {
  const FontScope scope(font);
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::PushTextWrapPos(width > 0 ? ImGui::GetCursorPosX() + width : 0.0f);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void caption(Look& look, const std::string& text, Colour colour) {
  wrapped(look, text, look.fonts.caption, colour);
}

void gap(Look& look, float height) {
  // Dummy adds ItemSpacing around itself; the gap is the whole distance.
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look.dp(height) - spacing);
  ImGui::Dummy(ImVec2(0, 0));
}

std::string fitted(ImFont* font, const std::string& text, float width) {
  const auto width_of = [font](const std::string& words) {
    return font->CalcTextSizeA(size_of(font), FLT_MAX, 0, words.c_str()).x;
  };
  if (width_of(text) <= width) return text;
  std::u32string points = decode_utf8(text);
  while (!points.empty() && width_of(encode_utf8(points) + "…") > width) points.pop_back();
  return encode_utf8(points) + "…";
}

void rule(Look& look) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::GetWindowDrawList()->AddRectFilled(
      corner, ImVec2(corner.x + width, corner.y + std::max(1.0f, look.dp(1))), look.colours.line);
  ImGui::Dummy(ImVec2(width, look.dp(1)));
}

void hover_text(Look& look, const std::string& text) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(look, text);
}

void tooltip(Look& look, const std::string& text) {
  if (look.bare) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.dp(12), look.dp(8)));
  // A button's own colours are still in force here: white words on a white ground.
  ImGui::PushStyleColor(ImGuiCol_Text, look.colours.ink);
  ImGui::PushStyleColor(ImGuiCol_Border, look.colours.line);
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(look.dp(360));
  ImGui::PushFont(look.fonts.caption);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopFont();
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar();
}

void lane_strip(Look& look, float x, float y, float width, float height, int lit, Colour on, Colour off) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float step = width / 32, between = std::max(1.0f, std::min(look.dp(2), step * 0.3f));
  for (int lane = 0; lane < 32; ++lane) {
    const float left = std::round(x + float(lane) * step),
                right = std::round(x + float(lane + 1) * step) - between;
    list.AddRectFilled(ImVec2(left, y), ImVec2(std::max(right, left + 1), y + height), lane < lit ? on : off);
  }
}

void progress_bar(Look& look, float share, float width) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float height = look.dp(4);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, ImVec2(corner.x + width, corner.y + height), look.colours.line, height / 2);
  float from = 0, to = std::clamp(share, 0.0f, 1.0f);
  if (share < 0) {
    const float phase = look.motion ? float(std::fmod(look.now, 1.2) / 1.2) : 0.35f;
    from = std::max(0.0f, phase * 1.3f - 0.3f);
    to = std::min(1.0f, phase * 1.3f);
  }
  list.AddRectFilled(ImVec2(corner.x + width * from, corner.y),
                     ImVec2(corner.x + width * to, corner.y + height), look.colours.accent, height / 2);
  ImGui::Dummy(ImVec2(width, height));
}

Card::Card(Look& look, const std::string& name, float width, Colour ground, Colour border, float padding,
           Colour stripe)
    : look_(look),
      name_(name),
      width_(width),
      padding_(look.dp(padding)),
      ground_(ground),
      border_(border),
      stripe_(stripe),
      start_(ImGui::GetCursorScreenPos()) {
  inner_width_ = width_ - 2 * padding_;
  splitter_.Split(ImGui::GetWindowDrawList(), 2);
  splitter_.SetCurrentChannel(ImGui::GetWindowDrawList(), 1);
  ImGui::PushID(name.c_str());
  ImGui::SetCursorScreenPos(ImVec2(start_.x + padding_, start_.y + padding_));
  ImGui::BeginGroup();
  ImGui::PushItemWidth(inner_width_);
  // Content asks GetContentRegionAvail for its width: narrow the window's work area while the card is open.
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  saved_right_ = window->WorkRect.Max.x;
  saved_content_ = window->ContentRegionRect.Max.x;
  window->WorkRect.Max.x = start_.x + width_ - padding_;
  window->ContentRegionRect.Max.x = start_.x + width_ - padding_;
}

Card::~Card() {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  window->WorkRect.Max.x = saved_right_;
  window->ContentRegionRect.Max.x = saved_content_;
  ImGui::PopItemWidth();
  ImGui::EndGroup();
  ImGui::PopID();
  const float bottom = ImGui::GetItemRectMax().y + padding_;
  ImDrawList* list = ImGui::GetWindowDrawList();
  splitter_.SetCurrentChannel(list, 0);
  const ImVec2 high(start_.x + width_, bottom);
  const float rounding = look_.dp(10);
  list->AddRectFilled(start_, high, ground_, rounding);
  if (stripe_ != 0) {
    list->PushClipRect(start_, ImVec2(start_.x + look_.dp(4), bottom), true);
    list->AddRectFilled(start_, high, stripe_, rounding);
    list->PopClipRect();
  }
  if (border_ != 0) list->AddRect(start_, high, border_, rounding, 0, std::max(1.0f, look_.dp(1)));
  splitter_.Merge(list);
  ImGui::SetCursorScreenPos(start_);
  ImGui::Dummy(ImVec2(width_, bottom - start_.y));
  look_.marks.item(name_);
}

Colour colour_of(const Look& look, Severity severity) {
  switch (severity) {
    case Severity::error: return look.colours.error;
    case Severity::warning: return look.colours.warning;
    case Severity::note: break;
  }
  return look.colours.muted;
}

}  // namespace warpbook::ui
