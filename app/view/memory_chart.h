#pragma once
// The pure step of `memory-chart`: what went over each link of the memory system, from the threads down to
// DRAM, and what each level served.
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

struct MemoryLink {
  std::string from, to;  ///< "L1", "L2"
  double bytes = 0;
  double share = 0;    ///< of the link that carries most, 0..1
  std::string words;   ///< "134 MB"
  std::string served;  ///< "90 % found in L2"; empty for DRAM
  std::string rate;    ///< "41 % of 5,400 GB/s"
};

struct MemoryChart {
  std::vector<MemoryLink> links;  ///< threads to L1, L1 to L2, L2 to DRAM
  std::string shared;             ///< "shared memory: 3,200 passes, 1,600 without conflicts"; may be empty
};
MemoryChart make_memory_chart(const ModelledTime& modelled);

/// "134 MB": at most three digits.
std::string short_bytes(double bytes);

}  // namespace warpbook::view
