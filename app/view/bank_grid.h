#pragma once
// The pure step of `bank-grid`: which words of which banks the lanes of one warp ask for in one access, and
// how many passes that takes. 32 banks of 4 bytes; 8-byte accesses go in two halves, 16-byte ones in four
// quarters (CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x and later).
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "view/view.h"

namespace warpbook::view {

struct BankWord {
  int64_t word = 0;        ///< counted from the start of the array, 4 bytes each
  std::vector<int> lanes;  ///< that ask for it
};

struct BankGrid {
  size_t steps = 0;                             ///< accesses recorded to the array
  std::array<std::vector<BankWord>, 32> banks;  ///< words asked of each bank, lowest first
  std::array<int, 32> ways{};         ///< passes that each bank takes by itself, over all groups of lanes
  int passes = 0;                     ///< what the access takes
  int fewest = 0;                     ///< what it would take without conflicts
  int64_t rows = 0;                   ///< rows of 32 words that the picture needs
  std::array<int64_t, 32> word_of{};  ///< first word of each lane; -1 = lane not active
  int line = 0;
  std::string words;
};

/// Options: `tile` (the shared array), `element` (bytes of one of its elements, 4 when absent), `access`
/// ("read" or "write": only those).
BankGrid make_bank_grid(const ViewInput& input, size_t step);

}  // namespace warpbook::view
