// Pictures that stand in a lesson: read once, kept as a texture, drawn as wide as the text allows.
#include <imgui.h>

#include <algorithm>

#include "ui/imgui_compat.h"
#include "ui/panels.h"
#include "ui/picture_file.h"
#include "ui/widgets.h"

namespace warpbook::ui {

namespace {

FigureState load_figure(const Workbook& book, const Path& file) {
  FigureState figure;
  const Result<Picture> picture = read_picture(file);
  if (!picture) {
    figure.problem = to_string(picture.error());
    return figure;
  }
  if (!book.pictures.make) return figure;
  figure.image = book.pictures.make(book.pictures.owner, uint32_t(picture->width), uint32_t(picture->height));
  figure.image.upload(figure.image.owner, figure.image, picture->pixels.data());
  return figure;
}

}  // namespace

void draw_figure(Frame& frame, const Path& file, const std::vector<warpbook::Run>& words, float width) {
  Look& look = frame.look;
  const std::string key = file.string();
  auto found = frame.book.figures.find(key);
  if (found == frame.book.figures.end())
    found = frame.book.figures.emplace(key, load_figure(frame.book, file)).first;
  const FigureState& figure = found->second;
  if (!figure.problem.empty()) {
    caption(look, figure.problem, look.colours.error);
  } else if (figure.image.handle != 0) {
    // A pixel of the file is a dp, less when the text is narrower.
    const float scale = std::min(look.scale, width / float(figure.image.width));
    const ImVec2 size(std::round(float(figure.image.width) * scale),
                      std::round(float(figure.image.height) * scale));
    ImGui::Image(texture_of(figure.image), size);
  }
  DocumentEvents events;
  TextStyleSet style = small_style(look);
  style.colour = look.colours.muted;
  if (!words.empty()) draw_runs(look, "figure." + file.filename().string(), words, width, style, events);
  handle(frame, events);
}

}  // namespace warpbook::ui
