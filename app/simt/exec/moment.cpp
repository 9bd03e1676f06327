// See moment.h. A site's number counts through its function's instructions, which is how it finds its place.
#include "simt/exec/moment.h"

#include "simt/decode/slots.h"

namespace warpbook::simt {
namespace {

uint64_t value_of(const Frame& frame, uint32_t offset, ptx::Type type, int lane) {
  const std::byte* at = frame.registers + offset;
  switch (pool_of(type)) {
    case Pool::predicate: return *reinterpret_cast<const uint32_t*>(at) >> lane & 1;
    case Pool::wide: return reinterpret_cast<const uint64_t*>(at)[lane];
    case Pool::narrow: break;
  }
  return reinterpret_cast<const uint32_t*>(at)[lane];
}

Moment::Activation activation(const Frame& frame, uint32_t site, int lane) {
  const CodeFunction& function = *frame.function;
  Moment::Activation out;
  out.function = function.name;
  out.local_base = frame.local_base;
  for (const VariablePlace& place : function.places) {
    if (place.variable && place.variable->space == ptx::Space::local) out.depot = place.offset;
  }
  const uint32_t index = site - function.instructions.front().site;
  if (index < function.source_index.size()) {
    // What decode added stands before the instruction that it is about.
    uint32_t source = function.source_index[index];
    for (uint32_t i = index; source == ~0u && i > 0; --i) source = function.source_index[i - 1];
    out.instruction = source;
  }
  const auto& registers = function.source->registers;
  out.registers.resize(registers.size());
  for (size_t r = 0; r < registers.size(); ++r) {
    const uint32_t offset = function.register_slots[r];
    if (offset) out.registers[r] = value_of(frame, offset, registers[r].type, lane);
  }
  return out;
}

}  // namespace

std::shared_ptr<const Moment> take_moment(Warp& warp, int lane, uint32_t site, Address address,
                                          uint32_t element_bytes, int32_t unwritten_register) {
  static_assert(Moment::local_window == local_window && Moment::shared_window == shared_window);
  if (!warp.worker->launch->options.moments || warp.running >= warp.fragments.size()) return nullptr;
  auto moment = std::make_shared<Moment>();
  moment->address = address;
  moment->element_bytes = element_bytes;
  moment->unwritten_register = unwritten_register;
  uint32_t at = site;
  for (const Frame* frame = warp.fragments[warp.running].frame; frame; frame = frame->caller) {
    moment->activations.push_back(activation(*frame, at, lane));
    if (!frame->call) break;
    at = frame->call->site;
  }
  moment->local.resize(warp.block->memory.local_bytes_per_thread);
  read_bytes(warp, lane, local_window, moment->local.data(), uint32_t(moment->local.size()));
  return moment;
}

}  // namespace warpbook::simt
