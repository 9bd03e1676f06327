#pragma once
// Colours of the two themes, as plain numbers that a test can hold to their contrast, and ImGui's style made
// of them.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "view/view.h"

namespace warpbook::ui {

/// RGBA8 in ImGui's order (red lowest).
using Colour = uint32_t;
constexpr Colour rgb(uint32_t hex) {
  return 0xff000000u | (hex & 255) << 16 | (hex >> 8 & 255) << 8 | (hex >> 16 & 255);
}
/// The colour with another opacity, 0..1.
Colour faded(Colour colour, float opacity);
/// Between two colours; 0 gives the first.
Colour mix(Colour from, Colour to, float share);

struct Palette {
  bool dark = false;
  Colour paper, panel, sunken;  ///< page, cards, code and wells
  Colour ink, muted, line;
  Colour accent, on_accent, accent_soft;  ///< soft: the ground of what is selected
  Colour warning, error, success;
  Colour code_keyword, code_cuda, code_type, code_number, code_string, code_comment, code_preprocessor;
  Colour series[8];  ///< Okabe and Ito's set, readable by the colour-blind
};
Palette light_palette();
Palette dark_palette();

/// WCAG 2 contrast, 1..21.
double contrast(Colour one, Colour other);
/// Every pair of text and ground that the app draws, by name: what the contrast test walks.
struct TextPair {
  std::string_view name;
  Colour text, ground;
};
std::vector<TextPair> text_pairs(const Palette& palette);

/// Fills ImGui's style: colours, rounding, paddings at `scale` pixels a dp.
void apply_style(const Palette& palette, float scale);

}  // namespace warpbook::ui
