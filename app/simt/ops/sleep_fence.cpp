// nanosleep (PTX ISA 9.7.13.17) gives way to whoever else can run; fences (9.7.13.3) change no value, as
// every access is done at once here. Which accesses a fence orders is the business of race checks.
#include "simt/exec/diagnose.h"
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

Step nothing(Warp&, const Inst&) { return Step::next; }

Step sleep(Warp& warp, const Inst& inst) {
  Fragment& fragment = *warp.active;
  fragment.state = FragmentState::sleeping;
  fragment.inst = index_of(*fragment.frame->function, inst) + 1;
  return Step::wait;
}

}  // namespace

bool decode_nanosleep(const ptx::Instruction&, Encoder&, Inst& inst) {
  use_both(inst, &sleep);
  return true;
}

bool decode_membar(const ptx::Instruction&, Encoder&, Inst& inst) {
  use_both(inst, &nothing);
  return true;
}

bool decode_fence(const ptx::Instruction&, Encoder&, Inst& inst) {
  use_both(inst, &nothing);
  return true;
}

}  // namespace warpbook::simt::WARPBOOK_ISA
