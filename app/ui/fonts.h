#pragma once
// The faces of the app, baked at one scale from assets/fonts, with DejaVu Sans merged behind each for what
// Inter and JetBrains Mono lack. Only code points that some text needs are baked.
#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"

namespace warpbook::ui {

struct Fonts {
  ImFont* body = nullptr;    ///< Inter 16
  ImFont* bold = nullptr;    ///< Inter SemiBold 16
  ImFont* italic = nullptr;  ///< Inter Italic 16
  ImFont* h1 = nullptr;      ///< Inter SemiBold 28, 22, 18
  ImFont* h2 = nullptr;
  ImFont* h3 = nullptr;
  ImFont* caption = nullptr;  ///< Inter 13
  ImFont* caption_bold = nullptr;
  ImFont* label = nullptr;  ///< Inter 14: buttons, controls, lists
  ImFont* label_bold = nullptr;
  ImFont* mono = nullptr;        ///< JetBrains Mono 14
  ImFont* mono_small = nullptr;  ///< JetBrains Mono 12: gutters
};

/// Rebuilds the current context's atlas. `text`: everything that will be shown beyond Latin and Greek.
Result<Fonts> build_fonts(const Path& folder, float scale, std::string_view text);
/// Code points of the text that the font has no glyph for, each once. Control characters do not count.
std::vector<char32_t> missing_glyphs(const ImFont* font, std::string_view text);
/// The few signs that the app itself draws as text.
std::string_view interface_signs();

}  // namespace warpbook::ui
