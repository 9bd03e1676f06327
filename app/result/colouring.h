#pragma once
// How a buffer's numbers become the pixels of a picture: said by a view, followed by the host (app/view) or
// by a GPU (assets/colours.cu), to the same bits.
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace warpbook {

/// Colours as ImGui packs them (0xAABBGGRR), mixed linearly between anchors.
struct ColourRamp {
  std::array<uint32_t, 9> anchors{};
  uint32_t no_number = 0;  ///< for NaN
  uint32_t top = 0;        ///< of 1 and more, where `cyclic`
  uint32_t cyclic = 0;     ///< not 0: runs up and down by the root, so that bands have no seam
};

struct Colouring {
  enum class Kind {
    pixels,     ///< the buffer holds RGBA8
    scale,      ///< a number's place between the lowest and the highest
    difference  ///< off from a reference, or from the product of two matrices
  };
  Kind kind = Kind::pixels;
  std::string buffer;
  ColourRamp ramp;
  std::optional<double> low, high;  ///< scale: its ends; absent = the numbers' own
  std::string reference;            ///< difference: from this buffer ...
  std::string left, right;          ///< ... or, when that is empty, from the product of these
  uint64_t inner = 0;               ///< columns of `left`
  double tolerance = 0;             ///< difference: of the largest expected; less is rounding
};

/// What is known of a picture's numbers once they were coloured.
struct ColouredFacts {
  double low = 0, high = 0;  ///< scale: its ends
  uint64_t unwritten = 0;    ///< scale: elements that hold the memory's poison
  double largest = 0;        ///< difference: the largest, its first place, and how many are no rounding
  uint64_t worst = 0, differing = 0;
};

}  // namespace warpbook
