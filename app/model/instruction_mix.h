#pragma once
// Where the instructions run that ptxas makes of one of PTX. A division is no division unit: it is a handful
// of multiplications, a reciprocal and plain arithmetic, each on lanes of its own.
#include "result/kernel_trace.h"

namespace warpbook {

/// Warp instructions by unit; those of `imul`, `sfu` and `fp64` kind only, others stand on their own unit.
struct InstructionMix {
  double imul = 0, convert = 0, sfu = 0, fp32 = 0, fp64 = 0;
  double int32 = 0;  ///< plain integer arithmetic: all the rest
};

/// `issues`: how many instructions ptxas makes of it, TracedInstruction::issues.
InstructionMix mix_of(InstructionKind kind, double issues);

}  // namespace warpbook
