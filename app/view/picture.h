#pragma once
// Pixels from the pure step, kept in a texture and drawn with square pixels; more than some 2,000 cells are
// one texture and not that many rectangles.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "view/paint.h"
#include "view/view.h"

namespace warpbook::view {

struct Pixels {
  uint32_t width = 0, height = 0;
  std::vector<uint32_t> rgba;  ///< row 0 on top, as ImGui packs colours
};

/// Where the picture lies on screen: `scale` pixels a cell.
struct Placed {
  float x = 0, y = 0, width = 0, height = 0, scale = 1;
  /// Cell under a point; nullopt outside.
  std::optional<std::pair<uint32_t, uint32_t>> cell(float px, float py) const;
};

/// The largest place of `columns` x `rows` square cells in a box, whole pixels a cell when cells are larger
/// than four.
Placed fit(uint32_t columns, uint32_t rows, float x, float y, float width, float height);

/// More cells than these are a texture.
constexpr uint64_t most_boxes = 2048;

/// Uploads `pixels` into the state's texture number `slot` when `fresh` (or the size changed) and draws it.
/// Small pictures are drawn as rectangles, so that they stay sharp and need no texture.
void draw_pixels(Painter& painter, ViewState& state, const PictureMaker& maker, size_t slot,
                 const Pixels& pixels, bool fresh, const Placed& place);

/// The texture number `slot` in that size; `made` tells that it is new and holds nothing. No handle where
/// there are no textures.
ImageTarget& texture_in(ViewState& state, const PictureMaker& maker, size_t slot, uint32_t width,
                        uint32_t height, bool& made);
void draw_texture(Painter& painter, const ImageTarget& target, const Placed& place);
/// A run's buffer in the first texture, coloured where the GPU left it; numbers' facts go to the state.
/// False: the texture does not hold it (yet), and own pixels serve.
bool take_from_gpu(const ViewInput& input, ViewState& state, const PictureMaker& maker,
                   const Colouring& colouring, uint32_t width, uint32_t height);

/// A ring around cell `number` of a placed picture of so many columns: what another view has selected.
void ring(Painter& painter, const Placed& place, uint32_t columns, int64_t number, uint32_t colour);

/// Recomputes the state's cached product when the result is a new one. `make` returns a Product by value.
template <class Product, class Make>
const Product& cached(const ViewInput& input, ViewState& state, bool& fresh, Make make) {
  fresh = !state.cache || state.generation != input.generation;
  if (fresh) {
    state.cache = std::make_shared<Product>(make());
    state.generation = input.generation;
  }
  return *static_cast<const Product*>(state.cache.get());
}

const Output* find_output(const ViewInput& input, const std::string& name);

}  // namespace warpbook::view
