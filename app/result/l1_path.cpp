#include "result/l1_path.h"

namespace warpbook {

uint32_t distinct_lines(const uint64_t* addresses, uint32_t lanes, uint32_t bytes) {
  std::array<uint64_t, 64> found;
  size_t count = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint64_t first = addresses[std::countr_zero(rest)];
    found[count++] = first / 128;
    if ((first + bytes - 1) / 128 != first / 128) found[count++] = first / 128 + 1;
  }
  std::sort(found.begin(), found.begin() + std::ptrdiff_t(count));
  return uint32_t(std::unique(found.begin(), found.begin() + std::ptrdiff_t(count)) - found.begin());
}

}  // namespace warpbook
