// Calls and returns. Parameters travel by value: the caller's .param variables are copied into the callee's,
// lane by lane, in local memory (PTX ISA 7.1).
#include "simt/exec/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simt/access/local_marks.h"
#include "simt/exec/device_calls.h"
#include "simt/exec/diagnose.h"
#include "simt/exec/fragments.h"
#include "simt/exec/frames.h"
#include "simt/families.h"

namespace warpbook::simt {
namespace {

constexpr uint32_t round_up(uint32_t value) { return (value + 15u) & ~15u; }

void resolve(const CallInfo& call, const Code& code, const CodeFunction& caller) {
  std::call_once(call.resolved, [&] {
    const auto place_of = [&](const std::string& name) {
      const VariablePlace* place = caller.place(name);
      return place ? CallInfo::Place{place->offset, place->bytes} : CallInfo::Place{};
    };
    for (const std::string& name : call.arguments) call.argument_places.push_back(place_of(name));
    for (const std::string& name : call.results) call.result_places.push_back(place_of(name));
    if (!call.callee.empty()) {
      const CodeFunction* function = code.function(call.callee);
      if (function && !function->blocks.empty()) call.function = function;
    }
  });
}

const CodeFunction* function_at(const Code& code, Address address) {
  if (address < function_window) return nullptr;
  const uint64_t index = (address - function_window) / 16;
  if (index >= code.module->functions.size() || address != function_address(uint32_t(index))) return nullptr;
  const ptx::Function* wanted = &code.module->functions[index];
  for (const auto& function : code.functions) {
    if (function->source == wanted && !function->blocks.empty()) return function.get();
  }
  return nullptr;
}

std::vector<std::string> names_of(const ptx::Operand& operand) {
  std::vector<std::string> names;
  if (operand.kind == ptx::Operand::Kind::list) {
    for (const ptx::Operand& part : operand.parts) names.push_back(part.name);
  } else {
    names.push_back(operand.name);
  }
  return names;
}

void copy_local(Warp& warp, uint32_t lanes, uint32_t from, uint32_t to, uint32_t bytes) {
  std::byte buffer[256];
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    for (uint32_t done = 0; done < bytes; done += sizeof buffer) {
      const uint32_t part_bytes = std::min<uint32_t>(sizeof buffer, bytes - done);
      if (read_bytes(warp, lane, local_window + from + done, buffer, part_bytes)) {
        write_bytes(warp, lane, local_window + to + done, buffer, part_bytes);
        // A value that nothing has written is passed on as that.
        if (warp.worker->launch->code->follows_values)
          copy_written_marks(warp, lane, from + done, to + done, part_bytes);
      }
    }
  }
}

Step stack_overflow(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t bytes) {
  Diagnosis d = diagnosis_at(warp, inst.site, lanes, "stack-overflow", "call");
  const uint32_t limit = warp.worker->launch->options.stack_bytes;
  d.message = fmt::format(
      "The call stack of {} bytes a thread is used up: {} calls of a recursion are open and the next would "
      "need {} "
      "bytes in all.",
      limit, warp.active->frame->depth, bytes);
  d.hint =
      "Bound the depth of the recursion, or use a loop with an array of your own; --stack BYTES gives more.";
  report(*warp.worker, std::move(d));
  return Step::fault;
}

Step bad_pointer(Warp& warp, const Inst& inst, uint32_t lanes, Address address) {
  Diagnosis d = diagnosis_at(warp, inst.site, lanes, address == 0 ? "null-pointer" : "trap", "call");
  d.message =
      address == 0
          ? "A function is called through a null pointer."
          : fmt::format("A function is called through a pointer (0x{:x}) that is no function's.", address);
  d.hint = "Set the function pointer on the device before it is called.";
  report(*warp.worker, std::move(d));
  return Step::fault;
}

/// All lanes of the running fragment enter `callee`.
Step enter(Warp& warp, const Inst& inst, const CallInfo& call, const CodeFunction& callee, uint32_t next) {
  const LaunchContext& context = *warp.worker->launch;
  Fragment& fragment = *warp.active;
  Frame& caller = *fragment.frame;
  uint32_t stack = caller.stack_bytes;
  if (callee.recursive) stack += stack_charge(callee);
  const uint32_t local_base = caller.local_base + round_up(caller.function->local_bytes);
  if (stack > context.options.stack_bytes || local_base + callee.local_bytes > context.local_bytes) {
    return stack_overflow(warp, inst, fragment.mask, stack);
  }
  Frame* frame = take_frame(warp, callee, local_base);
  frame->caller = &caller;
  frame->return_block = next;
  frame->depth = caller.depth + 1;
  frame->lanes = fragment.mask;
  frame->stack_bytes = stack;
  frame->call = &inst;
  const auto& parameters = callee.source->parameters;
  for (size_t i = 0; i < parameters.size() && i < call.argument_places.size(); ++i) {
    const VariablePlace* place = callee.place(parameters[i].name);
    if (!place) continue;
    copy_local(warp, fragment.mask, caller.local_base + call.argument_places[i].offset,
               local_base + place->offset, std::min(place->bytes, call.argument_places[i].bytes));
  }
  fragment.frame = frame;
  fragment.block = 0;
  warp.merge_limit = 0;
  return Step::jump;
}

}  // namespace

const CallInfo* keep_call_info(const ptx::Instruction& source, Encoder& encoder, uint32_t& pointer_slot) {
  // call (results), target, (arguments), prototype; lists may be missing.
  using Kind = ptx::Operand::Kind;
  auto info = std::make_shared<CallInfo>();
  const auto& operands = source.operands;
  size_t at = 0;
  if (at < operands.size() && operands[at].kind == Kind::list) info->results = names_of(operands[at++]);
  if (at >= operands.size()) return nullptr;
  const ptx::Operand& target = operands[at++];
  if (target.kind == Kind::reg) {
    pointer_slot = encoder.source(target, ptx::Type::u64);
  } else if (!target.name.empty()) {
    info->callee = target.name;
  } else {
    return nullptr;
  }
  if (at < operands.size() && operands[at].kind == Kind::list) info->arguments = names_of(operands[at++]);
  const CallInfo* kept = info.get();
  encoder.keep(std::move(info));
  return kept;
}

Step call_function(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t next) {
  Fragment& fragment = *warp.active;
  if (lanes == 0) {
    fragment.block = next;
    return Step::jump;
  }
  const Code& code = *warp.worker->launch->code;
  const CodeFunction& caller = *fragment.frame->function;
  const CallInfo& call = *reinterpret_cast<const CallInfo*>(inst.imm);
  resolve(call, code, caller);
  if (lanes != fragment.mask) {
    part(warp, fragment.mask & ~lanes, next);
    warp.fragment_mask = lanes;
    set_mask(warp, lanes);
  }
  if (!call.callee.empty()) {
    if (call.function) return enter(warp, inst, call, *call.function, next);
    const Step step = is_device_call(call.callee) ? device_call(warp, inst, call, lanes)
                                                  : unsupported_instruction(warp, inst);
    if (step != Step::next) return step;
    fragment.block = next;
    return Step::jump;
  }
  // Through a pointer: lanes with other targets call after these.
  const auto* target = reinterpret_cast<const uint64_t*>(warp.frame + inst.a);
  const Address address = target[std::countr_zero(lanes)];
  uint32_t same = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    if (target[std::countr_zero(rest)] == address) same |= rest & (~rest + 1);
  }
  if (same != lanes) {
    part_inside(warp, lanes & ~same, index_of(caller, inst));
    warp.active = &warp.current();
  }
  const CodeFunction* function = function_at(code, address);
  if (!function) return bad_pointer(warp, inst, same, address);
  return enter(warp, inst, call, *function, next);
}

Step return_lanes(Warp& warp, const Inst& inst, uint32_t lanes, uint32_t next) {
  Fragment& fragment = *warp.active;
  if (lanes == 0) {
    fragment.block = next;
    return Step::jump;
  }
  Frame* const frame = fragment.frame;
  Frame* const caller = frame->caller;
  if (!caller) {
    leave_kernel(warp, inst, lanes, next);
    return Step::jump;
  }
  const CallInfo& call = *reinterpret_cast<const CallInfo*>(frame->call->imm);
  const auto& returns = frame->function->source->returns;
  for (size_t i = 0; i < returns.size() && i < call.result_places.size(); ++i) {
    const VariablePlace* place = frame->function->place(returns[i].name);
    if (!place) continue;
    copy_local(warp, lanes, frame->local_base + place->offset,
               caller->local_base + call.result_places[i].offset,
               std::min(place->bytes, call.result_places[i].bytes));
  }
  const uint32_t return_block = frame->return_block;
  warp.merge_limit = 0;
  if (lanes == fragment.mask) {
    fragment.frame = caller;
    fragment.block = return_block;
  } else {
    Fragment returned;
    returned.frame = caller;
    returned.mask = lanes;
    returned.block = return_block;
    fragment.mask &= ~lanes;
    fragment.block = next;
    warp.fragments.push_back(returned);
  }
  frame->lanes &= ~lanes;
  if (frame->lanes == 0) {
    if (warp.watch.frame == frame) warp.watch.frame = nullptr;
    give_frame(*warp.worker, frame);
  }
  return Step::jump;
}

}  // namespace warpbook::simt
