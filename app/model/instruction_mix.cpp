// Counted in sm_80 code of CUDA 13.0's ptxas, on the common path. A 32-bit remainder is 8 multiply-adds (IMAD
// and IMAD.HI), 2 conversions, 1 reciprocal and 9 others; a 64-bit one is half multiply-adds. A float
// division is 1 reciprocal, 5 FFMA and 3 others, a root nearly the same; a double one has 1 reciprocal and 9
// DFMA, DMUL or DADD of 15.
#include "model/instruction_mix.h"

#include <algorithm>

namespace warpbook {

InstructionMix mix_of(InstructionKind kind, double issues) {
  InstructionMix mix;
  switch (kind) {
    case InstructionKind::imul:
      mix.imul = issues;  // a wide product multiplies all the time
      if (issues > 3) mix = {issues * (issues > 32 ? 0.5 : 0.4), 2, 1, 0, 0, 0};
      break;
    case InstructionKind::sfu:
      mix.sfu = 1;
      mix.fp32 = (issues - 1) * 0.6;
      break;
    case InstructionKind::fp64:
      mix.fp64 = issues;
      if (issues > 1) mix = {0, 0, 1, 0, std::min(issues * 0.6, issues - 1), 0};
      break;
    default: break;
  }
  mix.int32 = issues - mix.imul - mix.convert - mix.sfu - mix.fp32 - mix.fp64;
  return mix;
}

}  // namespace warpbook
