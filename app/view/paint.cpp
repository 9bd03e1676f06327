#include "view/paint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "view/colour.h"
#include "view/lines.h"

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

namespace {

/// Where each entry of a legend stands, from its corner.
std::vector<ImVec2> legend_places(const Painter& painter, float width,
                                  const std::vector<Painter::LegendEntry>& entries) {
  std::vector<ImVec2> places;
  ImVec2 at(0, 0);
  for (const Painter::LegendEntry& entry : entries) {
    const float needed = painter.dp(10 + 6 + 16) + painter.width_of(entry.words);
    if (at.x > 0 && at.x + needed > width) at = ImVec2(0, at.y + painter.line_height() + painter.dp(4));
    places.push_back(at);
    at.x += needed;
  }
  return places;
}

}  // namespace

float legend_height(const Painter& painter, float width, const std::vector<Painter::LegendEntry>& entries) {
  const std::vector<ImVec2> places = legend_places(painter, width, entries);
  return (places.empty() ? 0 : places.back().y) + painter.line_height();
}

float Painter::legend(float x, float y, float width, const std::vector<LegendEntry>& entries) {
  const std::vector<ImVec2> places = legend_places(*this, width, entries);
  const float square = dp(10);
  for (size_t i = 0; i < entries.size(); ++i) {
    const float left = x + places[i].x, top = y + places[i].y;
    box(left, top + (line_height() - square) / 2 - dp(1), square, square, entries[i].colour, dp(2));
    outline(left, top + (line_height() - square) / 2 - dp(1), square, square, style_.line, 1, dp(2));
    text(left + square + dp(6), top, entries[i].words, style_.muted);
  }
  return legend_height(*this, width, entries);
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

std::vector<std::string> lines_within(const Painter& painter, std::string_view words, float width,
                                      Painter::Face face) {
  std::vector<std::string> lines;
  std::string line;
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(' ', at), words.size());
    const std::string word(words.substr(at, end - at));
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && painter.width_of(longer, face) > width) {
      lines.push_back(line);
      line = word;
    } else {
      line = longer;
    }
    at = end + 1;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

float text_wrapped(Painter& painter, float x, float y, float width, std::string_view words, uint32_t colour,
                   Painter::Face face) {
  for (const std::string& line : lines_within(painter, words, width, face)) {
    painter.text(x, y, line, colour, face);
    y += painter.line_height(face);
  }
  return y;
}

void draw_message(Painter& painter, std::string_view words) {
  const auto body = Painter::Face::body;
  const DrawArea& area = painter.area();
  const std::vector<std::string> lines = lines_within(painter, words, area.width, body);
  float y = area.y + (area.height - float(lines.size() + 1) * painter.line_height(body)) / 2;
  for (const std::string& line : lines) {
    painter.text_centred(area.x + area.width / 2, y, line, painter.style().muted, body);
    y += painter.line_height(body);
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
