// Frames. Most of a frame is the same for every warp of a launch, so it is made once as an image; a frame is
// that image with the few slots filled in that depend on the warp and the block.
#include "simt/exec/frames.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>

#include "simt/access/instance.h"
#include "simt/decode/call_graph.h"
#include "simt/decode/slots.h"

namespace warpbook::simt {
namespace {

constexpr std::align_val_t frame_alignment{64};

void fill_slot(std::byte* registers, uint32_t offset, bool wide, uint64_t value) {
  if (wide) {
    auto* slot = reinterpret_cast<uint64_t*>(registers + offset);
    std::fill(slot, slot + 32, value);
  } else {
    auto* slot = reinterpret_cast<uint32_t*>(registers + offset);
    std::fill(slot, slot + 32, uint32_t(value));
  }
}

std::optional<Special> special_named(std::string_view name) {
  static constexpr std::pair<std::string_view, Special> rows[] = {
      {"%tid.x", Special::tid_x},
      {"%tid.y", Special::tid_y},
      {"%tid.z", Special::tid_z},
      {"%ctaid.x", Special::ctaid_x},
      {"%ctaid.y", Special::ctaid_y},
      {"%ctaid.z", Special::ctaid_z},
      {"%laneid", Special::laneid},
      {"%warpid", Special::warpid},
      {"%smid", Special::smid},
      {"%lanemask_eq", Special::lanemask_eq},
      {"%lanemask_lt", Special::lanemask_lt},
      {"%lanemask_le", Special::lanemask_le},
      {"%lanemask_gt", Special::lanemask_gt},
      {"%lanemask_ge", Special::lanemask_ge},
  };
  for (const auto& [known, special] : rows) {
    if (known == name) return special;
  }
  return std::nullopt;
}

/// Specials that are the same for every thread of the launch; 0 for those that mean nothing here (clusters,
/// environment registers, performance monitors).
uint64_t launch_special(const LaunchContext& context, std::string_view name) {
  const Dim3 block = context.launch.block;
  const Dim3 grid = context.launch.grid;
  if (name == "%ntid.x") return block.x;
  if (name == "%ntid.y") return block.y;
  if (name == "%ntid.z") return block.z;
  if (name == "%nctaid.x") return grid.x;
  if (name == "%nctaid.y") return grid.y;
  if (name == "%nctaid.z") return grid.z;
  if (name == "%nwarpid") return uint64_t(std::max(1, context.gpu.max_warps_per_sm));
  if (name == "%nsmid") return uint64_t(std::max(1, context.gpu.sms));
  if (name == "%dynamic_smem_size") return context.launch.shared_bytes;
  if (name == "%total_smem_size") return shared_bytes(*context.memory);
  if (name == "WARP_SZ") return 32;
  // Cooperative groups find the grid's workspace in two environment registers (cooperative_groups/details).
  if (name == "%envreg1" || name == "%envreg2") {
    const Address address = address_of(*context.memory, std::string(grid_workspace), true).value_or(0);
    return name == "%envreg1" ? address >> 32 : address & 0xffffffffu;
  }
  // A launch without clusters is one of clusters of one block (PTX ISA 10 "%cluster_nctaid").
  if (name == "%nclusterid.x") return grid.x;
  if (name == "%nclusterid.y") return grid.y;
  if (name == "%nclusterid.z") return grid.z;
  if (name.substr(0, 16) == "%cluster_nctaid." || name == "%cluster_nctarank") return 1;
  return 0;
}

uint64_t parameter_value(const LaunchContext& context, const SlotInit& init) {
  uint64_t value = 0;
  if (init.bits + init.bytes <= context.parameters.size()) {
    std::memcpy(&value, context.parameters.data() + init.bits, std::min<uint32_t>(init.bytes, 8));
  }
  if (init.sign_extend && init.bytes < 8) {
    const int shift = int(64 - 8 * init.bytes);
    value = uint64_t(int64_t(value << shift) >> shift);
  }
  return value;
}

/// Polling: a load or an atomic that a thread repeats until another thread changes the answer.
bool polls(const std::string& name) {
  if (name.rfind("ld.", 0) == 0) {
    return name.find(".volatile") != std::string::npos || name.find(".relaxed") != std::string::npos ||
           name.find(".acquire") != std::string::npos;
  }
  if (name.rfind("mbarrier.t", 0) == 0) return true;  // test_wait, try_wait
  return name.rfind("atom.", 0) == 0 &&
         (name.find(".cas") != std::string::npos || name.find(".exch") != std::string::npos);
}

/// What a thread does there another may see, or depends on what others did.
bool order_shows(const std::string& name) {
  static constexpr std::string_view starts[] = {"st",    "atom", "red",        "cp.async",   "mbarrier",
                                                "shfl",  "vote", "match",      "activemask", "membar",
                                                "fence", "bar",  "ld.volatile"};
  const bool local = name.rfind("st.local", 0) == 0 || name.rfind("st.param", 0) == 0;
  return !local &&
         (polls(name) || std::any_of(std::begin(starts), std::end(starts), [&](std::string_view start) {
            return std::string_view(name).substr(0, start.size()) == start;
          }));
}

void make_plan(LaunchContext& context, const CodeFunction& function) {
  FunctionPlan& plan = context.plans[function.index];
  plan.ready = true;
  plan.image.assign((function.frame_bytes + 63u) & ~63u, std::byte{0});
  plan.registers_end = function.frame_bytes;
  for (const SlotInit& init : function.inits) {
    // The slot at 0 stands before the registers and is always zero.
    if (init.offset != 0) plan.registers_end = std::min(plan.registers_end, init.offset);
    switch (init.kind) {
      case SlotInit::Kind::constant: fill_slot(plan.image.data(), init.offset, init.wide, init.bits); break;
      case SlotInit::Kind::parameter:
        fill_slot(plan.image.data(), init.offset, init.wide, parameter_value(context, init));
        break;
      case SlotInit::Kind::symbol: {
        const auto address = address_of(*context.memory, init.name, false, function.source);
        if (!address && context.unknown_symbol.empty()) context.unknown_symbol = init.name;
        fill_slot(plan.image.data(), init.offset, init.wide, address.value_or(0) + uint64_t(init.addend));
        break;
      }
      case SlotInit::Kind::local:
        plan.fills.push_back(
            {Special::local_address, init.wide, init.offset, init.bits + uint64_t(init.addend)});
        break;
      case SlotInit::Kind::special:
        if (const auto special = special_named(init.name)) {
          plan.fills.push_back({*special, init.wide, init.offset, 0});
        } else {
          fill_slot(plan.image.data(), init.offset, init.wide, launch_special(context, init.name));
        }
        break;
    }
  }
  plan.order_shows.assign(function.instructions.size(), 0);
  for (size_t i = 0; i < function.instructions.size(); ++i) {
    plan.order_shows[i] = order_shows(context.code->sites[function.instructions[i].site].name);
  }
  plan.polls.assign(function.blocks.size() + 1, 0);
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < function.blocks[b].count; ++i) {
      const Inst& inst = function.instructions[function.blocks[b].first + i];
      found += polls(context.code->sites[inst.site].name);
    }
    plan.polls[b + 1] = plan.polls[b] + found;
  }
}

}  // namespace

void plan_functions(LaunchContext& context) {
  const Code& code = *context.code;
  const ptx::Module& module = *code.module;
  context.plans.resize(code.functions.size());
  const CallGraph graph(module);
  uint64_t chains = 0;
  uint32_t largest = 0;
  uint32_t smallest_charge = 0;
  for (const uint32_t index : graph.reachable(uint32_t(context.kernel->source - module.functions.data()))) {
    const auto found = std::find_if(code.functions.begin(), code.functions.end(), [&](const auto& function) {
      return function->source == &module.functions[index];
    });
    if (found == code.functions.end()) continue;
    const CodeFunction& function = **found;
    make_plan(context, function);
    const uint32_t bytes = (function.local_bytes + 15u) & ~15u;
    if (function.recursive) {
      largest = std::max(largest, bytes);
      const uint32_t charge = stack_charge(function);
      smallest_charge = smallest_charge == 0 ? charge : std::min(smallest_charge, charge);
    } else {
      // All of them together are at least the longest chain.
      chains += bytes;
    }
  }
  // Recursion is charged its depots; what call arguments take lies beside that, hence the room for each
  // activation.
  if (smallest_charge) chains += uint64_t(context.options.stack_bytes / smallest_charge + 1) * largest;
  context.local_bytes = uint32_t(std::min<uint64_t>(chains, 1u << 30));
}

uint32_t stack_charge(const CodeFunction& function) {
  return (function.depot_bytes + 16 + function.live_across_calls_bytes + 15u) & ~15u;
}

Frame* take_frame(Warp& warp, const CodeFunction& function, uint32_t local_base) {
  Worker& worker = *warp.worker;
  const FunctionPlan& plan = worker.launch->plans[function.index];
  auto& free = worker.free_frames[function.index];
  Frame* frame = nullptr;
  if (!free.empty()) {
    frame = free.back();
    free.pop_back();
  } else {
    auto* registers = static_cast<std::byte*>(::operator new(plan.image.size(), frame_alignment));
    worker.frames.emplace_back(new Frame);
    frame = worker.frames.back().get();
    frame->registers = registers;
  }
  frame->function = &function;
  frame->local_base = local_base;
  std::memcpy(frame->registers, plan.image.data(), plan.image.size());
  const BlockState& block = *warp.block;
  for (const FunctionPlan::Fill& fill : plan.fills) {
    const auto by_lane = [&](auto value) {
      for (int lane = 0; lane < 32; ++lane) {
        const uint64_t v = value(lane);
        if (fill.wide) {
          reinterpret_cast<uint64_t*>(frame->registers + fill.offset)[lane] = v;
        } else {
          reinterpret_cast<uint32_t*>(frame->registers + fill.offset)[lane] = uint32_t(v);
        }
      }
    };
    const auto uniform = [&](uint64_t value) { fill_slot(frame->registers, fill.offset, fill.wide, value); };
    switch (fill.special) {
      case Special::tid_x: by_lane([&](int lane) { return thread_of(block, warp.index, lane).x; }); break;
      case Special::tid_y: by_lane([&](int lane) { return thread_of(block, warp.index, lane).y; }); break;
      case Special::tid_z: by_lane([&](int lane) { return thread_of(block, warp.index, lane).z; }); break;
      case Special::ctaid_x: uniform(block.index.x); break;
      case Special::ctaid_y: uniform(block.index.y); break;
      case Special::ctaid_z: uniform(block.index.z); break;
      case Special::laneid: by_lane([](int lane) { return lane; }); break;
      case Special::warpid: uniform(warp.index); break;
      case Special::smid: uniform(block.number % uint64_t(std::max(1, worker.launch->gpu.sms))); break;
      case Special::lanemask_eq: by_lane([](int lane) { return 1u << lane; }); break;
      case Special::lanemask_lt: by_lane([](int lane) { return (1u << lane) - 1u; }); break;
      case Special::lanemask_le: by_lane([](int lane) { return (2u << lane) - 1u; }); break;
      case Special::lanemask_gt: by_lane([](int lane) { return ~((2u << lane) - 1u); }); break;
      case Special::lanemask_ge: by_lane([](int lane) { return ~((1u << lane) - 1u); }); break;
      case Special::local_address: uniform(local_base + fill.bits); break;
    }
  }
  return frame;
}

void give_frame(Worker& worker, Frame* frame) { worker.free_frames[frame->function->index].push_back(frame); }

void swap_lanes(const CodeFunction& function, std::byte* a, std::byte* b, uint32_t lanes) {
  const uint32_t wide_at = narrow_slot_bytes * (1 + function.narrow_slots);
  const uint32_t predicates_at = wide_at + wide_slot_bytes * function.wide_slots;
  const auto swap_bytes = [&](uint32_t at, uint32_t bytes) {
    std::swap_ranges(a + at, a + at + bytes, b + at);
  };
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const auto lane = uint32_t(std::countr_zero(rest));
    for (uint32_t slot = 0; slot < function.narrow_slots; ++slot)
      swap_bytes(narrow_slot_bytes * (1 + slot) + lane * 4, 4);
    for (uint32_t slot = 0; slot < function.wide_slots; ++slot)
      swap_bytes(wide_at + wide_slot_bytes * slot + lane * 8, 8);
  }
  for (uint32_t slot = 0; slot < function.predicate_slots; ++slot) {
    auto& in_a = *reinterpret_cast<uint32_t*>(a + predicates_at + predicate_slot_bytes * slot);
    auto& in_b = *reinterpret_cast<uint32_t*>(b + predicates_at + predicate_slot_bytes * slot);
    const uint32_t differ = (in_a ^ in_b) & lanes;
    in_a ^= differ;
    in_b ^= differ;
  }
}

void refresh_kernel_frame(Warp& warp, bool first_use) {
  const CodeFunction& kernel = *warp.worker->launch->kernel;
  if (first_use) {
    warp.kernel_frame = take_frame(warp, kernel, 0);
    return;
  }
  // Thread indices, masks and constants are as the last block left them: nothing writes them.
  Frame& frame = *warp.kernel_frame;
  const FunctionPlan& plan = warp.worker->launch->plans[kernel.index];
  for (const auto& [offset, bytes] : kernel.zeroed) std::memset(frame.registers + offset, 0, bytes);
  const BlockState& block = *warp.block;
  for (const FunctionPlan::Fill& fill : plan.fills) {
    switch (fill.special) {
      case Special::ctaid_x: fill_slot(frame.registers, fill.offset, fill.wide, block.index.x); break;
      case Special::ctaid_y: fill_slot(frame.registers, fill.offset, fill.wide, block.index.y); break;
      case Special::ctaid_z: fill_slot(frame.registers, fill.offset, fill.wide, block.index.z); break;
      case Special::smid:
        fill_slot(frame.registers, fill.offset, fill.wide,
                  block.number % uint64_t(std::max(1, warp.worker->launch->gpu.sms)));
        break;
      default: break;
    }
  }
}

void Worker::FrameDeleter::operator()(Frame* frame) const {
  ::operator delete(frame->registers, frame_alignment);
  delete frame;
}
Worker::Worker() = default;
Worker::~Worker() = default;

}  // namespace warpbook::simt
