#pragma once
// Text and legends that take as many lines as they need: how many these are, and the drawing of them.
#include <string>
#include <string_view>
#include <vector>

#include "view/paint.h"

namespace warpbook::view {

/// Breaks between words where a line gets longer than `width`; a longer word has a line of its own.
std::vector<std::string> lines_within(const Painter& painter, std::string_view words, float width,
                                      Painter::Face face = Painter::Face::caption);
/// Draws them; returns the place below them.
float text_wrapped(Painter& painter, float x, float y, float width, std::string_view words, uint32_t colour,
                   Painter::Face face = Painter::Face::caption);
/// What Painter::legend will use.
float legend_height(const Painter& painter, float width, const std::vector<Painter::LegendEntry>& entries);

}  // namespace warpbook::view
