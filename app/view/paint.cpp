#include "view/paint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "view/colour.h"

namespace warpbook::view {

Painter::Painter(const Style& style, const DrawArea& area, bool stale)
    : style_(style), area_(area), stale_(stale), list_(ImGui::GetWindowDrawList()) {}

uint32_t Painter::tone(uint32_t colour) const { return stale_ ? mixed(colour, style_.paper, 0.5f) : colour; }

ImFont* Painter::font(Face face) const {
  void* chosen = face == Face::body   ? style_.font_body
                 : face == Face::mono ? style_.font_mono
                                      : style_.font_caption;
  return chosen ? static_cast<ImFont*>(chosen) : ImGui::GetFont();
}

float Painter::line_height(Face face) const { return std::ceil(font(face)->FontSize * 1.35f); }

float Painter::width_of(std::string_view words, Face face) const {
  ImFont* f = font(face);
  return f->CalcTextSizeA(f->FontSize, 1e9f, 0, words.data(), words.data() + words.size()).x;
}

float Painter::text(float x, float y, std::string_view words, uint32_t colour, Face face) {
  ImFont* f = font(face);
  list_->AddText(f, f->FontSize, ImVec2(std::floor(x), std::floor(y)), tone(colour), words.data(),
                 words.data() + words.size());
  return width_of(words, face);
}

void Painter::text_right(float right, float y, std::string_view words, uint32_t colour, Face face) {
  text(right - width_of(words, face), y, words, colour, face);
}

void Painter::text_centred(float centre, float y, std::string_view words, uint32_t colour, Face face) {
  text(centre - width_of(words, face) / 2, y, words, colour, face);
}

void Painter::text_fitted(float x, float y, float width, std::string_view words, uint32_t colour, Face face) {
  if (width_of(words, face) <= width) {
    text(x, y, words, colour, face);
    return;
  }
  std::u32string points = decode_utf8(words);
  while (!points.empty() && width_of(encode_utf8(points) + "…", face) > width) points.pop_back();
  text(x, y, encode_utf8(points) + "…", colour, face);
}

void Painter::box(float x, float y, float width, float height, uint32_t colour, float rounding) {
  list_->AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + height), tone(colour), rounding);
}

void Painter::outline(float x, float y, float width, float height, uint32_t colour, float thickness,
                      float rounding) {
  list_->AddRect(ImVec2(x, y), ImVec2(x + width, y + height), tone(colour), rounding, 0, thickness);
}

void Painter::line(float x0, float y0, float x1, float y1, uint32_t colour, float thickness) {
  list_->AddLine(ImVec2(x0, y0), ImVec2(x1, y1), tone(colour), thickness);
}

float Painter::stamp(float x, float y, Stamp stamp) {
  const char* words = stamp == Stamp::measured  ? "measured"
                      : stamp == Stamp::counted ? "counted"
                                                : "modelled";
  float pad = dp(6), width = width_of(words) + 2 * pad, height = line_height() + dp(2);
  if (stamp == Stamp::measured) {
    box(x, y, width, height, style_.accent, height / 2);
    text(x + pad, y + dp(1), words, style_.paper);
  } else if (stamp == Stamp::counted) {
    outline(x, y, width, height, style_.muted, 1, height / 2);
    text(x + pad, y + dp(1), words, style_.muted);
  } else {
    for (float at = x; at < x + width; at += dp(4)) {
      line(at, y, std::min(at + dp(2), x + width), y, style_.muted);
      line(at, y + height, std::min(at + dp(2), x + width), y + height, style_.muted);
    }
    for (float at = y; at < y + height; at += dp(4)) {
      line(x, at, x, std::min(at + dp(2), y + height), style_.muted);
      line(x + width, at, x + width, std::min(at + dp(2), y + height), style_.muted);
    }
    text(x + pad, y + dp(1), words, style_.muted);
  }
  if (hovered(x, y, width, height)) {
    tooltip(stamp == Stamp::measured  ? "Measured by events on the GPU that is named."
            : stamp == Stamp::counted ? "Counted by the emulator: exact for this kernel's PTX code."
                                      : "Computed by the timing model for the chosen GPU.");
  }
  return width;
}

float Painter::legend(float x, float y, float width, const std::vector<LegendEntry>& entries) {
  float at = x, top = y, square = dp(10);
  for (const LegendEntry& entry : entries) {
    float needed = square + dp(6) + width_of(entry.words) + dp(16);
    if (at > x && at + needed > x + width) {
      at = x;
      top += line_height() + dp(4);
    }
    box(at, top + (line_height() - square) / 2 - dp(1), square, square, entry.colour, dp(2));
    outline(at, top + (line_height() - square) / 2 - dp(1), square, square, style_.line, 1, dp(2));
    text(at + square + dp(6), top, entry.words, style_.muted);
    at += needed;
  }
  return top - y + line_height();
}

void Painter::scale(float x, float y, float height, const std::function<uint32_t(double)>& colour,
                    const std::string& low, const std::string& high) {
  const int steps = 48;
  float width = dp(10), step = height / float(steps);
  for (int i = 0; i < steps; ++i) {
    box(x, y + step * float(i), width, step + 1, colour(1 - (double(i) + 0.5) / steps));
  }
  text(x + width + dp(6), y - dp(2), high, style_.muted);
  text(x + width + dp(6), y + height - line_height() + dp(2), low, style_.muted);
}

bool Painter::hovered(float x, float y, float width, float height) const {
  return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(ImVec2(x, y), ImVec2(x + width, y + height));
}

void Painter::tooltip(const std::string& words) const {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(dp(10), dp(8)));
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(dp(360));
  ImGui::TextUnformatted(words.data(), words.data() + words.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void draw_message(Painter& painter, std::string_view words) {
  const DrawArea& area = painter.area();
  float y = area.y + area.height / 2 - painter.line_height(Painter::Face::body);
  if (painter.width_of(words, Painter::Face::body) <= area.width) {
    painter.text_centred(area.x + area.width / 2, y, words, painter.style().muted, Painter::Face::body);
  } else {
    painter.text_fitted(area.x, y, area.width, words, painter.style().muted, Painter::Face::body);
  }
}

std::string short_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+inf" : "-inf";
  double size = std::fabs(value);
  if (value == std::floor(value) && size < 1e15) {
    std::string digits = with_thousands(uint64_t(size));
    return value < 0 ? "-" + digits : digits;
  }
  if (size >= 1000) return short_number(std::round(value));
  if (size >= 100) return fmt::format("{:.0f}", value);
  if (size >= 10) return fmt::format("{:.1f}", value);
  if (size >= 0.01) return fmt::format("{:.2f}", value);
  return fmt::format("{:.2g}", value);
}

std::string thread_words(int64_t thread, const Launch& launch) {
  int64_t per_block = std::max<int64_t>(1, int64_t(launch.block.count()));
  auto place = [](int64_t number, const Dim3& shape) {
    int64_t x = std::max(1u, shape.x), y = std::max(1u, shape.y);
    return fmt::format("({}, {}, {})", number % x, number / x % y, number / (x * y));
  };
  return fmt::format("thread {} of block {}", place(thread % per_block, launch.block),
                     place(thread / per_block, launch.grid));
}

}  // namespace warpbook::view
