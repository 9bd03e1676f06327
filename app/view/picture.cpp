#include "view/picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpbook::view {

std::optional<std::pair<uint32_t, uint32_t>> Placed::cell(float px, float py) const {
  if (px < x || py < y || px >= x + width || py >= y + height || scale <= 0) return std::nullopt;
  return std::pair{uint32_t((px - x) / scale), uint32_t((py - y) / scale)};
}

Placed fit(uint32_t columns, uint32_t rows, float x, float y, float width, float height) {
  Placed place;
  if (columns == 0 || rows == 0 || width <= 0 || height <= 0) return place;
  float scale = std::min(width / float(columns), height / float(rows));
  if (scale > 4) scale = std::floor(scale);  // small cells may be uneven, large ones must not
  place.scale = scale;
  place.width = scale * float(columns);
  place.height = scale * float(rows);
  place.x = std::floor(x + (width - place.width) / 2);
  place.y = std::floor(y);
  return place;
}

void draw_pixels(Painter& painter, ViewState& state, const PictureMaker& maker, size_t slot,
                 const Pixels& pixels, bool fresh, const Placed& place) {
  if (pixels.width == 0 || pixels.height == 0) return;
  if (!maker.make || uint64_t(pixels.width) * pixels.height <= most_boxes) {
    float gap = place.scale >= 6 ? 1.f : 0.f;
    for (uint32_t row = 0; row < pixels.height; ++row) {
      for (uint32_t column = 0; column < pixels.width; ++column) {
        uint32_t colour = pixels.rgba[size_t(row) * pixels.width + column];
        if (colour >> 24 == 0) continue;
        painter.box(place.x + place.scale * float(column), place.y + place.scale * float(row),
                    place.scale - gap, place.scale - gap, colour);
      }
    }
    return;
  }
  bool made = false;
  ImageTarget& target = texture_in(state, maker, slot, pixels.width, pixels.height, made);
  // What a GPU put there is not what this result's own pixels are.
  const bool foreign = slot == 0 && std::exchange(state.from_gpu, 0) != 0;
  if ((fresh || made || foreign) && target.upload) target.upload(target.owner, target, pixels.rgba.data());
  draw_texture(painter, target, place);
}

ImageTarget& texture_in(ViewState& state, const PictureMaker& maker, size_t slot, uint32_t width,
                        uint32_t height, bool& made) {
  if (state.pictures.size() <= slot) state.pictures.resize(slot + 1);
  ImageTarget& target = state.pictures[slot];
  made = target.handle == 0 || target.width != width || target.height != height;
  if (!made) return target;
  if (target.handle && maker.release) maker.release(maker.owner, target);
  target = maker.make ? maker.make(maker.owner, width, height) : ImageTarget{};
  if (slot == 0) state.from_gpu = 0;
  return target;
}

void draw_texture(Painter& painter, const ImageTarget& target, const Placed& place) {
  if (!target.handle) return;
  ImGui::GetWindowDrawList()->AddImage(reinterpret_cast<ImTextureID>(static_cast<intptr_t>(target.handle)),
                                       ImVec2(place.x, place.y),
                                       ImVec2(place.x + place.width, place.y + place.height), ImVec2(0, 0),
                                       ImVec2(1, 1), painter.tone(0xffffffffu));
}

bool take_from_gpu(const ViewInput& input, ViewState& state, const PictureMaker& maker,
                   const Colouring& colouring, uint32_t width, uint32_t height) {
  if (!input.on_gpu || !input.on_gpu->show || !maker.make || width == 0 || height == 0) return false;
  const OnGpu& gpu = *input.on_gpu;
  if (state.not_on_gpu == gpu.stamp) return false;
  bool made = false;
  const ImageTarget& target = texture_in(state, maker, 0, width, height, made);
  if (!target.handle) return false;
  if (state.from_gpu == gpu.stamp) return true;
  const OnGpu::Answer answer = gpu.show(colouring, target, state.facts);
  if (answer == OnGpu::Answer::shown) {
    state.from_gpu = gpu.stamp;
    return true;
  }
  if (answer == OnGpu::Answer::gone) state.not_on_gpu = gpu.stamp;
  if (made) state.from_gpu = ViewState::nothing;  // own pixels must go into it
  return false;
}

void ring(Painter& painter, const Placed& place, uint32_t columns, int64_t number, uint32_t colour) {
  float x = place.x + place.scale * float(number % columns),
        y = place.y + place.scale * float(number / columns);
  float size = std::max(place.scale, painter.dp(5)), off = (size - place.scale) / 2;
  painter.outline(x - off - 1, y - off - 1, size + 1, size + 1, colour, painter.dp(2), painter.dp(1));
}

const Output* find_output(const ViewInput& input, const std::string& name) {
  if (!input.outputs) return nullptr;
  for (const Output& output : *input.outputs) {
    if (output.name == name) return &output;
  }
  return nullptr;
}

}  // namespace warpbook::view
