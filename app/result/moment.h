#pragma once
// Where one thread stood when something went wrong: registers and local memory, enough to find the values of
// the learner's variables afterwards.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpbook {

struct Moment {
  /// One open call of the thread.
  struct Activation {
    std::string function;             ///< as in the PTX
    uint32_t instruction = 0;         ///< index in the function's body; of the call, in a caller
    uint32_t local_base = 0;          ///< where its own local memory begins
    uint32_t depot = 0;               ///< of its __local_depot, from local_base
    std::vector<uint64_t> registers;  ///< by number in the PTX function; 0 for those without a slot
  };
  std::vector<Activation> activations;  ///< innermost first; the last is the kernel's own
  std::vector<std::byte> local;         ///< all of the thread's local memory
  uint64_t address = 0;                 ///< of the access, when it was one
  uint32_t element_bytes = 0;           ///< of the elements that the diagnosis counts; 0 = not known
  int32_t unwritten_register = -1;      ///< of the innermost activation: the one that was used too early
  static constexpr uint64_t local_window = 0x7800'0000'0000;   ///< addresses of local memory start here
  static constexpr uint64_t shared_window = 0x7000'0000'0000;  ///< and those of shared memory here
};

}  // namespace warpbook
