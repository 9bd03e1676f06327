#pragma once
// Calls: frames for activations, parameters and results by value, the call-stack rule, and the few functions
// that the emulator itself provides (vprintf, __assertfail).
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "simt/exec/state.h"

namespace warpbook::simt {

class Encoder;

/// What a call instruction says; lives as long as the code. Places are found when it first runs.
struct CallInfo {
  std::string callee;                  ///< empty: through the pointer in Inst::a
  std::vector<std::string> arguments;  ///< .param variables of the caller
  std::vector<std::string> results;

  struct Place {
    uint32_t offset = 0, bytes = 0;
  };
  mutable std::once_flag resolved;
  mutable const CodeFunction* function = nullptr;  ///< of a direct call; null for what the emulator provides
  mutable std::vector<Place> argument_places, result_places;
};

/// What a parsed call says, kept with the code, and the slot of the pointer that it goes through; null when
/// it has no target.
const CallInfo* keep_call_info(const ptx::Instruction& source, Encoder& encoder, uint32_t& pointer_slot);

/// `lanes` of the running fragment call; the others, if any, go on at basic block `next`.
Step call_function(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t next);
/// `lanes` return from the running fragment's function (or leave the kernel); the others go on at `next`.
Step return_lanes(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t next);

}  // namespace warpbook::simt
