#include "ui/fonts.h"

#include <fmt/format.h>
#include <imgui_freetype.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace warpbook::ui {

std::string_view interface_signs() { return "✓✗▶←→↑↓↺⌂⚙☰☼☾×·–—−…≤≥≠²³°±µ"; }

Result<Fonts> build_fonts(const Path& folder, float scale, std::string_view text) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;

  ImFontGlyphRangesBuilder builder;
  // Latin with its extensions, and Greek: what a learner may type into an editor or an answer.
  static const ImWchar basics[] = {0x0020, 0x017F, 0x0370, 0x03FF, 0};
  builder.AddRanges(basics);
  const std::string_view signs = interface_signs();
  builder.AddText(signs.data(), signs.data() + signs.size());
  builder.AddText(text.data(), text.data() + text.size());
  ImVector<ImWchar> ranges;
  builder.BuildRanges(&ranges);

  const auto add = [&](const char* file, float size) -> ImFont* {
    // ImGui's size is the height of a line (ascent to descent), a designer's size is the em: the two differ
    // by a factor that each face states in its hhea table.
    const bool mono = std::string_view(file).find("Mono") != std::string_view::npos;
    const float pixels = std::round(size * scale * (mono ? 1.32f : 1.21f));
    const float fallback_pixels = std::round(size * scale * 1.164f);
    ImFontConfig config;
    config.PixelSnapH = false;
    const std::string path = (folder / file).string();
    ImFont* font = atlas.AddFontFromFileTTF(path.c_str(), pixels, &config, ranges.Data);
    if (!font) return nullptr;
    ImFontConfig merged;
    merged.MergeMode = true;
    const std::string fallback = (folder / "DejaVuSans.ttf").string();
    if (!atlas.AddFontFromFileTTF(fallback.c_str(), fallback_pixels, &merged, ranges.Data)) return nullptr;
    return font;
  };
  for (const char* file : {"Inter-Regular.otf", "Inter-SemiBold.otf", "Inter-Italic.otf",
                           "JetBrainsMono-Regular.ttf", "DejaVuSans.ttf"}) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(folder / file, failed)) {
      return Error{fmt::format("the font {} is missing", file),
                   Trouble::not_found,
                   {(folder / file).string(), 0, 0},
                   "assets/fonts belongs to Warpbook; copy it again from the source"};
    }
  }
  Fonts fonts;
  fonts.body = add("Inter-Regular.otf", 16);
  fonts.bold = add("Inter-SemiBold.otf", 16);
  fonts.italic = add("Inter-Italic.otf", 16);
  fonts.h1 = add("Inter-SemiBold.otf", 28);
  fonts.h2 = add("Inter-SemiBold.otf", 22);
  fonts.h3 = add("Inter-SemiBold.otf", 18);
  fonts.caption = add("Inter-Regular.otf", 13);
  fonts.caption_bold = add("Inter-SemiBold.otf", 13);
  fonts.label = add("Inter-Regular.otf", 14);
  fonts.label_bold = add("Inter-SemiBold.otf", 14);
  fonts.mono = add("JetBrainsMono-Regular.ttf", 14);
  fonts.mono_small = add("JetBrainsMono-Regular.ttf", 12);
  if (!fonts.body || !fonts.mono_small || !atlas.Build()) {
    return Error{"the fonts could not be read", Trouble::io, {folder.string(), 0, 0}, {}};
  }
  return fonts;
}

std::vector<char32_t> missing_glyphs(const ImFont* font, std::string_view text) {
  std::vector<char32_t> missing;
  for (const char32_t code_point : decode_utf8(text)) {
    if (code_point < 32) continue;
    if (code_point > 0xffff || !font->FindGlyphNoFallback(ImWchar(code_point))) missing.push_back(code_point);
  }
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return missing;
}

}  // namespace warpbook::ui
