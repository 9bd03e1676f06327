// Outputs as files: NumPy arrays and PNG pictures.
#include <fmt/format.h>
#include <stb_image_write.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/complaint.h"
#include "lab/npy.h"
#include "lab/report.h"

namespace warpbook {

namespace {

/// Dark blue over grey to yellow, in steps that stay apart for colour-blind eyes.
constexpr std::array<std::array<double, 3>, 5> stops = {
    {{0, 32, 76}, {66, 77, 107}, {124, 123, 120}, {187, 171, 104}, {255, 233, 69}}};
constexpr std::array<uint8_t, 4> nan_colour = {200, 30, 30, 255};

std::array<uint8_t, 4> colour_at(double share) {
  if (std::isnan(share)) return nan_colour;
  const double place = std::clamp(share, 0.0, 1.0) * double(stops.size() - 1);
  const auto below = std::min(size_t(place), stops.size() - 2);
  const double between = place - double(below);
  std::array<uint8_t, 4> colour{0, 0, 0, 255};
  for (size_t i = 0; i < 3; ++i)
    colour[i] = uint8_t(std::lround(stops[below][i] + between * (stops[below + 1][i] - stops[below][i])));
  return colour;
}

}  // namespace

std::string as_npy(const Output& output) { return write_npy(output.type, output.count, output.data.data()); }

Result<std::string> as_png(const Output& output, uint32_t width, uint32_t height) {
  const uint64_t pixels_wanted = uint64_t(width) * height;
  // The encoder counts bytes in int.
  if (width == 0 || height == 0 || pixels_wanted > (uint64_t{1} << 28))
    return complaint(fmt::format("{}x{} is no size for a picture", width, height));
  if (output.count != pixels_wanted)
    return complaint(fmt::format("{} has {} elements, but a picture of {}x{} needs {}", output.name,
                                 output.count, width, height, pixels_wanted));
  std::vector<uint8_t> pixels(pixels_wanted * 4);
  if (output.type == ElementType::u32) {
    std::transform(output.data.begin(), output.data.end(), pixels.begin(),
                   [](std::byte b) { return uint8_t(b); });
  } else {
    double low = INFINITY, high = -INFINITY;
    for (uint64_t i = 0; i < output.count; ++i) {
      const double value = element_as_double(output.type, output.data.data(), i);
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    for (uint64_t i = 0; i < output.count; ++i) {
      const double value = element_as_double(output.type, output.data.data(), i);
      const double share = high > low ? (value - low) / (high - low) : std::isnan(value) ? value : 0.0;
      const auto colour = colour_at(share);
      std::copy(colour.begin(), colour.end(), pixels.begin() + std::ptrdiff_t(i * 4));
    }
  }
  std::string png;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), size_t(size));
  };
  if (!stbi_write_png_to_func(append, &png, int(width), int(height), 4, pixels.data(), int(width) * 4))
    return complaint(Trouble::io, "the picture could not be encoded");
  return png;
}

}  // namespace warpbook
