#include "ui/theme.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace warpbook::ui {

Colour faded(Colour colour, float opacity) {
  const float alpha = float(colour >> 24) * std::clamp(opacity, 0.0f, 1.0f);
  return (colour & 0x00ffffffu) | uint32_t(std::lround(alpha)) << 24;
}

Colour mix(Colour from, Colour to, float share) {
  Colour mixed = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const float a = float(from >> shift & 255), b = float(to >> shift & 255);
    mixed |= uint32_t(std::lround(a + (b - a) * share)) << shift;
  }
  return mixed;
}

namespace {

void fill_series(Palette& palette) {
  // Okabe and Ito, "Color Universal Design" (2008); black gives way to ink.
  const Colour set[8] = {rgb(0x0072B2), rgb(0xE69F00), rgb(0x009E73), rgb(0xCC79A7),
                         rgb(0x56B4E9), rgb(0xD55E00), rgb(0xF0E442), palette.ink};
  std::copy(std::begin(set), std::end(set), palette.series);
}

double linear(uint32_t channel) {
  const double value = channel / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(Colour colour) {
  return 0.2126 * linear(colour & 255) + 0.7152 * linear(colour >> 8 & 255) +
         0.0722 * linear(colour >> 16 & 255);
}

ImVec4 vec(Colour colour) { return ImGui::ColorConvertU32ToFloat4(colour); }

}  // namespace

Palette light_palette() {
  Palette p{};
  p.paper = rgb(0xFAFAF7);
  p.panel = rgb(0xFFFFFF);
  p.sunken = rgb(0xF2F1EC);
  p.ink = rgb(0x1F2328);
  p.muted = rgb(0x5C636B);
  p.line = rgb(0xDDDCD6);
  p.accent = rgb(0x0B7568);
  p.on_accent = rgb(0xFFFFFF);
  p.accent_soft = rgb(0xE0EFEC);
  p.warning = rgb(0x855300);
  p.error = rgb(0xB3123B);
  p.success = rgb(0x1A7339);
  p.code_keyword = rgb(0x8A2A8C);
  p.code_cuda = rgb(0x0B6B60);
  p.code_type = rgb(0x0A5E98);
  p.code_number = rgb(0x94460A);
  p.code_string = rgb(0x3F6312);
  p.code_comment = rgb(0x656B72);
  p.code_preprocessor = rgb(0x7A4B00);
  fill_series(p);
  return p;
}

Palette dark_palette() {
  Palette p{};
  p.dark = true;
  p.paper = rgb(0x14171C);
  p.panel = rgb(0x1B1F26);
  p.sunken = rgb(0x0F1216);
  p.ink = rgb(0xE6E8EB);
  p.muted = rgb(0xA0A7B1);
  p.line = rgb(0x2A2F37);
  p.accent = rgb(0x2FC4AF);
  p.on_accent = rgb(0x0B1513);
  p.accent_soft = rgb(0x17322F);
  p.warning = rgb(0xE8B04B);
  p.error = rgb(0xFF7D93);
  p.success = rgb(0x62CC8B);
  p.code_keyword = rgb(0xD59BE0);
  p.code_cuda = rgb(0x4FD1BE);
  p.code_type = rgb(0x7CBCEB);
  p.code_number = rgb(0xE8A56B);
  p.code_string = rgb(0xA9C77C);
  p.code_comment = rgb(0x8B939D);
  p.code_preprocessor = rgb(0xD9B26A);
  fill_series(p);
  return p;
}

double contrast(Colour one, Colour other) {
  const double a = luminance(one), b = luminance(other);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

std::vector<TextPair> text_pairs(const Palette& p) {
  return {{"ink on paper", p.ink, p.paper},
          {"ink on panel", p.ink, p.panel},
          {"ink on sunken", p.ink, p.sunken},
          {"ink on selection", p.ink, p.accent_soft},
          {"muted on paper", p.muted, p.paper},
          {"muted on panel", p.muted, p.panel},
          {"muted on sunken", p.muted, p.sunken},
          {"accent on paper", p.accent, p.paper},
          {"accent on panel", p.accent, p.panel},
          {"accent on sunken", p.accent, p.sunken},
          {"accent on selection", p.accent, p.accent_soft},
          {"text on accent", p.on_accent, p.accent},
          {"warning on paper", p.warning, p.paper},
          {"warning on panel", p.warning, p.panel},
          {"error on paper", p.error, p.paper},
          {"error on panel", p.error, p.panel},
          {"error on sunken", p.error, p.sunken},
          {"success on paper", p.success, p.paper},
          {"success on panel", p.success, p.panel},
          {"keyword", p.code_keyword, p.sunken},
          {"CUDA word", p.code_cuda, p.sunken},
          {"type", p.code_type, p.sunken},
          {"number", p.code_number, p.sunken},
          {"string", p.code_string, p.sunken},
          {"comment", p.code_comment, p.sunken},
          {"preprocessor", p.code_preprocessor, p.sunken}};
}

void apply_style(const Palette& p, float scale) {
  ImGuiStyle style;
  style.WindowPadding = ImVec2(0, 0);
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.PopupRounding = 8;
  style.FrameRounding = 6;
  style.FramePadding = ImVec2(10, 7);
  style.ItemSpacing = ImVec2(8, 8);
  style.ItemInnerSpacing = ImVec2(8, 4);
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.GrabRounding = 6;
  style.GrabMinSize = 14;
  style.FrameBorderSize = 1;
  style.CellPadding = ImVec2(10, 6);
  style.ScaleAllSizes(scale);
  style.WindowBorderSize = style.ChildBorderSize = 0;
  style.FrameBorderSize = style.PopupBorderSize = std::max(1.0f, std::floor(scale));
  const auto set = [&style](ImGuiCol_ slot, Colour colour) { style.Colors[slot] = vec(colour); };
  const Colour nothing = 0;
  set(ImGuiCol_Text, p.ink);
  set(ImGuiCol_TextDisabled, p.muted);
  set(ImGuiCol_WindowBg, p.paper);
  set(ImGuiCol_ChildBg, nothing);
  set(ImGuiCol_PopupBg, p.panel);
  set(ImGuiCol_Border, p.line);
  set(ImGuiCol_FrameBg, p.panel);
  set(ImGuiCol_FrameBgHovered, mix(p.panel, p.accent_soft, 0.5f));
  set(ImGuiCol_FrameBgActive, p.panel);
  set(ImGuiCol_ScrollbarBg, nothing);
  set(ImGuiCol_ScrollbarGrab, faded(p.muted, 0.28f));
  set(ImGuiCol_ScrollbarGrabHovered, faded(p.muted, 0.5f));
  set(ImGuiCol_ScrollbarGrabActive, faded(p.muted, 0.7f));
  set(ImGuiCol_CheckMark, p.accent);
  set(ImGuiCol_SliderGrab, p.accent);
  set(ImGuiCol_SliderGrabActive, p.accent);
  set(ImGuiCol_Button, p.panel);
  set(ImGuiCol_ButtonHovered, p.accent_soft);
  set(ImGuiCol_ButtonActive, p.accent_soft);
  set(ImGuiCol_Header, p.accent_soft);
  set(ImGuiCol_HeaderHovered, p.accent_soft);
  set(ImGuiCol_HeaderActive, p.accent_soft);
  set(ImGuiCol_Separator, p.line);
  set(ImGuiCol_SeparatorHovered, p.accent);
  set(ImGuiCol_SeparatorActive, p.accent);
  set(ImGuiCol_TableHeaderBg, p.sunken);
  set(ImGuiCol_TableBorderStrong, p.line);
  set(ImGuiCol_TableBorderLight, p.line);
  set(ImGuiCol_TableRowBgAlt, nothing);
  set(ImGuiCol_TextSelectedBg, faded(p.accent, p.dark ? 0.35f : 0.22f));
  set(ImGuiCol_NavHighlight, nothing);  // Marks draws the ring, around widgets of our own too
  set(ImGuiCol_NavWindowingHighlight, faded(p.accent, 0.7f));
  set(ImGuiCol_NavWindowingDimBg, faded(p.ink, 0.1f));
  set(ImGuiCol_ModalWindowDimBg, faded(p.dark ? rgb(0x000000) : p.ink, p.dark ? 0.55f : 0.25f));
  ImGui::GetStyle() = style;
}

}  // namespace warpbook::ui
