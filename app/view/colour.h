#pragma once
// Colours as ImGui packs them (0xAABBGGRR), and the colour maps of heat maps.
#include <cstdint>
#include <string_view>

#include "result/colouring.h"

namespace warpbook::view {

constexpr uint32_t rgb(uint32_t hex) {
  return 0xff000000u | ((hex & 0xffu) << 16) | (hex & 0xff00u) | ((hex >> 16) & 0xffu);
}
/// The colour with its alpha multiplied by `share` (0..1).
uint32_t faded(uint32_t colour, float share);
/// A mix: 0 = a, 1 = b.
uint32_t mixed(uint32_t a, uint32_t b, float share);

enum class ColourMap { viridis, cividis, cyclic };
ColourMap colour_map_named(std::string_view name);
/// `at` in 0..1, clamped; NaN gives a neutral grey.
uint32_t map_colour(ColourMap map, double at);
/// The same map as data, for whoever colours by itself.
ColourRamp ramp_of(ColourMap map);

}  // namespace warpbook::view
