// nanosleep (PTX ISA 9.7.13.17) gives way to whoever else can run; fences (9.7.13.3) change no value, as
// every access is done at once here; race checks are told of them.
#include "simt/access/access.h"
#include "simt/exec/diagnose.h"
#include "simt/ops/all_families.h"
#include "simt/ops/handlers.h"

namespace warpbook::simt::WARPBOOK_ISA {
namespace {

template <Scope Reach>
Step fence(Warp& warp, const Inst&) {
  pass_fence(warp, warp.mask, Reach);
  return Step::next;
}

void use_fence(const ptx::Instruction& source, Inst& inst) {
  use_both(inst, scope_of(source) == Scope::block ? &fence<Scope::block> : &fence<Scope::device>);
}

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

bool decode_membar(const ptx::Instruction& source, Encoder&, Inst& inst) {
  use_fence(source, inst);
  return true;
}

bool decode_fence(const ptx::Instruction& source, Encoder&, Inst& inst) {
  use_fence(source, inst);
  return true;
}

}  // namespace warpbook::simt::WARPBOOK_ISA
