#pragma once
// The dumb drawing step's tools: text at a place, boxes, chips, legends, hover. All lengths in pixels; dp()
// scales.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "imgui.h"
#include "view/view.h"

namespace warpbook::view {

class Painter {
 public:
  Painter(const Style& style, const DrawArea& area, bool stale);

  float dp(float length) const { return length * style_.dp; }
  const Style& style() const { return style_; }
  const DrawArea& area() const { return area_; }
  /// Dimmed when the result is stale.
  uint32_t tone(uint32_t colour) const;

  enum class Face { body, caption, mono };
  /// Draws at the baseline box's top left; returns its width.
  float text(float x, float y, std::string_view words, uint32_t colour, Face face = Face::caption);
  void text_right(float right, float y, std::string_view words, uint32_t colour, Face face = Face::caption);
  void text_centred(float centre, float y, std::string_view words, uint32_t colour,
                    Face face = Face::caption);
  /// Cuts to `width` with an ellipsis.
  void text_fitted(float x, float y, float width, std::string_view words, uint32_t colour,
                   Face face = Face::caption);
  float width_of(std::string_view words, Face face = Face::caption) const;
  float line_height(Face face = Face::caption) const;

  void box(float x, float y, float width, float height, uint32_t colour, float rounding = 0);
  void outline(float x, float y, float width, float height, uint32_t colour, float thickness = 1,
               float rounding = 0);
  void line(float x0, float y0, float x1, float y1, uint32_t colour, float thickness = 1);
  /// "counted", "measured" (filled) or "modelled" (dotted) chip; returns its width.
  float stamp(float x, float y, Stamp stamp);
  /// A row of colour squares with words; returns the height used.
  struct LegendEntry {
    uint32_t colour;
    std::string words;
  };
  float legend(float x, float y, float width, const std::vector<LegendEntry>& entries);
  /// A vertical colour scale with its ends labelled, right of x.
  void scale(float x, float y, float height, const std::function<uint32_t(double)>& colour,
             const std::string& low, const std::string& high);

  /// The mouse lies in this box and this window has it.
  bool hovered(float x, float y, float width, float height) const;
  void tooltip(const std::string& words) const;

 private:
  ImFont* font(Face face) const;
  const Style& style_;
  DrawArea area_;
  bool stale_;
  ImDrawList* list_;
};

/// Words instead of a picture when there is nothing to show yet.
void draw_message(Painter& painter, std::string_view words);

/// At most three significant digits and a thousands separator: for numbers in pictures.
std::string short_number(double value);

/// Block and thread of a linear thread number: "thread (3, 0, 0) of block (2, 0, 0)".
std::string thread_words(int64_t thread, const Launch& launch);

}  // namespace warpbook::view
