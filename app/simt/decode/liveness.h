#pragma once
// Where each register's value is needed. Per lane a kernel is an ordinary program, so ordinary liveness over
// the blocks is right also when lanes part: a masked write leaves the other lanes' values alone.
#include <cstdint>
#include <span>
#include <vector>

#include "simt/decode/control_flow.h"
#include "simt/families.h"
#include "simt/ptx/module.h"

namespace warpbook::simt {

/// Places of a function in block order: one an instruction and one at the end of each block. [first, last]
/// covers every place where the value is needed, or where the register is written.
struct LiveRange {
  uint32_t first = ~0u, last = 0;
  bool used() const { return first != ~0u; }
  void extend(uint32_t place) {
    if (place < first) first = place;
    if (place > last) last = place;
  }
};

struct Liveness {
  std::vector<LiveRange> ranges;         ///< by register
  std::vector<uint8_t> read;             ///< by register: some instruction reads it
  std::vector<uint32_t> at_entry;        ///< registers that may be read before anything writes them
  uint32_t live_across_calls_bytes = 0;  ///< the largest over the calls
};

/// `families` has an entry an instruction of the body; null = unknown.
Liveness liveness(const ptx::Function& function, const ControlFlow& flow,
                  std::span<const Family* const> families);

}  // namespace warpbook::simt
