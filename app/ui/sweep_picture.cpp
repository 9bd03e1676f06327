#include "ui/sweep_picture.h"

#include <imgui.h>

#include "base/complaint.h"
#include "ui/imgui_compat.h"
#include "ui/look.h"
#include "ui/picture_file.h"
#include "ui/sweep_plot.h"

namespace warpbook::ui {

Result<Done> save_sweep_picture(const SweepResult& swept, const Path& file, const Path& root,
                                const SurfaceMaker& make_surface) {
  constexpr int width = 960, height = 600, margin = 28;
  Result<std::unique_ptr<Surface>> made = make_surface({true, width, height, 1, "", {}});
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
  io.DisplaySize = ImVec2(float(width), float(height));
  io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
  std::string words = "µ×−…";
  for (const SweepPoint& point : swept.points) words += point.gpu + words_of(point.setting);
  Result<Fonts> fonts = build_fonts(root / "assets" / "fonts", 1, words);
  if (!fonts) return fonts.error();
  look.fonts = *fonts;
  apply_style(look.colours, 1);
  if (Result<Done> attached = surface.attach(); !attached) return attached;
  context.attached = true;
  const view::Style style = view_style(look);
  view::Plot plot = make_sweep_plot(swept, style);
  if (plot.series.empty())
    return complaint("no setting of the sweep has a time, so there is nothing to draw");
  for (int i = 0; i < 2; ++i) {  // the first frame only measures
    surface.begin_frame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::Begin("sweep", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
    const view::DrawArea area{margin, margin, width - 2 * margin, height - 2 * margin};
    view::Painter painter(style, area, false);
    view::draw_plot(painter, plot, area);
    ImGui::End();
    ImGui::Render();
    surface.draw(look.colours.paper);
  }
  return write_picture(file, {surface.width(), surface.height(), surface.pixels()});
}

}  // namespace warpbook::ui
