#pragma once
// A Document on screen: prose with mixed styles, headings, lists, code, tables. Live blocks are drawn by the
// caller.
#include <functional>
#include <string>
#include <vector>

#include "lesson/document.h"
#include "ui/look.h"
#include "ui/text_flow.h"

namespace warpbook::ui {

/// The faces and colour of a stretch of prose.
struct TextStyleSet {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
  ImFont* italic = nullptr;
  ImFont* mono = nullptr;
  float line_height = 24;  ///< dp
  Colour colour = 0;
};
TextStyleSet body_style(const Look& look);
TextStyleSet small_style(const Look& look);
TextStyleSet heading_style(const Look& look, int level);

/// What happened in a document in this frame.
struct DocumentEvents {
  std::string link;    ///< followed
  std::string copied;  ///< code to the clipboard
};

/// One block of runs, word-wrapped; the height is taken from the window. Links are buttons.
void draw_runs(Look& look, const std::string& name, const std::vector<warpbook::Run>& runs, float width,
               const TextStyleSet& style, DocumentEvents& events);
/// The height of such a block in pixels, without drawing.
float height_of_runs(const Look& look, const std::vector<warpbook::Run>& runs, float width,
                     const TextStyleSet& style);

struct DocumentView {
  std::string name;    ///< prefix of marks
  float width = 0;     ///< pixels
  bool small = false;  ///< captions' size: hints, reasons
  std::function<void(const Block& block, size_t index)> live;
  /// Called before each block: the y on screen where it begins.
  std::function<void(const Block& block, size_t index, float y)> before;
};
void draw_document(Look& look, const Document& document, const DocumentView& view, DocumentEvents& events);

/// A code listing with highlighting and a copy button on hover.
void draw_listing(Look& look, const std::string& name, const std::string& code, const std::string& language,
                  float width, DocumentEvents& events);

}  // namespace warpbook::ui
