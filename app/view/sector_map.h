#pragma once
// The pure step of `sector-map`: which 32-byte sectors of a buffer the lanes of one recorded request touch,
// and how much of them they asked for.
#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

struct SectorMap {
  struct Lane {
    bool active = false;
    int64_t index = 0;        ///< element of the buffer
    uint32_t first = 0;       ///< place in `sectors` of its first byte
    uint32_t first_byte = 0;  ///< within that sector
  };
  struct Sector {
    int64_t number = 0;     ///< counted from the beginning of the buffer
    std::bitset<32> asked;  ///< bytes that some lane asked for
  };
  size_t steps = 0;  ///< requests to global memory in the recording
  std::string buffer, access;
  int line = 0;
  uint32_t lane_bytes = 0, element_bytes = 0;
  int active = 0;
  std::array<Lane, 32> lanes{};
  std::vector<Sector> sectors;  ///< ascending
  uint32_t asked_bytes = 0;     ///< different bytes, so that a number that all lanes read counts once

  uint32_t fetched_bytes() const { return uint32_t(sectors.size()) * 32; }
  /// Place in `sectors` of a sector's number, -1 when nobody touches it.
  int place_of(int64_t number) const;
};

/// Request number `step` to global memory of the recorded warp, clamped to the last one. Option `buffers`: a
/// list of names; only requests to them count.
SectorMap make_sector_map(const ViewInput& input, size_t step);

}  // namespace warpbook::view
