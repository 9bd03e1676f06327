#include "result/rounded.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace warpbook {

std::string rounded_figure(double value) {
  const double size = std::fabs(value);
  // From 999,500 on, three digits make a million.
  if (size >= 999'500'000) return fmt::format("{:.3g} billion", value / 1e9);
  if (size >= 999'500) return fmt::format("{:.3g} million", value / 1e6);
  if (size < 999.5) return fmt::format("{:.3g}", value);
  const double step = size >= 99'950 ? 1000 : size >= 9'995 ? 100 : 10;
  const std::string digits = with_thousands(uint64_t(std::round(size / step) * step));
  return value < 0 ? "-" + digits : digits;
}

}  // namespace warpbook
