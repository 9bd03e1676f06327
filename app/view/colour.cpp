// viridis and cividis by a few anchor colours each, mixed linearly: within 2 % of the published maps, and
// monotone in lightness, which is what makes a heat map readable in grey and to colour-blind eyes.
#include "view/colour.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpbook::view {

namespace {

constexpr std::array<uint32_t, 9> viridis = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                             0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
constexpr std::array<uint32_t, 9> cividis = {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173,
                                             0x8a8678, 0xa59c74, 0xc3b369, 0xfee838};

constexpr uint32_t no_number = rgb(0x9a9a9a), inside_the_set = rgb(0x101418);

uint32_t along(const std::array<uint32_t, 9>& anchors, double at) {
  double place = at * double(anchors.size() - 1);
  size_t below = std::min(size_t(place), anchors.size() - 2);
  return mixed(rgb(anchors[below]), rgb(anchors[below + 1]), float(place - double(below)));
}

}  // namespace

uint32_t faded(uint32_t colour, float share) {
  uint32_t alpha = uint32_t(std::lround(float(colour >> 24) * std::clamp(share, 0.f, 1.f)));
  return (colour & 0x00ffffffu) | (alpha << 24);
}

uint32_t mixed(uint32_t a, uint32_t b, float share) {
  uint32_t out = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    float from = float((a >> shift) & 0xff), to = float((b >> shift) & 0xff);
    out |= uint32_t(std::lround(from + (to - from) * std::clamp(share, 0.f, 1.f))) << shift;
  }
  return out;
}

ColourMap colour_map_named(std::string_view name) {
  if (name == "cividis") return ColourMap::cividis;
  if (name == "cyclic") return ColourMap::cyclic;
  return ColourMap::viridis;
}

uint32_t map_colour(ColourMap map, double at) {
  if (std::isnan(at)) return no_number;
  at = std::clamp(at, 0.0, 1.0);
  switch (map) {
    case ColourMap::viridis: return along(viridis, at);
    case ColourMap::cividis: return along(cividis, at);
    case ColourMap::cyclic: break;
  }
  // Inside the set (at = 1) is ink; elsewhere viridis runs up and down, so that bands have no seam.
  if (at >= 1) return inside_the_set;
  double turn = std::fmod(std::sqrt(at) * 4, 2.0);
  return along(viridis, turn < 1 ? turn : 2 - turn);
}

ColourRamp ramp_of(ColourMap map) {
  const auto& anchors = map == ColourMap::cividis ? cividis : viridis;
  ColourRamp ramp;
  std::transform(anchors.begin(), anchors.end(), ramp.anchors.begin(), rgb);
  ramp.no_number = no_number;
  ramp.top = inside_the_set;
  ramp.cyclic = map == ColourMap::cyclic ? 1 : 0;
  return ramp;
}

}  // namespace warpbook::view
