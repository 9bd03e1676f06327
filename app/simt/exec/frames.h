#pragma once
// Frames: where they come from, and how their constant and special slots are filled.
#include "simt/exec/state.h"

namespace warpbook::simt {

/// Plans for the kernel and every function that it can reach; the call stack and chains of calls are measured
/// for LaunchContext::local_bytes. Needs `memory`, `parameters` and `launch` of the context.
void plan_functions(LaunchContext& context);

/// What an activation of a recursive function takes of the call stack: its depot, 16 bytes and the registers
/// that live across its calls, rounded up to 16 (DESIGN section 3).
uint32_t stack_charge(const CodeFunction& function);

/// A frame for an activation of `function`, its specials filled for this warp. `base` is its place in local
/// memory.
Frame* take_frame(Warp& warp, const CodeFunction& function, uint32_t local_base);
void give_frame(Worker& worker, Frame* frame);
/// Two activations of a function change the registers of some lanes.
void swap_lanes(const CodeFunction& function, std::byte* a, std::byte* b, uint32_t lanes);

/// Makes the warp's kernel frame ready for the block that it now belongs to.
void refresh_kernel_frame(Warp& warp, bool first_use);

}  // namespace warpbook::simt
