#include "ui/plot_picture.h"

#include <imgui.h>

#include <functional>

#include "base/complaint.h"
#include "ui/growth_plot.h"
#include "ui/imgui_compat.h"
#include "ui/look.h"
#include "ui/picture_file.h"
#include "ui/sweep_plot.h"

namespace warpbook::ui {

namespace {

/// Plots, or why there are none.
using PlotMaker = std::function<Result<std::vector<view::Plot>>(const view::Style&)>;

struct PlotPicture {
  int width = 960, height = 600;  ///< pixels of the whole
  std::string words;              ///< whose letters are needed beyond the usual
};

/// The plots below each other.
Result<Done> save_plots(const PlotMaker& make, const PlotPicture& picture, const Path& file, const Path& root,
                        const SurfaceMaker& make_surface) {
  constexpr int margin = 28;
  Result<std::unique_ptr<Surface>> made = make_surface({true, picture.width, picture.height, 1, "", {}});
  if (!made) return made.error();
  Surface& surface = **made;
  Look look;
  look.scale = 1;
  look.motion = false;
  look.colours = light_palette();
  ImGui::CreateContext();
  struct Context {
    Surface& surface;
    bool attached = false;
    ~Context() {
      if (attached) surface.detach();
      ImGui::DestroyContext();
    }
  } context{surface};
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = ImVec2(float(picture.width), float(picture.height));
  io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
  Result<Fonts> fonts = build_fonts(root / "assets" / "fonts", 1, "µ×−…" + picture.words);
  if (!fonts) return fonts.error();
  look.fonts = *fonts;
  apply_style(look.colours, 1);
  if (Result<Done> attached = surface.attach(); !attached) return attached;
  context.attached = true;
  const view::Style style = view_style(look);
  const Result<std::vector<view::Plot>> plots = make(style);
  if (!plots) return plots.error();
  const int each = (picture.height - margin) / int(plots->size());
  for (int i = 0; i < 2; ++i) {  // the first frame only measures
    surface.begin_frame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::Begin("plots", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
    for (size_t k = 0; k < plots->size(); ++k) {
      const view::DrawArea area{margin, float(margin + each * int(k)), float(picture.width - 2 * margin),
                                float(each - margin)};
      view::Painter painter(style, area, false);
      view::draw_plot(painter, (*plots)[k], area);
    }
    ImGui::End();
    ImGui::Render();
    surface.draw(look.colours.paper);
  }
  return write_picture(file, {surface.width(), surface.height(), surface.pixels()});
}

}  // namespace

Result<Done> save_sweep_picture(const SweepResult& swept, const Path& file, const Path& root,
                                const SurfaceMaker& make_surface) {
  PlotPicture picture;
  for (const SweepPoint& point : swept.points) picture.words += point.gpu + words_of(point.setting);
  const PlotMaker plots = [&](const view::Style& style) -> Result<std::vector<view::Plot>> {
    view::Plot plot = make_sweep_plot(swept, style);
    if (plot.series.empty())
      return complaint("no setting of the sweep has a time, so there is nothing to draw");
    return std::vector<view::Plot>{std::move(plot)};
  };
  return save_plots(plots, picture, file, root, make_surface);
}

Result<Done> save_growth_picture(const GrowthTables& growth, const Path& file, const Path& root,
                                 const SurfaceMaker& make_surface) {
  const PlotMaker plots = [&](const view::Style& style) -> Result<std::vector<view::Plot>> {
    return make_growth_plots(growth, style);
  };
  return save_plots(plots, {960, 1020, ""}, file, root, make_surface);
}

}  // namespace warpbook::ui
