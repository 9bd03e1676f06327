#pragma once
// The launch of a kernel as a learner writes it: <<<grid, block, shared>>>.
#include <cstdint>

namespace warpbook {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
  bool operator==(const Dim3&) const = default;
};

struct Launch {
  Dim3 grid;
  Dim3 block;
  uint32_t shared_bytes = 0;  ///< dynamic shared memory, bytes a block
  bool shared_optin = false;  ///< allows shared memory beyond 48 KiB, up to the GPU's opt-in limit
  bool operator==(const Launch&) const = default;
};

}  // namespace warpbook
